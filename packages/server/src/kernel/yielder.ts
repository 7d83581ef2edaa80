// Divides a long calculation into portions and yields between them, so that a request waits for one portion and
// not for all of it. Owns the lengths; knows nothing of what is calculated.
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'

/** The items take some tens of microseconds each, such as an event of the audit trail that is read or chained. */
const ITEMS_IN_PORTION = 100

interface Pause {
  /** The pause in milliseconds; with 0 the event loop only does what waits there. */
  readonly ms: number
  /** The yielder only lets the event loop work after so many pauses: a late job catches up. */
  readonly atMost: number
}

/** A request waits for the result of the calculation. */
const OF_REQUEST: Pause = { ms: 0, atMost: 0 }
/** A job takes at most a fifth of the processor, for four seconds; then as much as it gets. */
const OF_JOB: Pause = { ms: 10, atMost: 400 }

/** `if (yielder.isDue()) await yielder.yieldNow()` begins the work for each item. */
export class Yielder {
  readonly #pause: Pause
  readonly #signal: AbortSignal | undefined
  #items = 0
  #pauses = 0

  /** Once `signal` is aborted, it only lets the event loop work: a node that ends waits for its jobs. */
  constructor(pause = OF_REQUEST, signal?: AbortSignal) {
    this.#pause = pause
    this.#signal = signal
  }

  static ofJob(signal?: AbortSignal): Yielder {
    return new Yielder(OF_JOB, signal)
  }

  /** Counts one more item; true when it belongs to the next portion. */
  isDue(): boolean {
    this.#items += 1
    return this.#items > ITEMS_IN_PORTION
  }

  async yieldNow(): Promise<void> {
    this.#items = 1
    this.#pauses += 1
    const isUrgent = this.#pauses > this.#pause.atMost || this.#signal?.aborted
    await (isUrgent ? nextIteration() : sleep(this.#pause.ms))
  }
}
