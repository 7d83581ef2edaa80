// Decides how long a worker that ended stays away: a fault that lasts must not fill the log and the processors
// with starts, and one that is over must not keep a worker away. Pure.

const FIRST_MS = 250
const MAX_MS = 30_000
/** A worker that ran so long had no fault at its start. */
const STABLE_AFTER_MS = 60_000

export interface RestartPlan {
  readonly delayMs: number
  /** Ends one after the other without a stable run between them. */
  readonly failures: number
}

export function planRestart(failuresBefore: number, ranMs: number): RestartPlan {
  const failures = ranMs >= STABLE_AFTER_MS ? 1 : failuresBefore + 1
  return { failures, delayMs: Math.min(MAX_MS, FIRST_MS * 2 ** (failures - 1)) }
}
