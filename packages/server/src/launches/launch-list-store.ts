// The SQL of lists of launches: which launches a caller sees, the filters, pages newest first, and the
// failures grouped by cause. Each part of what a caller sees walks an index of its own, so no
// list reads the whole table. Never judges access: launch-list-http.ts does. Contract §3.
import type { LaunchState } from '@chartside/protocol/launch'
import type { Database, Row } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import { idFloor } from '../kernel/identifiers.ts'
import type { LivenessCutoff } from '../liveness/liveness.ts'
import { signInIsLive } from '../liveness/liveness-store.ts'
import type { Launch } from './launch.ts'
import { launchOf, SELECT_LAUNCHES } from './launch-store.ts'

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
const floorAt = (at: number, prefix: 'lau' | 'evt' = 'lau') =>
  idFloor(prefix, Math.min(Math.max(at, 0), LAST_TIME))

/** A failure is younger than its launch, but for the clocks of two nodes. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000

const and = (conditions: readonly Statement[]): Statement =>
  conditions.reduce((all, one) => sql`${all} AND ${one}`, ALWAYS)

/** The same rule as decideLaunchState, for a row `l` of launches: the first end counts. */
export function hasState(state: LaunchState, cutoff: LivenessCutoff): Statement {
  const { now, idleSince } = cutoff
  const isInvalidated = sql`(l.token_expires_at IS NULL AND l.code_spent_at IS NOT NULL)`
  const expiry = sql`COALESCE(l.token_expires_at, l.expires_at)`
  const isExpired = sql`(NOT ${isInvalidated} AND ${expiry} <= ${now}
    AND COALESCE(l.ended_at, ${expiry} + 1) > ${expiry}
    AND COALESCE(l.token_revoked_at, ${expiry} + 1) > ${expiry}
    AND COALESCE(s.ended_at, ${expiry}) >= ${expiry} AND s.expires_at >= ${expiry}
    AND s.last_seen_at + ${now - idleSince} >= ${expiry})`
  const isOver = sql`(l.ended_at IS NOT NULL OR l.token_revoked_at IS NOT NULL OR ${isInvalidated}
    OR NOT (${signInIsLive(cutoff)}) OR ${expiry} <= ${now})`
  const ofSignIn = (condition: Statement) =>
    sql`EXISTS (SELECT 1 FROM sign_ins s WHERE s.id = l.sign_in_id AND ${condition})`
  switch (state) {
    case 'expired':
      return ofSignIn(isExpired)
    case 'ended':
      return ofSignIn(sql`${isOver} AND NOT ${isExpired}`)
    case 'exchanged':
      return ofSignIn(sql`NOT ${isOver} AND l.token_expires_at IS NOT NULL`)
    case 'authorized':
    case 'opened': {
      const isAuthorized =
        state === 'opened' ? sql`l.authorized_at IS NULL` : sql`l.authorized_at IS NOT NULL`
      return ofSignIn(sql`NOT ${isOver} AND l.token_expires_at IS NULL AND ${isAuthorized}`)
    }
  }
}

function filterConditions(filter: LaunchFilter): Statement {
  const { sessionId, appId, state, reason, traceId, from, to, cutoff } = filter
  return and([
    ...(sessionId === undefined ? [] : [sql`l.session_id = ${sessionId}`]),
    ...(appId === undefined ? [] : [sql`l.app_id = ${appId}`]),
    ...(reason === undefined
      ? []
      : [sql`l.id IN (SELECT launch_id FROM launch_failures WHERE reason = ${reason})`]),
    ...(traceId === undefined
      ? []
      : [sql`l.id IN (SELECT launch_id FROM launch_failures WHERE trace_id = ${traceId})`]),
    ...(state === undefined ? [] : [hasState(state, cutoff)]),
    ...(from === undefined ? [] : [sql`l.id >= ${floorAt(from)}`]),
    ...(to === undefined ? [] : [sql`l.id < ${floorAt(to)}`]),
  ])
}

/** One condition for each part of the scope. */
function scopeConditions({ isEverything, own, practiceIds, vendorIds }: LaunchScope): Statement[] {
  if (isEverything) return [ALWAYS]
  const inPractice = own?.accountId === undefined ? ALWAYS : sql`account_id = ${own.accountId}`
  const ofPerson = sql`l.session_id IN
    (SELECT id FROM ehr_sessions WHERE user_id = ${own?.userId ?? ''} AND ${inPractice})`
  const ofPractices = sql`l.session_id IN
    (SELECT id FROM ehr_sessions WHERE account_id IN (${list(practiceIds)}))`
  const ofApps = sql`l.app_id IN (SELECT id FROM apps WHERE account_id IN (${list(vendorIds)}))`
  return [
    ...(own ? [ofPerson] : []),
    ...(practiceIds.length > 0 ? [ofPractices] : []),
    ...(vendorIds.length > 0 ? [ofApps] : []),
  ]
}

const union = (parts: readonly Statement[]): Statement =>
  parts.length === 0
    ? sql`SELECT id FROM launches WHERE 1 = 0`
    : parts.reduce((all, one) => sql`${all} UNION ${one}`)

/** The statement of {@link listLaunches}; a test reads its plan. */
export function listLaunchesStatement(
  scope: LaunchScope,
  filter: LaunchFilter,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): Statement {
  const wanted = filterConditions(filter)
  const parts = scopeConditions(scope).map(
    (isVisible) => sql`SELECT id FROM (SELECT l.id FROM launches l
      WHERE ${isVisible} AND ${wanted} AND l.id < ${cursor}
      ORDER BY l.id DESC LIMIT ${limit}) AS part`,
  )
  return sql`${SELECT_LAUNCHES} WHERE l.id IN (${union(parts)}) ORDER BY l.id DESC LIMIT ${limit}`
}

/** Launches before `cursor`, newest first. */
export async function listLaunches(
  db: Database,
  scope: LaunchScope,
  filter: LaunchFilter,
  page: { readonly cursor: string; readonly limit: number },
): Promise<Launch[]> {
  return (await db.read(listLaunchesStatement(scope, filter, page))).map(launchOf)
}

export interface LaunchCause {
  readonly reason: string
  readonly step: string
  readonly appId: string
  /** Of launches; one launch can fail many times for one reason. */
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  readonly exampleLaunchId: string
}

const MAX_CAUSES = 100

/** The statement of {@link listCauses}; a test reads its plan. */
export function listCausesStatement(scope: LaunchScope, filter: LaunchFilter): Statement {
  const wanted = filterConditions(filter)
  const parts = scopeConditions(scope).map(
    (isVisible) => sql`SELECT l.id FROM launches l WHERE ${isVisible} AND ${wanted}`,
  )
  const isRecent =
    filter.from === undefined
      ? ALWAYS
      : sql`f.id >= ${floorAt(filter.from - MAX_CLOCK_DIFFERENCE_MS, 'evt')}`
  const hasReason = filter.reason === undefined ? ALWAYS : sql`f.reason = ${filter.reason}`
  return sql`SELECT f.reason, f.step, l.app_id, COUNT(DISTINCT f.launch_id) AS launches,
      MIN(f.failed_at) AS first_at, MAX(f.failed_at) AS last_at, MAX(f.launch_id) AS example
    FROM launches l JOIN launch_failures f ON f.launch_id = l.id
    WHERE l.id IN (${union(parts)}) AND ${hasReason} AND ${isRecent}
    GROUP BY f.reason, f.step, l.app_id
    ORDER BY launches DESC, last_at DESC, f.reason LIMIT ${MAX_CAUSES}`
}

/** The failures of these launches by reason, step and app, the most frequent first. */
export async function listCauses(
  db: Database,
  scope: LaunchScope,
  filter: LaunchFilter,
): Promise<LaunchCause[]> {
  return (await db.read(listCausesStatement(scope, filter))).map(causeOf)
}

const causeOf = (row: Row): LaunchCause => ({
  reason: text(row, 'reason'),
  step: text(row, 'step'),
  appId: text(row, 'app_id'),
  count: integer(row, 'launches'),
  firstAt: integer(row, 'first_at'),
  lastAt: integer(row, 'last_at'),
  exampleLaunchId: text(row, 'example'),
})

/** Whether the scope has a launch of this EHR session. */
export async function isSessionInScope(
  db: Database,
  scope: LaunchScope,
  sessionId: string,
): Promise<boolean> {
  const parts = scopeConditions(scope).map(
    (isVisible) =>
      sql`SELECT l.id FROM launches l WHERE ${isVisible} AND l.session_id = ${sessionId}`,
  )
  return (await db.read(sql`SELECT id FROM (${union(parts)}) AS seen LIMIT 1`)).length > 0
}
