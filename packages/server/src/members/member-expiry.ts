// Ends memberships whose end has come: EHR sessions, launches and tokens in the account end in the same write, and open
// panels learn of it. Each node looks twice a second; the statement settles which one ends a membership.

import { insertEventStatement } from '../audit/audit-store.ts'
import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasDatabase } from '../db/database.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import { expireMember, listExpiredMembers } from './member-store.ts'

const BATCH = 100

/** Gives how many it found; a full batch means that there are more. */
export async function endExpiredMemberships(
  service: HasClock & HasDatabase & HasRandomness & HasSubscriptions,
): Promise<number> {
  const { db, clock, randomness } = service
  const now = clock()
  const due = await listExpiredMembers(db, now, BATCH)
  for (const member of due) {
    const event = {
      ...{ id: newId('evt', now, randomness), at: now, accountId: member.accountId },
      ...{ actor: 'service', action: 'endMembership', target: member.userId },
      ...({ launchId: undefined, ip: 'local', outcome: 'ok' } as const),
      detail: { at: rfc3339(now) },
    }
    const ended = await expireMember(db, member, now, (isDue) => insertEventStatement(event, isDue))
    await notifySessionsEnded(service, ended, 'revoked')
  }
  return due.length
}

export const EXPIRY = { everyMs: 500, batch: BATCH } as const
