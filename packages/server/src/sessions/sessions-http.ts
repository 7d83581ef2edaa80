// The handlers of EHR sessions: list, show and end. The launches room opens them, because a session may open
// together with its launches. Contract §3.
import { requireMatch } from '../http/input/conditional.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import type { Answer, PersonCall } from '../http/route.ts'
import { notifySessionsEnded } from '../liveness/end-notification.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { Service } from '../service.ts'
import { loadSession, sessionBody } from './session-access.ts'
import type { EHR_SESSION, EHR_SESSIONS } from './session-schema.ts'
import { endSession, listSessions } from './session-store.ts'

/** Those of the sign-in that asks: a client compares them with what it hosts, and ends the others. */
export async function listOwnSessions(
  service: Pick<Service, 'config' | 'db'>,
  call: PersonCall,
): Promise<Answer<200, typeof EHR_SESSIONS>> {
  const page = parsePage(call.query)
  const cutoff = livenessCutoff(call.now, service.config.sessionIdleSeconds)
  const { signInId } = call.person
  const found = await listSessions(service.db, signInId, cutoff, { ...page, limit: page.limit + 1 })
  return { status: 200, body: buildPage(found, page, sessionBody) }
}

export async function showSession(
  service: Pick<Service, 'config' | 'db'>,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof EHR_SESSION>> {
  return { status: 200, body: sessionBody(await loadSession(service, call, call.params.id)) }
}

export async function removeSession(
  service: Pick<Service, 'config' | 'db' | 'subscriptions'>,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  const session = await loadSession(service, call, call.params.id)
  requireMatch(call.ifMatch, sessionBody(session))
  const { id } = session
  await endSession(service.db, id, call.now)
  await notifySessionsEnded(service, [id], 'closed')
  call.log.info({ session: id }, 'EHR session ended')
  return { status: 204 }
}
