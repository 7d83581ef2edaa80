// Loads an EHR session for a caller who may see it, and builds its payload. The handlers of sessions
// and of launches use it. Never changes a session. Contract §3.
import type { PayloadOf, PersonCall } from '../http/route.ts'
import { requireAccess } from '../kernel/access.ts'
import { rfc3339 } from '../kernel/time.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { Service } from '../service.ts'
import type { EhrSession } from './session.ts'
import type { EHR_SESSION } from './session-schema.ts'
import { findSession } from './session-store.ts'

/** The session with this id, when the caller has the permission of the route. @throws ApiError 404 */
export async function loadSession(
  service: Pick<Service, 'config' | 'db'>,
  call: Pick<PersonCall, 'person' | 'permission' | 'now'>,
  id: string,
): Promise<EhrSession> {
  const cutoff = livenessCutoff(call.now, service.config.sessionIdleSeconds)
  const session = await findSession(service.db, id, cutoff)
  return requireAccess(call, 'EHR session', session, { userId: session?.userId ?? '' })
}

export const sessionBody = (session: EhrSession): PayloadOf<typeof EHR_SESSION> => ({
  id: session.id,
  userId: session.userId,
  account: session.account,
  ehrType: session.ehrType,
  deviceId: session.deviceId,
  state: session.isLive ? 'live' : 'ended',
  collection: session.collection ?? null,
  ehr: session.ehr ?? null,
  apps: session.apps,
  createdAt: rfc3339(session.createdAt),
})
