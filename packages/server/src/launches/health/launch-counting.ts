// The job that counts launches by five minutes, practice and app. One node a minute counts the last hour again, since
// a launch becomes ready or fails after its creation; what is missing before that, it counts too. Decision 78.
import { deleteRefusedSignInsStatement } from '../../audit/refused-sign-in-store.ts'
import { acquireLease } from '../../cluster/leases.ts'
import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { HasClock } from '../../kernel/randomness.ts'
import {
  deleteCountsStatement,
  findNewestCount,
  SLOT_MS,
  writeCountsStatements,
} from './launch-count-store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The time covers two weeks and the weeks that they are compared with. */
const KEPT_MS = 35 * DAY_MS

const floor = (at: number) => at - (at % SLOT_MS)

/** Returns false when another node counts. */
export async function countLaunchesByTime({
  db,
  clock,
  config,
}: HasClock & HasConfig & HasDatabase): Promise<boolean> {
  const now = clock()
  const lease = { now, leaseExpiresAt: now + MINUTE_MS, maxLeaseMs: MINUTE_MS }
  if (!(await acquireLease(db, 'launch counts', lease))) return false
  const newest = await findNewestCount(db)
  // Launches are deleted after the retention, and their counts stay.
  const oldest = now - config.retentionHours * HOUR_MS + SLOT_MS
  const resumed = Math.min(newest ?? oldest, now) - HOUR_MS
  const end = floor(now) + SLOT_MS
  for (let from = floor(Math.max(resumed, oldest)); from < end; from += DAY_MS) {
    await db.write(...writeCountsStatements(from, Math.min(from + DAY_MS, end)))
  }
  const before = now - KEPT_MS
  await db.write(deleteCountsStatement(before), deleteRefusedSignInsStatement(before))
  return true
}
