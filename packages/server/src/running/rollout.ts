// Decides whether a version that some accounts have goes to all: when its time has come and enough of its launches
// became ready. Too few stop it, and so does a week without enough launches. Pure rules. Decision 89.
import type { Widening } from '../collections/collection.ts'

/** One failure says too much among fewer launches. */
export const MIN_DECIDED = 20
const MAX_WAIT_MS = 7 * 24 * 60 * 60_000

/** Launches of the version since it was given. */
export interface RolloutUse {
  readonly ready: number
  readonly failed: number
}

export function decideWidening(
  { at, readyPercent }: Widening,
  { ready, failed }: RolloutUse,
  now: number,
): 'wait' | 'widen' | 'stop' {
  const decided = ready + failed
  if (decided < MIN_DECIDED) return now > at + MAX_WAIT_MS ? 'stop' : 'wait'
  if (ready * 100 < readyPercent * decided) return 'stop'
  return now < at ? 'wait' : 'widen'
}
