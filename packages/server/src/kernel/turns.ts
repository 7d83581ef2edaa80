// Divides a long calculation into turns, and rests between them, so that a request waits for one turn and not for
// all of it. Owns the lengths; knows nothing of what is calculated.
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'

/** Some tens of microseconds each, such as an event of the audit trail that is read or chained. */
const ITEMS_IN_TURN = 100

interface Rest {
  /** Milliseconds; 0 lets the event loop do once what waits there. */
  readonly ms: number
  /** After so many it only lets the event loop work: a job that is late catches up. */
  readonly atMost: number
}

/** For a calculation whose result a request waits for. */
const OF_REQUEST: Rest = { ms: 0, atMost: 0 }
/** At most a fifth of the processor, for four seconds; then as much as it gets. */
const OF_JOB: Rest = { ms: 10, atMost: 400 }

/** `if (turns.isFull()) await turns.rest()` begins the work for each item. */
export class Turns {
  readonly #rest: Rest
  readonly #signal: AbortSignal | undefined
  #items = 0
  #rests = 0

  /** After `signal` it only lets the event loop work: a node that ends waits for its jobs. */
  constructor(rest = OF_REQUEST, signal?: AbortSignal) {
    this.#rest = rest
    this.#signal = signal
  }

  static ofJob(signal?: AbortSignal): Turns {
    return new Turns(OF_JOB, signal)
  }

  /** Counts one more item; true when it belongs to the next turn. */
  isFull(): boolean {
    this.#items += 1
    return this.#items > ITEMS_IN_TURN
  }

  async rest(): Promise<void> {
    this.#items = 1
    this.#rests += 1
    const isUrgent = this.#rests > this.#rest.atMost || this.#signal?.aborted
    await (isUrgent ? nextIteration() : sleep(this.#rest.ms))
  }
}
