// The SQL of the counts of launches by five minutes, practice and app, with the time to ready in steps: writes them
// from the launches, and reads them for what a caller sees. A count may be written again at any time. Contract §16.
import type { Database, Row } from '../../db/database.ts'
import { integer, optionalInteger, text } from '../../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../../db/sql.ts'
import { partOf } from '../../kernel/partitions.ts'
import { floorAt } from '../list/launch-filter-store.ts'

export const SLOT_MS = 5 * 60_000

/** The upper bounds of the time to ready, in milliseconds; the last one stands for every longer time. */
export const READY_BOUNDS = [
  ...[100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1400, 1600, 1800, 2000, 2500, 3000],
  ...[4000, 5000, 6000, 8000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 3_600_000],
] as const

/** The launches that a caller sees: all, or those in these practices and of the apps of these accounts. */
export interface CountScope {
  readonly isEverything: boolean
  readonly practiceIds: readonly string[]
  readonly vendorIds: readonly string[]
}

/** Windows of the same length, a period apart; the last one is the newest. */
export interface Windows {
  readonly firstFrom: number
  readonly spanMs: number
  readonly periodMs: number
}

const bigint = (value: number): Statement => sql`CAST(${value} AS BIGINT)`

/** Numbers of this file only, so that the text is that of one statement. */
const READY_WITHIN = READY_BOUNDS.reduce(
  (before, bound) => ({
    sql: `${before.sql} WHEN l.context_at - l.created_at <= ${bound} THEN ${bound}`,
    args: [],
  }),
  sql`CASE WHEN l.context_at IS NULL THEN 0`,
)

/** Counts the launches from `from` (included) to `to` again; both are borders of five minutes. */
export function writeCountsStatements(from: number, to: number): Statement[] {
  return [
    sql`DELETE FROM launch_counts WHERE at >= ${from} AND at < ${to}`,
    sql`INSERT INTO launch_counts (part, account_id, app_id, at, ready_within_ms, launches, failed)
      SELECT c.part, c.account_id, c.app_id, c.at, c.ready_within_ms, COUNT(*), SUM(c.failed) FROM (
        SELECT l.part, s.account_id, l.app_id, l.created_at - l.created_at % ${bigint(SLOT_MS)} AS at,
          ${READY_WITHIN} ELSE ${bigint(READY_BOUNDS.at(-1) ?? 0)} END AS ready_within_ms,
          CASE WHEN l.failure_count > 0 AND l.context_at IS NULL THEN 1 ELSE 0 END AS failed
        FROM launches l JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
        WHERE l.id >= ${floorAt(from)} AND l.id < ${floorAt(to)}
          AND l.created_at >= ${from} AND l.created_at < ${to}) AS c
      GROUP BY c.part, c.account_id, c.app_id, c.at, c.ready_within_ms
      ON CONFLICT (part, account_id, app_id, at, ready_within_ms)
        DO UPDATE SET launches = excluded.launches, failed = excluded.failed`,
  ]
}

export const deleteCountsStatement = (before: number): Statement =>
  sql`DELETE FROM launch_counts WHERE at < ${before}`

/** The newest counted five minutes. */
export async function findNewestCount(db: Database): Promise<number | undefined> {
  const [row] = await db.read(sql`SELECT MAX(c.at) AS newest FROM launch_counts c`)
  return row && optionalInteger(row, 'newest')
}

function isVisible({ isEverything, practiceIds, vendorIds }: CountScope): Statement {
  if (isEverything) return sql`1 = 1`
  const ofVendors = sql`c.app_id IN (SELECT id FROM apps WHERE account_id IN (${list(vendorIds)}))`
  if (practiceIds.length === 0) return ofVendors
  const inPractices = sql`(c.part IN (${list(practiceIds.map(partOf))})
    AND c.account_id IN (${list(practiceIds)}))`
  return vendorIds.length === 0 ? inPractices : sql`(${inPractices} OR ${ofVendors})`
}

const sum = (column: Statement): Statement => sql`CAST(SUM(${column}) AS BIGINT)`

const READY = sql`CASE WHEN c.ready_within_ms > 0 THEN c.launches ELSE 0 END`

const TOTALS = sql`${sum(sql`c.launches`)} AS launches, ${sum(sql`c.failed`)} AS failed,
  ${sum(READY)} AS ready`

export interface Totals {
  readonly launches: number
  readonly failed: number
  readonly ready: number
}

const totalsOf = (row: Row): Totals => ({
  launches: integer(row, 'launches'),
  failed: integer(row, 'failed'),
  ready: integer(row, 'ready'),
})

export interface SlotCount extends Totals {
  /** The number of the slot since the first window began. */
  readonly slot: number
  readonly readyWithinMs: number
}

/** Counts by slot and time to ready, in all windows. */
export async function listSlotCounts(
  db: Database,
  scope: CountScope,
  { firstFrom, spanMs, periodMs }: Windows,
  slotMs: number,
): Promise<SlotCount[]> {
  const rows = await db.read(
    sql`SELECT c.slot, c.ready_within_ms, ${TOTALS} FROM (
        SELECT (c.at - ${bigint(firstFrom)}) / ${bigint(slotMs)} AS slot, c.ready_within_ms,
          c.launches, c.failed
        FROM launch_counts c WHERE ${isVisible(scope)} AND c.at >= ${firstFrom}
          AND (c.at - ${bigint(firstFrom)}) % ${bigint(periodMs)} < ${bigint(spanMs)}) AS c
      GROUP BY c.slot, c.ready_within_ms`,
  )
  return rows.map((row) => ({
    ...totalsOf(row),
    slot: integer(row, 'slot'),
    readyWithinMs: integer(row, 'ready_within_ms'),
  }))
}

export interface CountFilter {
  readonly from: number
  readonly to: number
  readonly appId?: string | undefined
  readonly practiceId?: string | undefined
}

/** Counts by slot, whose number is that since 1970, without the times to ready. */
export async function listCounts(
  db: Database,
  scope: CountScope,
  { from, to, appId, practiceId }: CountFilter,
  slotMs: number,
): Promise<Omit<SlotCount, 'readyWithinMs'>[]> {
  const ofApp = appId === undefined ? ALWAYS : sql`c.app_id = ${appId}`
  const inPractice =
    practiceId === undefined
      ? ALWAYS
      : sql`c.part = ${partOf(practiceId)} AND c.account_id = ${practiceId}`
  const rows = await db.read(
    sql`SELECT c.slot, ${TOTALS} FROM (
        SELECT c.at / ${bigint(slotMs)} AS slot, c.ready_within_ms, c.launches, c.failed
        FROM launch_counts c WHERE ${isVisible(scope)} AND ${ofApp} AND ${inPractice}
          AND c.at >= ${from} AND c.at < ${to}) AS c
      GROUP BY c.slot`,
  )
  return rows.map((row) => ({ ...totalsOf(row), slot: integer(row, 'slot') }))
}

export interface PlaceCount {
  readonly practices: number
  readonly apps: number
}

/** Counts the practices and apps that had launches, by the number of the window. */
export async function countPlaces(
  db: Database,
  scope: CountScope,
  { firstFrom, spanMs, periodMs }: Windows,
): Promise<ReadonlyMap<number, PlaceCount>> {
  const rows = await db.read(
    sql`SELECT c.n, COUNT(DISTINCT c.account_id) AS practices, COUNT(DISTINCT c.app_id) AS apps
      FROM (SELECT (c.at - ${bigint(firstFrom)}) / ${bigint(periodMs)} AS n, c.account_id, c.app_id
        FROM launch_counts c WHERE ${isVisible(scope)} AND c.at >= ${firstFrom}
          AND (c.at - ${bigint(firstFrom)}) % ${bigint(periodMs)} < ${bigint(spanMs)}) AS c
      GROUP BY c.n`,
  )
  return new Map(
    rows.map((row) => [
      integer(row, 'n'),
      { practices: integer(row, 'practices'), apps: integer(row, 'apps') },
    ]),
  )
}

export interface UseCount extends Totals {
  readonly practice: { readonly id: string; readonly name: string }
  readonly appId: string
}

/** The uses that are read at most: of more practices and apps, those with the most failures. */
const MAX_USES = 5000

/** Lists the uses by practice and app, most failures first. A deleted practice has none. */
export async function listUses(db: Database, scope: CountScope, from: number): Promise<UseCount[]> {
  const rows = await db.read(
    sql`SELECT a.id, a.name, c.app_id, ${TOTALS} FROM launch_counts c
      JOIN accounts a ON a.id = c.account_id AND a.deleted_at IS NULL
      WHERE ${isVisible(scope)} AND c.at >= ${from}
      GROUP BY a.id, a.name, c.app_id ORDER BY failed DESC, launches DESC, a.id, c.app_id
      LIMIT ${MAX_USES}`,
  )
  return rows.map((row) => ({
    ...totalsOf(row),
    practice: { id: text(row, 'id'), name: text(row, 'name') },
    appId: text(row, 'app_id'),
  }))
}

export interface TrendCount extends Totals {
  readonly id: string
  /** The number of the slot since `from`. */
  readonly slot: number
}

/** Lists the counts by practice or by app, and by slot since `from`. */
export async function listTrends(
  db: Database,
  scope: CountScope,
  of: { readonly practices: readonly string[] } | { readonly apps: readonly string[] },
  { from, slotMs }: { readonly from: number; readonly slotMs: number },
): Promise<TrendCount[]> {
  const [id, ids] =
    'apps' in of ? [sql`c.app_id`, of.apps] : ([sql`c.account_id`, of.practices] as const)
  if (ids.length === 0) return []
  const rows = await db.read(
    sql`SELECT c.id, c.slot, ${TOTALS} FROM (
        SELECT ${id} AS id, (c.at - ${bigint(from)}) / ${bigint(slotMs)} AS slot, c.ready_within_ms,
          c.launches, c.failed
        FROM launch_counts c WHERE ${isVisible(scope)} AND ${id} IN (${list(ids)}) AND c.at >= ${from}) AS c
      GROUP BY c.id, c.slot`,
  )
  return rows.map((row) => ({
    ...totalsOf(row),
    id: text(row, 'id'),
    slot: integer(row, 'slot'),
  }))
}

export interface AppMoment extends Totals {
  readonly appId: string
  readonly at: number
}

/** The five minutes of these apps, oldest first. */
export async function listMoments(
  db: Database,
  scope: CountScope,
  appIds: readonly string[],
  from: number,
): Promise<AppMoment[]> {
  if (appIds.length === 0) return []
  const rows = await db.read(
    sql`SELECT c.app_id, c.at, ${TOTALS} FROM launch_counts c
      WHERE ${isVisible(scope)} AND c.app_id IN (${list(appIds)}) AND c.at >= ${from}
      GROUP BY c.app_id, c.at ORDER BY c.at`,
  )
  return rows.map((row) => ({
    ...totalsOf(row),
    appId: text(row, 'app_id'),
    at: integer(row, 'at'),
  }))
}
