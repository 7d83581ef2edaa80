// Which launches a list is about: what its caller sees and the filters of the request, as SQL conditions on
// a row `l` of launches. The states and outcomes are the rules of launch.ts again; a test compares both.
// Never judges access: launch-list-http.ts does. Contract §3.
import type { LaunchState } from '@chartside/protocol/launch'
import { ALWAYS, list, type Statement, sql } from '../../db/sql.ts'
import { idFloor } from '../../kernel/identifiers.ts'
import { partOf, partOfId } from '../../kernel/partitions.ts'
import type { OwnScope } from '../../kernel/user.ts'
import type { LivenessCutoff } from '../../liveness/liveness.ts'
import { signInIsLive } from '../../liveness/liveness-store.ts'
import type { LaunchOutcome } from '../launch.ts'

/** A caller sees all launches, or the union of the parts that are given. */
export interface LaunchScope {
  readonly isEverything: boolean
  /** Launches of these users, in any practice or in this one. */
  readonly ofUsers?: readonly OwnScope[]
  /** Launches in these practices. */
  readonly practiceIds: readonly string[]
  /** Launches of the apps of these accounts. */
  readonly vendorIds: readonly string[]
  /** The apps of the vendors; undefined when they are too many to be looked at one by one. */
  readonly vendorAppIds: readonly string[] | undefined
}

/** Practices and apps of a scope that are looked at one by one, each in the order of its index. */
export const MAX_BRANCHES = 40

export interface LaunchFilter {
  readonly sessionId?: string | undefined
  readonly appId?: string | undefined
  /** The filter keeps only launches in this practice, of those that the caller sees. */
  readonly practiceId?: string | undefined
  readonly state?: LaunchState | undefined
  readonly outcome?: LaunchOutcome | undefined
  readonly reason?: string | undefined
  /** The filter keeps launches that failed, even those that became ready later. */
  readonly hasFailed?: boolean
  readonly traceId?: string | undefined
  /** The launches created at this time or later, in milliseconds. */
  readonly from?: number | undefined
  /** The launches created before this time, in milliseconds. */
  readonly to?: number | undefined
  readonly cutoff: LivenessCutoff
}

/** Ids have ten characters of time. */
const LAST_TIME = 32 ** 10 - 1
export const floorAt = (at: number, prefix: 'lau' | 'ses' = 'lau') =>
  idFloor(prefix, Math.min(Math.max(at, 0), LAST_TIME))

/** A failure is younger than its launch, but for the clocks of two nodes. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000

/** A sign-in lasts a day at most (CHARTSIDE_SESSION_LIFETIME_SECONDS), and no launch outlives it. */
const MAX_LIVE_MS = 24 * 60 * 60_000 + MAX_CLOCK_DIFFERENCE_MS

/** The states and outcomes of live launches only: those lists read no older part of the table. */
const LIVE: ReadonlySet<string | undefined> = new Set<LaunchState | LaunchOutcome>([
  'opened',
  'authorized',
  'exchanged',
  'opening',
  'ready',
])

const and = (conditions: readonly Statement[]): Statement =>
  conditions.reduce((all, one) => sql`${all} AND ${one}`, ALWAYS)

const IS_INVALIDATED = sql`(l.token_expires_at IS NULL AND l.code_spent_at IS NOT NULL)`
const EXPIRY = sql`COALESCE(l.token_expires_at, l.expires_at)`

const isOver = (cutoff: LivenessCutoff): Statement =>
  sql`(l.ended_at IS NOT NULL OR l.token_revoked_at IS NOT NULL OR ${IS_INVALIDATED}
    OR CASE WHEN ${signInIsLive(cutoff)} THEN 0 ELSE 1 END = 1 OR ${EXPIRY} <= ${cutoff.now})`

/** Its EHR session carries the times of the sign-in. */
const ofSignIn = (condition: Statement): Statement =>
  sql`EXISTS (SELECT 1 FROM ehr_sessions s
    WHERE s.part = l.part AND s.id = l.session_id AND ${condition})`

/** The same rule as decideLaunchState, for a row `l` of launches: the first end counts. */
export function hasState(state: LaunchState, cutoff: LivenessCutoff): Statement {
  const { now, idleSince } = cutoff
  const isExpired = sql`(NOT ${IS_INVALIDATED} AND ${EXPIRY} <= ${now}
    AND COALESCE(l.ended_at, ${EXPIRY} + 1) > ${EXPIRY}
    AND COALESCE(l.token_revoked_at, ${EXPIRY} + 1) > ${EXPIRY}
    AND COALESCE(s.ended_at, ${EXPIRY}) >= ${EXPIRY}
    AND s.expires_at >= ${EXPIRY}
    AND s.last_seen_at + ${now - idleSince} >= ${EXPIRY})`
  switch (state) {
    case 'expired':
      return ofSignIn(isExpired)
    case 'ended':
      return ofSignIn(sql`${isOver(cutoff)} AND NOT ${isExpired}`)
    case 'exchanged':
      return ofSignIn(sql`NOT ${isOver(cutoff)} AND l.token_expires_at IS NOT NULL`)
    case 'authorized':
    case 'opened': {
      const isAuthorized =
        state === 'opened' ? sql`l.authorized_at IS NULL` : sql`l.authorized_at IS NOT NULL`
      return ofSignIn(sql`NOT ${isOver(cutoff)} AND l.token_expires_at IS NULL AND ${isAuthorized}`)
    }
  }
}

/** The same rule as decideLaunchOutcome. `failure_count > 0` is the condition of its indexes. */
export function hasOutcome(outcome: LaunchOutcome, cutoff: LivenessCutoff): Statement {
  const hasNotFailed = sql`(l.context_at IS NOT NULL OR l.failure_count = 0)`
  switch (outcome) {
    case 'failed':
      return sql`l.failure_count > 0 AND l.context_at IS NULL`
    case 'ended':
      return sql`${hasNotFailed} AND ${ofSignIn(isOver(cutoff))}`
    case 'ready':
      return sql`l.context_at IS NOT NULL AND ${ofSignIn(sql`NOT ${isOver(cutoff)}`)}`
    case 'opening':
      return sql`l.context_at IS NULL AND l.failure_count = 0
        AND ${ofSignIn(sql`NOT ${isOver(cutoff)}`)}`
  }
}

/** The outcome of a launch `l` with its EHR session `s` beside it: one look at the session for all. */
export const outcomeColumn = (cutoff: LivenessCutoff): Statement =>
  sql`CASE WHEN ${hasOutcome('failed', cutoff)} THEN 'failed' WHEN ${isOver(cutoff)} THEN 'ended'
    WHEN l.context_at IS NULL THEN 'opening' ELSE 'ready' END`

const hasFailedOnly = ({ hasFailed = false, reason, outcome }: LaunchFilter): boolean =>
  hasFailed || reason !== undefined || outcome === 'failed'

/**
 * Builds the conditions on a row. With `isOfOneApp` the rows come from an index of the app. Else the filter
 * by app hides from the planner, which would read all launches of an app for those of a small practice.
 */
export function filterConditions(filter: LaunchFilter, isOfOneApp: boolean): Statement {
  const { sessionId, appId, state, outcome, reason, traceId, from, to, cutoff } = filter
  const isLive = LIVE.has(state) || LIVE.has(outcome)
  const ofApp = isOfOneApp
    ? sql`l.app_id = ${appId ?? ''}`
    : sql`COALESCE(l.app_id, '') = ${appId ?? ''}`
  return and([
    ...(sessionId === undefined
      ? []
      : [sql`l.session_id = ${sessionId} AND l.part = ${partOfId(sessionId)}`]),
    ...(appId === undefined ? [] : [ofApp]),
    // The condition of the indexes of failed launches, in the order of the list.
    ...(hasFailedOnly(filter) ? [sql`l.failure_count > 0`] : []),
    ...(reason === undefined
      ? []
      : [
          // A count, which PostgreSQL does not turn into a join that begins with every failure.
          sql`(SELECT COUNT(*) FROM launch_failures f WHERE f.part = l.part
            AND f.launch_id = l.id AND f.reason = ${reason}) > 0`,
        ]),
    ...(traceId === undefined
      ? []
      : [
          sql`(l.part, l.id) IN
          (SELECT part, launch_id FROM launch_failures WHERE trace_id = ${traceId})`,
        ]),
    ...(state === undefined ? [] : [hasState(state, cutoff)]),
    ...(outcome === undefined ? [] : [hasOutcome(outcome, cutoff)]),
    ...(isLive ? [sql`l.id >= ${floorAt(cutoff.now - MAX_LIVE_MS)}`] : []),
    ...(from === undefined ? [] : [sql`l.id >= ${floorAt(from)}`]),
    ...(to === undefined ? [] : [sql`l.id < ${floorAt(to)}`]),
  ])
}

const isTooMany = ({ practiceIds, vendorIds, vendorAppIds }: LaunchScope): boolean =>
  practiceIds.length > MAX_BRANCHES || (vendorIds.length > 0 && vendorAppIds === undefined)

/** Whether each branch of the scope gives its launches in the order of the list, and reads no more. */
export const isInOrder = (scope: LaunchScope): boolean => !isTooMany(scope)

/**
 * Builds one condition for each branch of the scope, with the filter. A branch walks one index in the order
 * of the list: of the table, of a practice, of an app. A session is older than its launches by a day at most,
 * so a list that begins at `from` reads no older sessions.
 */
export function branchConditions(scope: LaunchScope, filter: LaunchFilter): Statement[] {
  const { isEverything, ofUsers = [], practiceIds } = scope
  if (filter.practiceId !== undefined) return inPractice(scope, filter, filter.practiceId)
  const wanted = filterConditions(filter, isEverything)
  if (isEverything) return [wanted]
  const others = ofUsers.filter(({ accountId }) => !practiceIds.includes(accountId ?? ''))
  const ofPeople = others.map((one) => ofPerson(one, filter))
  const branches = [...ofPeople, ...ofPractices(practiceIds, filter)].map(
    (isVisible) => sql`${isVisible} AND ${wanted}`,
  )
  const ofVendors = scope.vendorIds.length > 0 ? ofApps(scope, filter) : []
  return [...branches, ...ofVendors]
}

/** Walks the launches of the practice, and looks at each whether the caller sees it. */
function inPractice(scope: LaunchScope, filter: LaunchFilter, practiceId: string): Statement[] {
  const { isEverything, ofUsers = [], practiceIds, vendorIds } = scope
  const isOfUser = ofUsers
    .filter(
      ({ accountId, closedTo }) =>
        [undefined, practiceId].includes(accountId) && !closedTo?.includes(practiceId),
    )
    .map(({ userId }) => ofSignIn(sql`s.user_id = ${userId}`))
  // Hidden from the planner, which would read all launches of the apps.
  const isOfVendor =
    vendorIds.length === 0
      ? []
      : [
          sql`COALESCE(l.app_id, '') IN
          (SELECT id FROM apps WHERE account_id IN (${list(vendorIds)}))`,
        ]
  const [first, ...others] = [...isOfUser, ...isOfVendor]
  const isAll = isEverything || practiceIds.includes(practiceId)
  if (!isAll && first === undefined) return []
  const isVisible =
    isAll || first === undefined
      ? ALWAYS
      : others.reduce((all, one) => sql`${all} OR ${one}`, first)
  const wanted = filterConditions(filter, false)
  return ofPractices([practiceId], filter).map(
    (isThere) => sql`${isThere} AND (${isVisible}) AND ${wanted}`,
  )
}

const isRecent = ({ from }: LaunchFilter): Statement =>
  from === undefined ? ALWAYS : sql`id >= ${floorAt(from - MAX_LIVE_MS, 'ses')}`

function ofPerson({ userId, accountId, closedTo = [] }: OwnScope, filter: LaunchFilter) {
  const inPractice =
    accountId === undefined
      ? ALWAYS
      : sql`part = ${partOf(accountId)} AND account_id = ${accountId}`
  const isOpen = closedTo.length === 0 ? ALWAYS : sql`account_id NOT IN (${list(closedTo)})`
  return sql`(l.part, l.session_id) IN (SELECT part, id FROM ehr_sessions
    WHERE user_id = ${userId} AND ${inPractice} AND ${isOpen} AND ${isRecent(filter)})`
}

function ofPractices(ids: readonly string[], filter: LaunchFilter): Statement[] {
  if (ids.length > MAX_BRANCHES) {
    const parts = list(ids.map(partOf))
    return [
      sql`l.part IN (${parts}) AND (l.part, l.session_id) IN
        (SELECT part, id FROM ehr_sessions WHERE part IN (${parts})
          AND account_id IN (${list(ids)}) AND ${isRecent(filter)})`,
    ]
  }
  // The expression of the index launches_by_part; failed launches have one of their own.
  const ofPart = (part: number) => (hasFailedOnly(filter) ? ALWAYS : sql`l.part + 0 = ${part}`)
  const ofPractice = (id: string) => sql`l.part = ${partOf(id)} AND ${ofPart(partOf(id))}
    AND EXISTS (SELECT 1 FROM ehr_sessions s
      WHERE s.part = l.part AND s.id = l.session_id AND s.account_id = ${id})`
  return ids.map(ofPractice)
}

function ofApps({ vendorIds, vendorAppIds }: LaunchScope, filter: LaunchFilter): Statement[] {
  const isOfVendor = sql`(SELECT id FROM apps WHERE account_id IN (${list(vendorIds)}))`
  const { appId } = filter
  if (appId !== undefined) {
    const wanted = filterConditions(filter, true)
    return [sql`${wanted} AND CAST(${appId} AS TEXT) IN ${isOfVendor}`]
  }
  const wanted = filterConditions(filter, false)
  if (vendorAppIds === undefined) return [sql`l.app_id IN ${isOfVendor} AND ${wanted}`]
  return vendorAppIds.map((id) => sql`l.app_id = ${id} AND ${wanted}`)
}
