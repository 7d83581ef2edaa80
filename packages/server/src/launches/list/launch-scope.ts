// Which launches a caller sees, by role, and the filters that a list takes. A person sees their own launches,
// an administrator those of the practice, a developer those of the account's apps, the platform all of them.
// Reads what the decision needs; answers nothing. Contract §3.
import { isAccountStored, listAppIds } from '../../apps/app-store.ts'
import type { HasConfig } from '../../config/config.ts'
import type { Database, HasDatabase } from '../../db/database.ts'
import type { PersonCall } from '../../http/call.ts'
import { parseTimeQuery } from '../../http/input/time-query.ts'
import { ApiError, notFound } from '../../kernel/errors.ts'
import {
  isAllowed,
  listAskedAccounts,
  type OwnScope,
  ownScopeOf,
  type Person,
} from '../../kernel/user.ts'
import { livenessCutoff } from '../../liveness/liveness.ts'
import { loadSession } from '../../sessions/session-access.ts'
import { LAUNCH_OUTCOMES, LAUNCH_STATES } from '../launch-schema.ts'
import { type LaunchFilter, type LaunchScope, MAX_BRANCHES } from './launch-filter-store.ts'
import { isSessionInScope } from './launch-list-store.ts'

/** @throws ApiError invalid_request for a time that is none */
export function parseFilter(
  { config }: HasConfig,
  { query, now }: Pick<PersonCall, 'query' | 'now'>,
): LaunchFilter {
  const { sessionId, appId, practiceId, state, outcome, reason, traceId } = query
  return {
    sessionId,
    appId,
    practiceId,
    state: LAUNCH_STATES.find((known) => known === state),
    outcome: LAUNCH_OUTCOMES.find((known) => known === outcome),
    reason,
    traceId,
    from: parseTimeQuery(query, 'from'),
    to: parseTimeQuery(query, 'to'),
    cutoff: livenessCutoff(now, config.sessionIdleSeconds),
  }
}

/** Loads what the caller sees of the list. @throws ApiError 404 for a foreign account or session */
export async function loadScope(
  service: HasConfig & HasDatabase,
  call: PersonCall,
  { sessionId }: LaunchFilter,
): Promise<LaunchScope> {
  const { accountId } = call.query
  if (accountId !== undefined) await requireAccount(service.db, call.person, accountId)
  const scope = await withApps(service.db, decideScope(call.person, call.query))
  if (sessionId === undefined || (await isSessionInScope(service.db, scope, sessionId))) {
    return scope
  }
  // An own session in which nothing was launched yet.
  await loadSession(service, { ...call, permission: 'own' }, sessionId)
  return scope
}

async function requireAccount(db: Database, person: Person, accountId: string): Promise<void> {
  const isStored = await isAccountStored(db, accountId)
  if (!isStored || !isAllowed(person, accountId, 'read')) throw notFound('account')
}

/**
 * Decides by the roles of a person, the account to which they limit the list, and the user whose launches they want.
 * @throws ApiError not_allowed
 */
function decideScope(person: Person, { accountId, userId }: PersonCall['query']): LaunchScope {
  const { user } = person
  const ids = listAskedAccounts(person, accountId)
  if (userId !== undefined) return scopeOfUser(person, { userId, accountId }, ids)
  return {
    isEverything: user.role === 'admin' && accountId === undefined,
    ofUsers: [ownScopeOf(person, accountId)],
    practiceIds: ids.filter((id) => isAllowed(person, id, 'run')),
    vendorIds: ids.filter((id) => isAllowed(person, id, 'develop')),
    vendorAppIds: undefined,
  }
}

/**
 * The launches of one user: the own, or those in practices of the person. Who only develops apps is refused,
 * whether there is such a user or not: a vendor sees no person. @throws ApiError not_allowed
 */
function scopeOfUser(
  person: Person,
  { userId, accountId }: Pick<OwnScope, 'userId' | 'accountId'>,
  ids: readonly string[],
): LaunchScope {
  const isOwn = person.user.id === userId
  const isAny = person.user.role === 'admin' || isOwn
  const practices = ids.filter((id) => isAllowed(person, id, 'run'))
  if (!isAny && practices.length === 0) {
    throw new ApiError(
      'not_allowed',
      'Only administrators of a practice look up the launches of another user, in their practice.',
      [{ field: 'userId', message: 'Leave it out, or ask an administrator of the practice.' }],
    )
  }
  const asked = isOwn ? ownScopeOf(person, accountId) : { userId, accountId }
  return {
    isEverything: false,
    ofUsers: isAny ? [asked] : practices.map((id) => ({ userId, accountId: id })),
    ...{ practiceIds: [], vendorIds: [], vendorAppIds: undefined },
  }
}

/** Adds the apps of its vendors, unless they are too many. */
async function withApps(db: Database, scope: LaunchScope): Promise<LaunchScope> {
  if (scope.isEverything || scope.vendorIds.length === 0) return scope
  const ids = await listAppIds(db, scope.vendorIds, MAX_BRANCHES + 1)
  return { ...scope, vendorAppIds: ids.length > MAX_BRANCHES ? undefined : ids }
}
