// Runs work once a moment of the clock has come. It looks at the clock at least once a second, because
// the clock may be corrected and the machine may sleep. Decides nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../kernel/randomness.ts'

const MAX_SLEEP_MS = 1000

/** Runs `work`, which moves what `dueAt` returns, else it runs again at once. Ends with the signal. */
export async function runWhenDue(
  clock: Clock,
  dueAt: () => number,
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const waitMs = dueAt() - clock()
    if (waitMs <= 0) await work()
    else
      await sleep(Math.min(waitMs, MAX_SLEEP_MS), undefined, { signal, ref: false }).catch(() => {})
  }
}
