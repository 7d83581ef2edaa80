// A map that forgets: what is older than its lifetime, and the oldest when there is too much. So no
// stranger, and no month of uptime, fills the memory of a sample app. Knows nothing of what it keeps.

export interface ExpiringMapOptions {
  readonly lifetimeMs: number
  /** Default 10,000. */
  readonly most?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export class ExpiringMap<Value> {
  /** Oldest first: all have the same lifetime. */
  readonly #entries = new Map<string, { readonly value: Value; readonly endsAt: number }>()
  readonly #lifetimeMs: number
  readonly #most: number
  readonly #now: () => number

  constructor({ lifetimeMs, most = 10_000, now = () => Date.now() }: ExpiringMapOptions) {
    this.#lifetimeMs = lifetimeMs
    this.#most = most
    this.#now = now
  }

  get size(): number {
    return this.#entries.size
  }

  /** Begins the lifetime of the key, also when it was there. */
  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, endsAt: this.#now() + this.#lifetimeMs })
    for (const [oldest, { endsAt }] of this.#entries) {
      if (endsAt > this.#now() && this.#entries.size <= this.#most) return
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
