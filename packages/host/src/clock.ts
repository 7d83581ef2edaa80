// The host's only way to the time, so that its rules can be tested without waiting.
// It never decides when something is due; callers do.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `task` once, after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void
}

/** Longer delays overflow to "now" in setTimeout. */
const LONGEST_DELAY_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, Math.min(Math.max(ms, 0), LONGEST_DELAY_MS))
    return () => clearTimeout(timer)
  },
}
