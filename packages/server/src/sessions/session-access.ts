// Loads an EHR session for a caller who may see it, and builds its payload. The handlers of sessions
// and of launches use it. Never changes a session. Contract §3.
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { PayloadOf, PersonCall } from '../http/call.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import { rfc3339 } from '../kernel/time.ts'
import { type End, livenessCutoff, type PlannedEnd } from '../liveness/liveness.ts'
import type { EhrSession, FoundSession } from './session.ts'
import type { EHR_SESSION, END, PLANNED_END } from './session-schema.ts'
import { findSession } from './session-store.ts'

/** The session with this id, when the caller has the permission of the route. @throws ApiError 404 */
export async function loadSession(
  service: HasConfig & HasDatabase,
  call: Pick<PersonCall, 'person' | 'permission' | 'now'>,
  id: string,
): Promise<FoundSession> {
  const cutoff = livenessCutoff(call.now, service.config.sessionIdleSeconds)
  return requireSession(call, await findSession(service.db, id, cutoff))
}

/** @throws ApiError 404, also for a session that the caller may not see */
export const requireSession = (
  call: Pick<PersonCall, 'person' | 'permission' | 'now'>,
  session: FoundSession | undefined,
): FoundSession =>
  requireAccess(call, 'EHR session', session, {
    userId: session?.userId ?? '',
    accountId: session?.account.id ?? '',
  })

export const sessionBody = (session: EhrSession): PayloadOf<typeof EHR_SESSION> => ({
  id: session.id,
  userId: session.userId,
  account: session.account,
  ehrType: session.ehrType,
  deviceId: session.deviceId,
  state: session.ended ? 'ended' : 'live',
  collection: session.collection ?? null,
  ehr: session.ehr ?? null,
  apps: session.apps,
  createdAt: rfc3339(session.createdAt),
  ...(session.ended ? { ended: endBody(session.ended) } : {}),
})

export const plannedEndBody = ({ at, reason }: PlannedEnd): PayloadOf<typeof PLANNED_END> => ({
  endsAt: rfc3339(at),
  reason,
})

export const sessionEnded = () =>
  new ApiError('session_ended', 'Open a new EHR session; the provider may have to sign in again.')

export const endBody = ({ at, reason }: End): PayloadOf<typeof END> => ({
  at: rfc3339(at),
  reason,
})
