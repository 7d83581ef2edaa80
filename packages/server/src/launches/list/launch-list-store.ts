// The SQL of lists of launches: pages newest first, the newest by outcome, and the failures grouped by
// cause. Each part of what a caller sees walks an index of its own, and a list looks at the newest part of the
// table first, so none reads the whole table for a page. launch-filter-store.ts has the conditions. Contract §3.
import type { Database, Row } from '../../db/database.ts'
import { integer, optionalInteger, optionalText, text } from '../../db/row.ts'
import { ALWAYS, type Statement, sql } from '../../db/sql.ts'
import { timeOfId } from '../../kernel/identifiers.ts'
import type { Launch, LaunchOutcome } from '../launch.ts'
import { LAUNCH_COLUMNS, launchOf } from '../launch-store.ts'
import {
  branchConditions,
  isInOrder,
  type LaunchFilter,
  type LaunchScope,
  outcomeColumn,
} from './launch-filter-store.ts'

export const union = (parts: readonly Statement[]): Statement =>
  parts.length === 0
    ? sql`SELECT * FROM launches WHERE 1 = 0`
    : parts.reduce((all, one) => sql`${all} UNION ${one}`)

/** The chosen launches `l`. CROSS JOIN: SQLite then begins with the choice, and never with the table. */
const chosen = (choice: Statement): Statement => sql`(${choice}) AS choice CROSS JOIN launches l`
const IS_CHOSEN = sql`l.part = choice.part AND l.id = choice.id`

/** The statement of {@link listLaunches}; a test reads its plan. */
export function listLaunchesStatement(
  scope: LaunchScope,
  filter: LaunchFilter,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): Statement {
  const parts = branchConditions(scope, filter).map(
    (isWanted) => sql`SELECT part, id FROM (SELECT l.part, l.id FROM launches l
      WHERE ${isWanted} AND l.id < ${cursor} ORDER BY l.id DESC LIMIT ${limit}) AS chosen`,
  )
  return sql`SELECT ${LAUNCH_COLUMNS} FROM ${chosen(union(parts))}
    JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
    WHERE ${IS_CHOSEN} ORDER BY l.id DESC LIMIT ${limit}`
}

/** A list looks back for the first span, and for the second when the page is not full. */
const WINDOWS_MS = [60 * 60_000, 36 * 60 * 60_000]

/**
 * Lists the launches before `cursor`, newest first. A scope of many practices or apps has no index in the
 * order of its launches, so a page comes from the newest part of the table that fills it.
 */
export async function listLaunches(
  db: Database,
  scope: LaunchScope,
  filter: LaunchFilter,
  page: { readonly cursor: string; readonly limit: number },
): Promise<Launch[]> {
  const read = async (from: number | undefined) =>
    (await db.read(listLaunchesStatement(scope, { ...filter, from }, page))).map(launchOf)
  const { sessionId, traceId, practiceId } = filter
  const isNarrow = [sessionId, traceId, practiceId].some((narrow) => narrow !== undefined)
  if (scope.isEverything || isNarrow || isInOrder(scope)) return read(filter.from)
  const newest = Math.min(
    filter.to ?? filter.cutoff.now,
    timeOfId(page.cursor) ?? Number.POSITIVE_INFINITY,
  )
  for (const windowMs of WINDOWS_MS) {
    const from = newest - windowMs
    if (from <= (filter.from ?? 0)) break
    const found = await read(from)
    if (found.length === page.limit) return found
  }
  return read(filter.from)
}

export interface RecentLaunch {
  readonly createdAt: number
  readonly outcome: LaunchOutcome
  /** The milliseconds from its creation to ready; undefined when it never was. */
  readonly readyMs: number | undefined
}

/** The columns of which the outcome and the times of a launch are made. */
const RECENT_COLUMNS = sql`l.part, l.id, l.session_id, l.created_at, l.context_at, l.failure_count,
  l.ended_at, l.token_revoked_at, l.token_expires_at, l.code_spent_at, l.expires_at`

/**
 * The statement of {@link listRecent}; a test reads its plan. The choice carries the columns: to join
 * thousands of rows with their table again, PostgreSQL would read all of it.
 */
export function listRecentStatement(
  scope: LaunchScope,
  filter: LaunchFilter,
  limit: number,
): Statement {
  const parts = branchConditions(scope, filter).map(
    (isWanted) => sql`SELECT * FROM (SELECT ${RECENT_COLUMNS} FROM launches l
      WHERE ${isWanted} ORDER BY l.id DESC LIMIT ${limit}) AS chosen`,
  )
  return sql`SELECT ${outcomeColumn(filter.cutoff)} AS outcome, l.created_at, l.context_at
    FROM (${union(parts)}) AS l JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
    ORDER BY l.id DESC LIMIT ${limit}`
}

/** The newest launches of the filter, by outcome. */
export async function listRecent(
  db: Database,
  scope: LaunchScope,
  filter: LaunchFilter,
  limit: number,
): Promise<RecentLaunch[]> {
  return (await db.read(listRecentStatement(scope, filter, limit))).map((row) => {
    const contextAt = optionalInteger(row, 'context_at')
    const createdAt = integer(row, 'created_at')
    const readyMs = contextAt === undefined ? undefined : Math.max(contextAt - createdAt, 0)
    return { createdAt, outcome: text(row, 'outcome') as LaunchOutcome, readyMs }
  })
}

export interface LaunchCause {
  readonly reason: string
  /** The code tells causes apart where a reason stands for many of them. */
  readonly code: string | undefined
  readonly step: string
  readonly appId: string
  /** The number of launches; one launch can fail many times for one reason. */
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  readonly exampleLaunchId: string
}

/** The maximum of rows that are read, by app; they become fewer causes. */
const MAX_CAUSES = 1000

/** Causes are counted of the newest failed launches, however many there are. */
export const MAX_FAILED = 2000

const newestFailed = (scope: LaunchScope, filter: LaunchFilter, limit: number): Statement => {
  const parts = branchConditions(scope, { ...filter, outcome: 'failed' }).map(
    (isWanted) => sql`SELECT part, id FROM (SELECT l.part, l.id FROM launches l
      WHERE ${isWanted} ORDER BY l.id DESC LIMIT ${limit}) AS chosen`,
  )
  return sql`SELECT part, id FROM (${union(parts)}) AS failed ORDER BY id DESC LIMIT ${limit}`
}

/** The code tells apart the many causes of these reasons. Any other reason is one cause. */
const OWN_CODE = sql`CASE WHEN f.reason IN ('host_reported', 'page_not_opened') THEN f.code END`

/** The statement of {@link listCauses}; a test reads its plan. */
export function listCausesStatement(scope: LaunchScope, filter: LaunchFilter): Statement {
  const hasReason = filter.reason === undefined ? ALWAYS : sql`f.reason = ${filter.reason}`
  return sql`SELECT f.reason, f.step, ${OWN_CODE} AS code, l.app_id, COUNT(DISTINCT f.launch_id) AS launches,
      MIN(f.failed_at) AS first_at, MAX(f.failed_at) AS last_at, MAX(f.launch_id) AS example
    FROM ${chosen(newestFailed(scope, filter, MAX_FAILED))}
    JOIN launch_failures f ON f.part = l.part AND f.launch_id = l.id
    WHERE ${IS_CHOSEN} AND ${hasReason}
    GROUP BY f.reason, f.step, ${OWN_CODE}, l.app_id
    ORDER BY launches DESC, last_at DESC, f.reason LIMIT ${MAX_CAUSES}`
}

/** The failures of the newest of these launches by reason, step, code and app, the most frequent first. */
export async function listCauses(
  db: Database,
  scope: LaunchScope,
  filter: LaunchFilter,
): Promise<LaunchCause[]> {
  return (await db.read(listCausesStatement(scope, filter))).map(causeOf)
}

/** Counts the launches that have failed; no more than one above {@link MAX_FAILED}. */
export async function countFailed(
  db: Database,
  scope: LaunchScope,
  filter: LaunchFilter,
): Promise<number> {
  const failed = newestFailed(scope, filter, MAX_FAILED + 1)
  const [row] = await db.read(
    sql`SELECT COUNT(*) AS failed FROM ${chosen(failed)} WHERE ${IS_CHOSEN}`,
  )
  return row ? integer(row, 'failed') : 0
}

const causeOf = (row: Row): LaunchCause => ({
  reason: text(row, 'reason'),
  step: text(row, 'step'),
  code: optionalText(row, 'code'),
  appId: text(row, 'app_id'),
  count: integer(row, 'launches'),
  firstAt: integer(row, 'first_at'),
  lastAt: integer(row, 'last_at'),
  exampleLaunchId: text(row, 'example'),
})

/** No condition of a session alone looks at the time. */
const NEVER = { now: 0, idleSince: 0 }

/** Whether the scope has a launch of this EHR session. */
export async function isSessionInScope(
  db: Database,
  scope: LaunchScope,
  sessionId: string,
): Promise<boolean> {
  const parts = branchConditions(scope, { sessionId, cutoff: NEVER }).map(
    (isWanted) => sql`SELECT l.part, l.id FROM launches l WHERE ${isWanted}`,
  )
  return (await db.read(sql`SELECT id FROM (${union(parts)}) AS seen LIMIT 1`)).length > 0
}
