// The SQL of the counters of failures. Counting and judging the window is one statement, so of any
// number of parallel requests on any number of nodes each gets a number of its own.
import { type Database, type Row, readOne, type Statement, statement } from '../db/database.ts'
import { integer, text } from '../db/row.ts'

export interface Count {
  readonly key: string
  readonly count: number
  readonly windowEndsAt: number
}

/** The clocks of nodes differ by less; a window that ends later was begun by a clock that was wrong. */
const CLOCK_SKEW_MS = 60_000

const COUNT_ON = `ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN rate_limits.window_ends_at > ? AND rate_limits.window_ends_at < ?
    THEN rate_limits.count + 1 ELSE 1 END,
  window_ends_at = CASE WHEN rate_limits.window_ends_at > ? AND rate_limits.window_ends_at < ?
    THEN rate_limits.window_ends_at ELSE excluded.window_ends_at END
  RETURNING key, count, window_ends_at`

/** One more in the window that runs, or the first of a new one. */
export function raiseCount(key: string, now: number, windowMs: number): Statement {
  const endsAt = now + windowMs
  const latest = endsAt + CLOCK_SKEW_MS
  return statement(
    `INSERT INTO rate_limits (key, count, window_ends_at) VALUES (?, 1, ?) ${COUNT_ON}`,
    key,
    endsAt,
    now,
    latest,
    now,
    latest,
  )
}

/** The same, unless the row `mark` stands or the count `of` is over `most` already. */
export function raiseCountUnless(
  { mark, of, most }: { readonly mark: string; readonly of: string; readonly most: number },
  key: string,
  now: number,
  windowMs: number,
): Statement {
  const endsAt = now + windowMs
  const latest = endsAt + CLOCK_SKEW_MS
  return statement(
    `INSERT INTO rate_limits (key, count, window_ends_at)
      SELECT CAST(? AS TEXT), 1, CAST(? AS BIGINT)
        WHERE NOT EXISTS (SELECT 1 FROM rate_limits
          WHERE (key = ? AND window_ends_at > ?) OR (key = ? AND count > ?)) ${COUNT_ON}`,
    key,
    endsAt,
    mark,
    now,
    of,
    most,
    now,
    latest,
    now,
    latest,
  )
}

/** Takes back what turned out to be no failure, if its window still runs. */
export const lowerCount = ({ key, windowEndsAt }: Count): Statement =>
  statement(
    'UPDATE rate_limits SET count = count - 1 WHERE key = ? AND window_ends_at = ? AND count > 0',
    key,
    windowEndsAt,
  )

export const deleteCount = (key: string): Statement =>
  statement('DELETE FROM rate_limits WHERE key = ?', key)

/** Puts up or prolongs a mark: a row that stands for a while and counts nothing. */
export const insertMark = (key: string, until: number): Statement =>
  statement(
    `INSERT INTO rate_limits (key, count, window_ends_at) VALUES (?, 0, ?)
      ON CONFLICT (key) DO UPDATE SET window_ends_at = excluded.window_ends_at`,
    key,
    until,
  )

export const hasMark = async (db: Database, key: string, now: number): Promise<boolean> =>
  (await readOne(
    db,
    'SELECT 1 AS found FROM rate_limits WHERE key = ? AND window_ends_at > ?',
    key,
    now,
  )) !== undefined

export const countOf = (row: Row): Count => ({
  key: text(row, 'key'),
  count: integer(row, 'count'),
  windowEndsAt: integer(row, 'window_ends_at'),
})

/** Removes a batch of rows whose time is over; gives how many went. */
export async function deleteEnded(db: Database, now: number, limit: number): Promise<number> {
  const [rows = []] = await db.write(
    statement(
      `DELETE FROM rate_limits WHERE key IN (
        SELECT key FROM rate_limits WHERE window_ends_at < ? ORDER BY window_ends_at LIMIT ?)
        RETURNING key`,
      now,
      limit,
    ),
  )
  return rows.length
}
