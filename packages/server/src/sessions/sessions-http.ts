// The handlers of EHR sessions: show, end, and the activity that a host reports. The launches room opens
// sessions, because one may open together with its launches. Contract §3.

import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { requireMatch } from '../http/input/conditional.ts'
import { notFound } from '../kernel/errors.ts'
import { livenessCutoff, recordActivityBefore } from '../liveness/liveness.ts'
import { loadSession, plannedEndBody, sessionBody, sessionEnded } from './session-access.ts'
import type { EHR_SESSION, PLANNED_END } from './session-schema.ts'
import { endSession, listLiveSessions, updateActivity } from './session-store.ts'

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

export async function reportActivity(
  service: HasConfig & HasDatabase & HasSubscriptions,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof PLANNED_END>> {
  const { config, db, subscriptions } = service
  const before = await loadSession(service, call, call.params.id)
  // A user may have many sign-ins; who holds the token of one keeps no other alive.
  if (before.signInId !== call.person.signInId) throw notFound('EHR session')
  if (before.ended) throw sessionEnded()
  const cutoff = livenessCutoff(call.now, config.sessionIdleSeconds)
  await updateActivity(
    db,
    before,
    cutoff,
    recordActivityBefore(call.now, config.sessionIdleSeconds),
  )
  const session = await loadSession(service, call, before.id)
  if (session.ended) throw sessionEnded()
  // Streams that have warned send the new end.
  if (before.plannedEnd.warnAt <= call.now && session.plannedEnd.at !== before.plannedEnd.at) {
    const sessions = await listLiveSessions(db, session.signInId)
    for (const id of sessions) void subscriptions.notify(id, { check: true })
  }
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: plannedEndBody(session.plannedEnd),
  }
}
