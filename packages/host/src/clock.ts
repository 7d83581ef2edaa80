// The clock and timers of the host, so that tests can replace them. Callers decide when something
// is due.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `task` once, after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void
}

/** Longer delays overflow to "now" in setTimeout. */
const MAX_DELAY_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, Math.min(Math.max(ms, 0), MAX_DELAY_MS))
    return () => clearTimeout(timer)
  },
}
