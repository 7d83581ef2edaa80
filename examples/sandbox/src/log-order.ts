// Sorts the lines of several processes by time: holds each line for a moment, then writes it in
// order. Writes a failure once when two processes report it. Does not change lines.
import type { LogEntry } from './log-lines.ts'

/** The time is longer than a step takes to arrive here. */
const HOLD_MS = 400

export class LogOrder {
  readonly #write: (entry: LogEntry) => void
  readonly #holdMs: number
  #held: LogEntry[] = []
  /** The trace ids of failures in launch lines; failures are rare, so this stays small. */
  readonly #reported = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(write: (entry: LogEntry) => void, holdMs = HOLD_MS) {
    this.#write = write
    this.#holdMs = holdMs
  }

  add(entry: LogEntry): void {
    this.#held.push(entry)
    if (entry.source === 'launch' && entry.traceId) this.#reported.add(entry.traceId)
    this.#schedule()
  }

  /** Writes everything at once, for example at the end. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writeUntil(Number.POSITIVE_INFINITY)
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writeUntil(Date.now() - this.#holdMs)
      if (this.#held.length > 0) this.#schedule()
    }, this.#holdMs / 4)
  }

  #writeUntil(until: number): void {
    const due = this.#held.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
    this.#held = this.#held.filter(({ at }) => at > until)
    for (const entry of due) {
      // The line of the launch has the cause and the fix.
      const isReported = entry.source === 'service' && this.#reported.has(entry.traceId ?? '')
      if (!isReported) this.#write(entry)
    }
  }
}
