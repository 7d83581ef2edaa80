// The SQL of lists of launches: pages newest first, the newest by outcome, and the failures grouped by
// cause. Each part of what a caller sees walks an index of its own, and a list looks at the newest part of the
// table first, so none reads the whole table for a page. launch-filter-store.ts has the conditions. Contract §3.
import type { Database, Row } from '../db/database.ts'
import { integer, optionalInteger, text } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import { timeOfId } from '../kernel/identifiers.ts'
import { NO_PART, partOfId } from '../kernel/partitions.ts'
import type { Launch, LaunchOutcome } from './launch.ts'
import {
  filterConditions,
  floorAt,
  hasOutcome,
  type LaunchFilter,
  type LaunchScope,
  MAX_CLOCK_DIFFERENCE_MS,
  scopeConditions,
} from './launch-filter-store.ts'
import { launchOf, SELECT_LAUNCHES } from './launch-store.ts'

const union = (parts: readonly Statement[]): Statement =>
  parts.length === 0
    ? sql`SELECT part, id FROM launches WHERE 1 = 0`
    : parts.reduce((all, one) => sql`${all} UNION ${one}`)

/** The statement of {@link listLaunches}; a test reads its plan. */
export function listLaunchesStatement(
  scope: LaunchScope,
  filter: LaunchFilter,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): Statement {
  const wanted = filterConditions(filter)
  const parts = scopeConditions(scope, filter.from).map(
    (isVisible) => sql`SELECT part, id FROM (SELECT l.part, l.id FROM launches l
      WHERE ${isVisible} AND ${wanted} AND l.id < ${cursor}
      ORDER BY l.id DESC LIMIT ${limit}) AS chosen`,
  )
  return sql`${SELECT_LAUNCHES} WHERE (l.part, l.id) IN (${union(parts)}) ORDER BY l.id DESC LIMIT ${limit}`
}

/** How far back a list looks at first, and then when the page is not full. */
const WINDOWS_MS = [60 * 60_000, 36 * 60 * 60_000]

/**
 * Launches before `cursor`, newest first. A scope of sessions or apps has no index in the order of its
 * launches, so a page comes from the newest part of the table that fills it.
 */
export async function listLaunches(
  db: Database,
  scope: LaunchScope,
  filter: LaunchFilter,
  page: { readonly cursor: string; readonly limit: number },
): Promise<Launch[]> {
  const read = async (from: number | undefined) =>
    (await db.read(listLaunchesStatement(scope, { ...filter, from }, page))).map(launchOf)
  const isNarrow = filter.sessionId !== undefined || filter.traceId !== undefined
  if (scope.isEverything || isNarrow) return read(filter.from)
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
  readonly outcome: LaunchOutcome
  /** Milliseconds from its creation to ready; undefined when it never was. */
  readonly readyMs: number | undefined
}

/** The statement of {@link listRecent}; a test reads its plan. */
export function listRecentStatement(
  scope: LaunchScope,
  filter: LaunchFilter,
  limit: number,
): Statement {
  const wanted = filterConditions(filter)
  const parts = scopeConditions(scope, filter.from).map(
    (isVisible) => sql`SELECT part, id FROM (SELECT l.part, l.id FROM launches l
      WHERE ${isVisible} AND ${wanted} ORDER BY l.id DESC LIMIT ${limit}) AS chosen`,
  )
  const { cutoff } = filter
  return sql`SELECT CASE WHEN ${hasOutcome('failed', cutoff)} THEN 'failed'
      WHEN ${hasOutcome('opening', cutoff)} THEN 'opening'
      WHEN ${hasOutcome('ready', cutoff)} THEN 'ready' ELSE 'ended' END AS outcome,
      l.created_at, l.context_at
    FROM launches l WHERE (l.part, l.id) IN (${union(parts)}) ORDER BY l.id DESC LIMIT ${limit}`
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
    const readyMs =
      contextAt === undefined ? undefined : Math.max(contextAt - integer(row, 'created_at'), 0)
    return { outcome: text(row, 'outcome') as LaunchOutcome, readyMs }
  })
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
  const parts = scopeConditions(scope, filter.from).map(
    (isVisible) => sql`SELECT l.part, l.id FROM launches l WHERE ${isVisible} AND ${wanted}`,
  )
  const isRecent =
    filter.from === undefined
      ? ALWAYS
      : sql`f.id >= ${floorAt(filter.from - MAX_CLOCK_DIFFERENCE_MS, 'evt')}`
  const hasReason = filter.reason === undefined ? ALWAYS : sql`f.reason = ${filter.reason}`
  return sql`SELECT f.reason, f.step, l.app_id, COUNT(DISTINCT f.launch_id) AS launches,
      MIN(f.failed_at) AS first_at, MAX(f.failed_at) AS last_at, MAX(f.launch_id) AS example
    FROM launches l JOIN launch_failures f ON f.part = l.part AND f.launch_id = l.id
    WHERE (l.part, l.id) IN (${union(parts)}) AND ${hasReason} AND ${isRecent}
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
  const parts = scopeConditions(scope, undefined).map(
    (isVisible) =>
      sql`SELECT l.part, l.id FROM launches l WHERE ${isVisible}
        AND l.part IN (${list([partOfId(sessionId), NO_PART])}) AND l.session_id = ${sessionId}`,
  )
  return (await db.read(sql`SELECT id FROM (${union(parts)}) AS seen LIMIT 1`)).length > 0
}
