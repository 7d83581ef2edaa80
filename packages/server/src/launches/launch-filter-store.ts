// Which launches a list is about: what its caller sees and the filters of the request, as SQL conditions on
// a row `l` of launches. The states and outcomes are the rules of launch.ts again; a test compares both.
// Never judges access: launch-list-http.ts does. Contract §3.
import type { LaunchState } from '@chartside/protocol/launch'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import { idFloor } from '../kernel/identifiers.ts'
import { NO_PART, partOf, partOfId } from '../kernel/partitions.ts'
import type { LivenessCutoff } from '../liveness/liveness.ts'
import { signInIsLive } from '../liveness/liveness-store.ts'
import type { LaunchOutcome } from './launch.ts'

/** What a caller sees: all launches, or the union of the parts that are given. */
export interface LaunchScope {
  readonly isEverything: boolean
  /** Launches of this person, in any practice or in these. */
  readonly own?: { readonly userId: string; readonly accountId: string | undefined }
  /** Launches in these practices. */
  readonly practiceIds: readonly string[]
  /** Launches of the apps of these accounts. */
  readonly vendorIds: readonly string[]
}

export interface LaunchFilter {
  readonly sessionId: string | undefined
  readonly appId: string | undefined
  readonly state: LaunchState | undefined
  readonly outcome: LaunchOutcome | undefined
  readonly reason: string | undefined
  readonly traceId: string | undefined
  /** Milliseconds; launches created at this time or later. */
  readonly from: number | undefined
  /** Milliseconds; launches created before this time. */
  readonly to: number | undefined
  readonly cutoff: LivenessCutoff
}

/** Ids have ten characters of time. */
const LAST_TIME = 32 ** 10 - 1
export const floorAt = (at: number, prefix: 'lau' | 'evt' | 'ses' = 'lau') =>
  idFloor(prefix, Math.min(Math.max(at, 0), LAST_TIME))

/** A failure is younger than its launch, but for the clocks of two nodes. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000

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

/** Its EHR session carries the times of the sign-in; that of an earlier version has none. */
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
    AND COALESCE(s.expires_at, s.created_at) >= ${EXPIRY}
    AND COALESCE(s.last_seen_at, s.created_at) + ${now - idleSince} >= ${EXPIRY})`
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
  const hasNotFailed = sql`(l.context_at IS NOT NULL OR COALESCE(l.failure_count, 0) = 0)`
  switch (outcome) {
    case 'failed':
      return sql`l.failure_count > 0 AND l.context_at IS NULL`
    case 'ended':
      return sql`${hasNotFailed} AND ${ofSignIn(isOver(cutoff))}`
    case 'ready':
      return sql`l.context_at IS NOT NULL AND ${ofSignIn(sql`NOT ${isOver(cutoff)}`)}`
    case 'opening':
      return sql`l.context_at IS NULL AND COALESCE(l.failure_count, 0) = 0
        AND ${ofSignIn(sql`NOT ${isOver(cutoff)}`)}`
  }
}

export function filterConditions(filter: LaunchFilter): Statement {
  const { sessionId, appId, state, outcome, reason, traceId, from, to, cutoff } = filter
  const isLive = LIVE.has(state) || LIVE.has(outcome)
  return and([
    ...(sessionId === undefined
      ? []
      : [sql`l.session_id = ${sessionId} AND l.part IN (${list([partOfId(sessionId), NO_PART])})`]),
    ...(appId === undefined ? [] : [sql`l.app_id = ${appId}`]),
    ...(reason === undefined
      ? []
      : [
          sql`(l.part, l.id) IN
          (SELECT part, launch_id FROM launch_failures WHERE reason = ${reason})`,
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

/** Of these accounts, and of rows of an earlier version. */
const partsOf = (accountIds: readonly string[]): Statement =>
  list([...accountIds.map(partOf), NO_PART])

/**
 * One condition for each part of the scope. A session is older than its launches by a day at most,
 * so a list that begins at `from` reads no older sessions.
 */
export function scopeConditions(
  { isEverything, own, practiceIds, vendorIds }: LaunchScope,
  from: number | undefined,
): Statement[] {
  if (isEverything) return [ALWAYS]
  const isRecent = from === undefined ? ALWAYS : sql`id >= ${floorAt(from - MAX_LIVE_MS, 'ses')}`
  const inPractice =
    own?.accountId === undefined
      ? ALWAYS
      : sql`part IN (${partsOf([own.accountId])}) AND account_id = ${own.accountId}`
  const ofPerson = sql`(l.part, l.session_id) IN (SELECT part, id FROM ehr_sessions
    WHERE user_id = ${own?.userId ?? ''} AND ${inPractice} AND ${isRecent})`
  const ofPractices = sql`l.part IN (${partsOf(practiceIds)}) AND (l.part, l.session_id) IN
    (SELECT part, id FROM ehr_sessions WHERE part IN (${partsOf(practiceIds)})
      AND account_id IN (${list(practiceIds)}) AND ${isRecent})`
  const ofApps = sql`l.app_id IN (SELECT id FROM apps WHERE account_id IN (${list(vendorIds)}))`
  return [
    ...(own ? [ofPerson] : []),
    ...(practiceIds.length > 0 ? [ofPractices] : []),
    ...(vendorIds.length > 0 ? [ofApps] : []),
  ]
}
