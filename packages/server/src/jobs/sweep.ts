// Removes rows whose retention is over, without a leader: whichever node finds the sweep due takes
// it for some seconds, removes small batches with long pauses, and gives it back. The pauses are a
// multiple of what a batch took, so that the sweep has a fixed small share of the database however
// much there is to remove, and yields when the database is busy.
import { acquireLease, updateLeaseExpiry } from '../cluster/leases.ts'
import type { Service } from '../service.ts'
import { deleteBatch, SWEPT, type SweptTable } from './sweep-store.ts'

export const SWEEP = {
  batch: 250,
  /** How long one node keeps the duty. */
  stintMs: 5000,
  /** When that node dies, another may go on after this. */
  heldMs: 15_000,
  /** When everything is removed, the next look is so much later. */
  restMs: 10 * 60_000,
  /** A batch takes at most one part in so many of the time. */
  share: 15,
  leastPauseMs: 10,
} as const

const HOUR_MS = 3_600_000

export type Swept = Readonly<Record<SweptTable, number>>

export interface SweepOptions {
  readonly pause: (ms: number) => Promise<unknown>
  readonly signal?: AbortSignal
  readonly batch?: number
  readonly stintMs?: number
}

/** One node's stint. Undefined when the duty is not due or another node has it. */
export async function sweep(
  { db, clock, config }: Pick<Service, 'db' | 'clock' | 'config'>,
  { pause, signal, batch = SWEEP.batch, stintMs = SWEEP.stintMs }: SweepOptions,
): Promise<{ removed: Swept; isDone: boolean } | undefined> {
  const begun = clock()
  const claim = { now: begun, leaseExpiresAt: begun + SWEEP.heldMs, longestMs: SWEEP.restMs }
  if (!(await acquireLease(db, 'sweep', claim))) return undefined
  const removed = { launches: 0, launch_failures: 0, ehr_sessions: 0, sign_ins: 0 }
  const isOver = () => signal?.aborted || Math.abs(clock() - begun) >= stintMs
  let isDone = true
  for (const table of SWEPT) {
    let after = ''
    for (let isMore = true; isMore; ) {
      if (isOver()) {
        isDone = false
        break
      }
      const now = clock()
      const madeBefore = now - config.retentionHours * HOUR_MS
      const gone = await deleteBatch(db, table, { after, madeBefore, limit: batch, now })
      removed[table] += gone.removed
      after = gone.last
      isMore = gone.removed === batch
      if (isMore) await pause(Math.max(SWEEP.leastPauseMs, (clock() - now) * SWEEP.share))
    }
    // What refers to a row must be gone before it is looked at.
    if (!isDone) break
  }
  await updateLeaseExpiry(db, 'sweep', clock() + (isDone ? SWEEP.restMs : 0))
  return { removed, isDone }
}
