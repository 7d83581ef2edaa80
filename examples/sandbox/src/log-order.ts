// Brings the lines of several processes into the order in which things happened: holds each until
// it is a moment old, hands them on sorted by time, and tells one failure once when two processes
// tell it. Owns the waiting; the lines stay as they are.
import type { LogEntry } from './log-lines.ts'

/** Longer than it takes to hear of a step after it happened. */
const HOLD_MS = 400

export class LogOrder {
  readonly #write: (entry: LogEntry) => void
  readonly #holdMs: number
  #held: LogEntry[] = []
  /** Requests that a launch's own line has told of; failures are rare, so this stays small. */
  readonly #told = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(write: (entry: LogEntry) => void, holdMs = HOLD_MS) {
    this.#write = write
    this.#holdMs = holdMs
  }

  add(entry: LogEntry): void {
    this.#held.push(entry)
    if (entry.source === 'launch' && entry.traceId) this.#told.add(entry.traceId)
    this.#schedule()
  }

  /** Hands on everything at once, such as before the end. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#hand(Number.POSITIVE_INFINITY)
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#hand(Date.now() - this.#holdMs)
      if (this.#held.length > 0) this.#schedule()
    }, this.#holdMs / 4)
  }

  #hand(until: number): void {
    const due = this.#held.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
    this.#held = this.#held.filter(({ at }) => at > until)
    for (const entry of due) {
      // The launch's own account has the cause and the fix.
      const isTold = entry.source === 'service' && this.#told.has(entry.traceId ?? '')
      if (!isTold) this.#write(entry)
    }
  }
}
