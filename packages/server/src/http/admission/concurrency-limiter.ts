// The one concurrency limiter: so many calls run at a time, the others wait in a bounded queue, in
// order. Under overload every admitted call then ends soon, and the rest is refused early instead of
// all calls ending late. Knows no route and no password. Security F07.

export interface ConcurrencyLimits {
  readonly maxRunning: number
  readonly maxQueued: number
  /** A call waits in the queue for this time; without it, until it runs. */
  readonly maxQueueMs?: number
  /** Builds the error of a call that is refused. */
  readonly buildRefusal: () => Error
}

export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits
  #running = 0
  /** The queue keeps the order of arrival; a Set lets a call that times out leave the middle. */
  readonly #queue = new Set<() => void>()
  readonly #resumed: (() => void)[] = []

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits
  }

  /** The number of calls that wait for a slot. */
  get waiting(): number {
    return this.#queue.size + this.#resumed.length
  }

  /**
   * Runs the work as soon as a slot is free. `resumed` work continues a request whose first part ran
   * already: it comes before new work and is never refused, or the first part would be wasted.
   * @throws what `buildRefusal` builds when the queue is full or the wait was too long.
   */
  async run<T>(work: () => Promise<T>, priority: 'new' | 'resumed' = 'new'): Promise<T> {
    if (this.#running < this.#limits.maxRunning) this.#running += 1
    else if (priority === 'new') await this.#waitInQueue()
    else await new Promise<void>((resolve) => this.#resumed.push(resolve))
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #waitInQueue(): Promise<void> {
    const { maxQueued, maxQueueMs, buildRefusal } = this.#limits
    if (this.#queue.size >= maxQueued) return Promise.reject(buildRefusal())
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timeOut = () => {
        this.#queue.delete(start)
        reject(buildRefusal())
      }
      const timer = maxQueueMs === undefined ? undefined : setTimeout(timeOut, maxQueueMs)
      this.#queue.add(start)
    })
  }

  /** Hands the slot to the next call instead of freeing it, so that no later call can take it. */
  #release(): void {
    const next = this.#resumed.shift() ?? this.#queue.values().next().value
    if (!next) this.#running -= 1
    else {
      this.#queue.delete(next)
      next()
    }
  }
}
