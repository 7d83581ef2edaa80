// The handlers of EHR sessions: show and end. The launches room opens them, because a session may open
// together with its launches. Contract §3.

import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { requireMatch } from '../http/input/conditional.ts'
import { loadSession, sessionBody } from './session-access.ts'
import type { EHR_SESSION } from './session-schema.ts'
import { endSession } from './session-store.ts'

export async function showSession(
  service: HasConfig & HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof EHR_SESSION>> {
  return { status: 200, body: sessionBody(await loadSession(service, call, call.params.id)) }
}

export async function removeSession(
  service: HasConfig & HasDatabase & HasSubscriptions,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  const session = await loadSession(service, call, call.params.id)
  requireMatch(call.ifMatch, sessionBody(session))
  const { id } = session
  const reason = call.person.user.id === session.userId ? 'closed' : 'revoked'
  await endSession(service.db, id, { at: call.now, reason })
  await notifySessionsEnded(service, [id], reason)
  call.log.info({ session: id, reason }, 'EHR session ended')
  return { status: 204 }
}
