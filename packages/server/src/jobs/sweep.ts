// Deletes rows whose retention is over, without a leader: a node that finds the sweep due acquires its
// lease for some seconds, deletes small batches with long pauses, and releases the lease. A pause is a
// multiple of the duration of its batch, so that the sweep uses a fixed small share of the database
// and yields when the database is busy.

import { acquireLease, updateLeaseExpiry } from '../cluster/leases.ts'
import { recordOccurrenceStatement } from '../cluster/occurrence-store.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasClock } from '../kernel/randomness.ts'
import { deleteBatch, SWEPT, type SweptTable } from './sweep-store.ts'

export const SWEEP = {
  batch: 250,
  /** One node sweeps for this time before it releases the lease. */
  runMs: 5000,
  /** Another node continues after this time when that node dies. */
  leaseMs: 15_000,
  /** The next sweep starts after this time when all expired rows are deleted. */
  intervalMs: 10 * 60_000,
  /** A pause is this multiple of the duration of its batch. */
  pauseFactor: 15,
  minPauseMs: 10,
} as const

const HOUR_MS = 3_600_000

export type Swept = Readonly<Record<SweptTable, number>>

export interface SweepOptions {
  readonly pause: (ms: number) => Promise<unknown>
  readonly signal?: AbortSignal
  readonly batch?: number
  readonly runMs?: number
}

/** Makes one run on one node. Returns undefined when the sweep is not due or another node has the lease. */
export async function sweep(
  { db, clock, config }: HasClock & HasConfig & HasDatabase,
  { pause, signal, batch = SWEEP.batch, runMs = SWEEP.runMs }: SweepOptions,
): Promise<{ removed: Swept; isDone: boolean } | undefined> {
  const startedAt = clock()
  const lease = {
    now: startedAt,
    leaseExpiresAt: startedAt + SWEEP.leaseMs,
    maxLeaseMs: SWEEP.intervalMs,
  }
  if (!(await acquireLease(db, 'sweep', lease))) return undefined
  const removed = Object.fromEntries(SWEPT.map((table) => [table, 0])) as Record<SweptTable, number>
  const mustStop = () => signal?.aborted || Math.abs(clock() - startedAt) >= runMs
  let isDone = true
  for (const table of SWEPT) {
    let after = ''
    for (let isMore = true; isMore; ) {
      if (mustStop()) {
        isDone = false
        break
      }
      const now = clock()
      const createdBefore = now - config.retentionHours * HOUR_MS
      const deleted = await deleteBatch(db, table, { after, createdBefore, limit: batch, now })
      removed[table] += deleted.removed
      after = deleted.last
      isMore = deleted.removed === batch
      if (isMore) await pause(Math.max(SWEEP.minPauseMs, (clock() - now) * SWEEP.pauseFactor))
    }
    // Rows that refer to the next table must be deleted before it.
    if (!isDone) break
  }
  if (isDone) await db.write(recordOccurrenceStatement('sweep', clock()))
  await updateLeaseExpiry(db, 'sweep', clock() + (isDone ? SWEEP.intervalMs : 0))
  return { removed, isDone }
}
