// A map that deletes what is older than its lifetime, and the oldest entries above its maximum
// size, so that requests cannot fill the memory. Knows nothing of its values.

export interface ExpiringMapOptions {
  readonly lifetimeMs: number
  /** Default 10,000. */
  readonly maxEntries?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export class ExpiringMap<Value> {
  /** The oldest entry is first: all have the same lifetime. */
  readonly #entries = new Map<string, { readonly value: Value; readonly endsAt: number }>()
  readonly #lifetimeMs: number
  readonly #maxEntries: number
  readonly #now: () => number

  constructor({ lifetimeMs, maxEntries = 10_000, now = () => Date.now() }: ExpiringMapOptions) {
    this.#lifetimeMs = lifetimeMs
    this.#maxEntries = maxEntries
    this.#now = now
  }

  get size(): number {
    return this.#entries.size
  }

  /** Begins the lifetime of the key, also of an existing one. */
  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, endsAt: this.#now() + this.#lifetimeMs })
    for (const [oldest, { endsAt }] of this.#entries) {
      if (endsAt > this.#now() && this.#entries.size <= this.#maxEntries) return
      this.#entries.delete(oldest)
    }
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    return entry && entry.endsAt > this.#now() ? entry.value : undefined
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
