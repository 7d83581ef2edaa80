// Warns before a client secret expires: an app whose server still uses it fails at once then. One node a
// day writes a line of the log for each, and an event into the trail of the app's owner; the console
// marks the secret. The vendor's webhooks get an event 14 days, 7 days and one day before. Security K02.

import { insertEventStatement } from '../audit/audit-store.ts'
import { acquireLease } from '../cluster/leases.ts'
import type { HasDatabase } from '../db/database.ts'
import { ALWAYS } from '../db/sql.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import { vendorEventStatement } from '../outbox/vendor-event-store.ts'
import { listExpiringSecrets } from './client-secret-store.ts'

type Parts = HasClock & HasDatabase & HasLog & HasRandomness

const DAY_MS = 24 * 3_600_000
/** The time to make a new secret, to hand it over and to retire the old one. */
export const WARN_BEFORE_MS = 14 * DAY_MS
/** Further secrets are in the console all the same. */
const MAX_WARNINGS = 1000

/** The days before the end at which the vendor gets an event. */
const NOTICE_DAYS = [1, 7, 14] as const

const decideNotice = (leftMs: number): number =>
  NOTICE_DAYS.find((days) => leftMs <= days * DAY_MS) ?? 14

/** Gives how many secrets it warned of; undefined when another node has done it today. */
export async function warnOfExpiringSecrets({
  db,
  clock,
  log,
  randomness,
}: Parts): Promise<number | undefined> {
  const now = clock()
  const lease = { now, leaseExpiresAt: now + DAY_MS, maxLeaseMs: DAY_MS }
  if (!(await acquireLease(db, 'expiring secrets', lease))) return undefined
  const window = { from: now, until: now + WARN_BEFORE_MS }
  const expiring = await listExpiringSecrets(db, window, MAX_WARNINGS)
  for (const { secretId, appId, clientId, accountId, expiresAt, lastUsedAt } of expiring) {
    const facts = {
      expiresAt: rfc3339(expiresAt),
      lastUsedAt: lastUsedAt === undefined ? 'never' : rfc3339(lastUsedAt),
    }
    log.warn({ client: clientId, secret: secretId, ...facts }, 'a client secret expires soon')
    await db.write(
      insertEventStatement({
        id: newId('evt', now, randomness),
        at: now,
        accountId,
        actor: 'service',
        action: 'secretExpiresSoon',
        target: secretId,
        launchId: undefined,
        ip: 'local',
        outcome: 'ok',
        detail: { client: clientId, ...facts },
      }),
      vendorEventStatement(
        {
          ...{ type: 'secret.expiring', appId, at: now },
          once: `${secretId} ${decideNotice(expiresAt - now)}`,
          detail: { secretId, expiresAt: facts.expiresAt },
        },
        ALWAYS,
        randomness,
      ),
    )
  }
  return expiring.length
}
