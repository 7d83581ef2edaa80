// The handler by which a host reports that its user is active, with keys or pointer: it moves the end
// of the sign-in. Calls of apps and calls that a host makes by itself move nothing. Contract §3.

import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { notFound } from '../kernel/errors.ts'
import { livenessCutoff, recordActivityBefore } from '../liveness/liveness.ts'
import { loadSession, plannedEndBody, sessionEnded } from './session-access.ts'
import type { PLANNED_END } from './session-schema.ts'
import { listLiveSessions, updateActivity } from './session-store.ts'

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
