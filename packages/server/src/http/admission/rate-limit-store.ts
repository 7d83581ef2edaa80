// The SQL of the counters of failures. Counting and judging the window is one statement, so of any
// number of parallel requests on any number of nodes each gets a number of its own.

import { type Database, type Row, readOne } from '../../db/database.ts'
import { integer, text } from '../../db/row.ts'
import { type Statement, sql } from '../../db/sql.ts'

export interface Count {
  readonly key: string
  readonly count: number
  readonly windowEndsAt: number
}

/** The clocks of nodes differ by less; a window that ends later was begun by a clock that was wrong. */
const CLOCK_SKEW_MS = 60_000

/** Counts on in the window that runs, or begins a new one. */
function countOn(now: number, windowEndsAt: number): Statement {
  const latest = windowEndsAt + CLOCK_SKEW_MS
  const isRunning = sql`rate_limits.window_ends_at > ${now} AND rate_limits.window_ends_at < ${latest}`
  return sql`ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN ${isRunning} THEN rate_limits.count + 1 ELSE 1 END,
    window_ends_at = CASE WHEN ${isRunning}
      THEN rate_limits.window_ends_at ELSE excluded.window_ends_at END
    RETURNING key, count, window_ends_at`
}

/** Counts one more in the window that runs, or the first of a new one. */
export function raiseCountStatement(key: string, now: number, windowMs: number): Statement {
  const endsAt = now + windowMs
  return sql`INSERT INTO rate_limits (key, count, window_ends_at) VALUES (${key}, 1, ${endsAt})
    ${countOn(now, endsAt)}`
}

/** The same, unless the row `mark` stands or the count `of` is over `most` already. */
export function raiseCountUnlessStatement(
  { mark, of, most }: { readonly mark: string; readonly of: string; readonly most: number },
  key: string,
  now: number,
  windowMs: number,
): Statement {
  const endsAt = now + windowMs
  return sql`INSERT INTO rate_limits (key, count, window_ends_at)
    SELECT CAST(${key} AS TEXT), 1, CAST(${endsAt} AS BIGINT)
      WHERE NOT EXISTS (SELECT 1 FROM rate_limits
        WHERE (key = ${mark} AND window_ends_at > ${now}) OR (key = ${of} AND count > ${most}))
    ${countOn(now, endsAt)}`
}

/** Takes back what turned out to be no failure, if its window still runs. */
export const lowerCountStatement = ({ key, windowEndsAt }: Count): Statement =>
  sql`UPDATE rate_limits SET count = count - 1 WHERE key = ${key} AND window_ends_at = ${windowEndsAt} AND count > 0`

export const deleteCountStatement = (key: string): Statement =>
  sql`DELETE FROM rate_limits WHERE key = ${key}`

/** Puts up or prolongs a mark: a row that stands for a while and counts nothing. */
export const insertMarkStatement = (key: string, until: number): Statement =>
  sql`INSERT INTO rate_limits (key, count, window_ends_at) VALUES (${key}, 0, ${until})
      ON CONFLICT (key) DO UPDATE SET window_ends_at = excluded.window_ends_at`

export const hasMark = async (db: Database, key: string, now: number): Promise<boolean> =>
  (await readOne(
    db,
    sql`SELECT 1 AS found FROM rate_limits WHERE key = ${key} AND window_ends_at > ${now}`,
  )) !== undefined

export const countOf = (row: Row): Count => ({
  key: text(row, 'key'),
  count: integer(row, 'count'),
  windowEndsAt: integer(row, 'window_ends_at'),
})

/** Removes a batch of rows whose time is over; gives how many went. */
export async function deleteEnded(db: Database, now: number, limit: number): Promise<number> {
  const [rows = []] = await db.write(
    sql`DELETE FROM rate_limits WHERE key IN (
        SELECT key FROM rate_limits WHERE window_ends_at < ${now} ORDER BY window_ends_at LIMIT ${limit})
        RETURNING key`,
  )
  return rows.length
}
