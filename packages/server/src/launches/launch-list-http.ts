// The handlers of lists of launches: decides which launches a caller sees by role, parses the
// filters, and answers pages and causes. A person sees their own launches, an administrator those of
// the practice, a developer those of the account's apps, the platform all. Contract §3.
import type { HasApps } from '../apps/app-directory.ts'
import { isAccountStored, listAppIds } from '../apps/app-store.ts'
import type { HasConfig } from '../config/config.ts'
import type { Database, HasDatabase } from '../db/database.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { buildPage, newestOf, parsePage } from '../http/input/pagination.ts'
import { parseTimeQuery } from '../http/input/time-query.ts'
import { notFound } from '../kernel/errors.ts'
import { hashBearer, isSameHash, parseBearer } from '../kernel/identifiers.ts'
import { explainReason } from '../kernel/reasons.ts'
import { rfc3339 } from '../kernel/time.ts'
import { isAllowed, type Person } from '../kernel/user.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import { loadSession } from '../sessions/session-access.ts'
import type { Launch } from './launch.ts'
import { type LaunchFilter, type LaunchScope, MAX_BRANCHES } from './launch-filter-store.ts'
import {
  countFailed,
  isSessionInScope,
  type LaunchCause,
  listCauses,
  listLaunches,
  MAX_FAILED,
} from './launch-list-store.ts'
import {
  type CAUSES,
  type LAUNCH_CAUSE,
  LAUNCH_OUTCOMES,
  LAUNCH_STATES,
  type LAUNCHES,
} from './launch-schema.ts'
import { findLaunch } from './launch-store.ts'
import { loadLaunchViews } from './launches-http.ts'

type Parts = HasApps & HasConfig & HasDatabase

export async function listLaunchesOf(
  service: Parts,
  call: PersonCall,
): Promise<Answer<200, typeof LAUNCHES>> {
  const page = parsePage(call.query, { of: ['lau'], start: newestOf('lau') })
  const { launch_id: launchId } = call.query
  const filter = parseFilter(service, call)
  const scope = await loadScope(service, call, filter)
  const found =
    launchId === undefined
      ? await listLaunches(service.db, scope, filter, { ...page, limit: page.limit + 1 })
      : await findLaunchByLaunchId(service.db, launchId)
  const views = await loadLaunchViews(service, found, call)
  return { status: 200, body: buildPage(views, page, (view) => view) }
}

/** Without `from`, so that the statement reads a bounded part of the table. */
const CAUSES_WINDOW_MS = 7 * 24 * 60 * 60_000

export async function listCausesOf(
  service: Parts,
  call: PersonCall,
): Promise<Answer<200, typeof CAUSES>> {
  const asked = parseFilter(service, call)
  const filter = { ...asked, from: asked.from ?? (asked.to ?? call.now) - CAUSES_WINDOW_MS }
  const scope = await loadScope(service, call, filter)
  const failed = await countFailed(service.db, scope, filter)
  const causes = failed === 0 ? [] : await listCauses(service.db, scope, filter)
  return {
    status: 200,
    body: {
      items: await causeBodies(service, causes),
      launches: Math.min(failed, MAX_FAILED),
      isCapped: failed > MAX_FAILED,
    },
  }
}

export const causeBodies = (
  service: HasApps,
  causes: readonly LaunchCause[],
): Promise<PayloadOf<typeof LAUNCH_CAUSE>[]> =>
  Promise.all(
    causes.map(async ({ appId, firstAt, lastAt, ...cause }) => {
      const name = (await service.apps.findApp(appId))?.name ?? 'a deleted app'
      const times = { firstAt: rfc3339(firstAt), lastAt: rfc3339(lastAt) }
      const { cause: words } = explainReason(cause.reason)
      return { ...cause, cause: words, app: { id: appId, name }, ...times }
    }),
  )

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

/** What the caller sees of what is asked for. @throws ApiError 404 for a foreign account or session */
export async function loadScope(
  service: HasConfig & HasDatabase,
  call: PersonCall,
  { sessionId }: LaunchFilter,
): Promise<LaunchScope> {
  const { accountId } = call.query
  if (accountId !== undefined) await requireAccount(service.db, call.person, accountId)
  const scope = await withApps(service.db, decideScope(call.person, accountId))
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

/** Pure: the roles of a person, and the account to which they limit the list. */
function decideScope(person: Person, accountId: string | undefined): LaunchScope {
  const { user, memberships } = person
  const ids = accountId === undefined ? memberships.map(({ account }) => account.id) : [accountId]
  return {
    isEverything: user.role === 'admin' && accountId === undefined,
    own: { userId: user.id, accountId },
    practiceIds: ids.filter((id) => isAllowed(person, id, 'run')),
    vendorIds: ids.filter((id) => isAllowed(person, id, 'develop')),
    vendorAppIds: undefined,
  }
}

/** With the apps of its vendors, unless they are too many. */
async function withApps(db: Database, scope: LaunchScope): Promise<LaunchScope> {
  if (scope.isEverything || scope.vendorIds.length === 0) return scope
  const ids = await listAppIds(db, scope.vendorIds, MAX_BRANCHES + 1)
  return { ...scope, vendorAppIds: ids.length > MAX_BRANCHES ? undefined : ids }
}

/** The launch_id is a bearer value: its holder may read the launch. */
async function findLaunchByLaunchId(db: Database, launchId: string): Promise<Launch[]> {
  const id = parseBearer('lnch', 'lau', launchId)
  const launch = id && (await findLaunch(db, id))
  return launch && isSameHash(launch.launchHash, hashBearer(launchId)) ? [launch] : []
}
