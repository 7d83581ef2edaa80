// Notices that the launches of an app fail: more than a tenth of those that became ready or failed in fifteen minutes.
// One node a minute looks at the apps of accounts with a webhook; an app has one event an hour. Decision 74.
import { acquireLease } from '../cluster/leases.ts'
import type { HasDatabase } from '../db/database.ts'
import { ALWAYS } from '../db/sql.ts'
import { idFloor } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import { vendorEventStatement } from '../outbox/vendor-event-store.ts'
import { FAILING, isFailing } from './webhook.ts'
import { countLaunches, listWatchedApps } from './webhook-store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const MAX_APPS = 2000

/** Gives how many apps it found failing; undefined when another node looks. */
export async function noticeFailingLaunches({
  db,
  clock,
  randomness,
}: HasClock & HasDatabase & HasRandomness): Promise<number | undefined> {
  const now = clock()
  const lease = { now, leaseExpiresAt: now + MINUTE_MS, maxLeaseMs: MINUTE_MS }
  if (!(await acquireLease(db, 'failing launches', lease))) return undefined
  const from = now - FAILING.windowMs
  let found = 0
  for (const appId of await listWatchedApps(db, now - HOUR_MS, MAX_APPS)) {
    const { ready, failed } = await countLaunches(db, appId, idFloor('lau', from))
    if (!isFailing(ready, failed)) continue
    found += 1
    const detail = { failed, launches: ready + failed, from: rfc3339(from) }
    const event = { type: 'launches.failing', appId, at: now, once: String(now), detail } as const
    await db.write(vendorEventStatement(event, ALWAYS, randomness))
  }
  return found
}
