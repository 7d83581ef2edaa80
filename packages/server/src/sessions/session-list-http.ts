// The handler of the list of EHR sessions: a person sees their own, an administrator those of the practice,
// the platform all. Who only develops apps sees no session of another person. Contract §3.

import { isAccountStored } from '../apps/app-store.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { buildPage, newestOf, parsePage, sayHidden } from '../http/input/pagination.ts'
import { notFound } from '../kernel/errors.ts'
import { rfc3339 } from '../kernel/time.ts'
import {
  hidesOthers,
  isAllowed,
  listAskedAccounts,
  ownScopeOf,
  type Person,
} from '../kernel/user.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { ListedSession } from './session.ts'
import { endBody } from './session-access.ts'
import { listSessions, type SessionScope } from './session-list-store.ts'
import { type LISTED_SESSION, type LISTED_SESSIONS, SESSION_STATES } from './session-schema.ts'

export async function listSessionsOf(
  service: HasConfig & HasDatabase,
  call: PersonCall,
): Promise<Answer<200, typeof LISTED_SESSIONS>> {
  const { person, query, now } = call
  const { accountId } = query
  if (accountId !== undefined) {
    const isStored = await isAccountStored(service.db, accountId)
    if (!isStored || !isAllowed(person, accountId, 'read')) throw notFound('account')
  }
  const page = parsePage(query, { of: ['ses'], start: newestOf('ses') })
  const state = SESSION_STATES.find((known) => known === query.state)
  // A client compares those of its own sign-in with what it hosts, and ends the others.
  const signInId = query.signIn === 'this' ? person.signInId : undefined
  const filter = { state, signInId, cutoff: livenessCutoff(now, service.config.sessionIdleSeconds) }
  const scope = decideScope(person, accountId)
  const found = await listSessions(service.db, scope, filter, { ...page, limit: page.limit + 1 })
  const isHidden = hidesOthers(person, listAskedAccounts(person, accountId))
  return { status: 200, body: sayHidden(buildPage(found, page, listedBody), query, isHidden) }
}

/** Decides the scope by the roles of a person, and the account to which they limit the list. Pure. */
function decideScope(person: Person, accountId: string | undefined): SessionScope {
  const { user } = person
  const ids = listAskedAccounts(person, accountId)
  return {
    isEverything: user.role === 'admin' && accountId === undefined,
    own: ownScopeOf(person, accountId),
    practiceIds: ids.filter((id) => isAllowed(person, id, 'run')),
  }
}

const listedBody = (session: ListedSession): PayloadOf<typeof LISTED_SESSION> => ({
  id: session.id,
  userId: session.userId,
  userName: session.userName,
  account: session.account,
  ehrType: session.ehrType,
  deviceId: session.deviceId,
  state: session.ended ? 'ended' : 'live',
  collection: session.collection ?? null,
  launchCount: session.launchCount,
  createdAt: rfc3339(session.createdAt),
  lastSeenAt: rfc3339(session.lastSeenAt),
  ...(session.ended ? { ended: endBody(session.ended) } : {}),
})
