// The SQL of refused sign-ins, counted by five minutes: for each account of the person, and for the platform all of
// them. Counted after their events, whose content no statement can read. Names no person.
import { type Database, readOne } from '../db/database.ts'
import { integer, optionalInteger } from '../db/row.ts'
import { list, type Statement, sql } from '../db/sql.ts'
import { partOf } from '../kernel/partitions.ts'
import { PLATFORM } from './audit.ts'

const SLOT_MS = 5 * 60_000

/** Counts one more in each of these trails, and in that of the platform. */
export const countRefusedSignInStatements = (trails: readonly string[], now: number): Statement[] =>
  [...new Set([PLATFORM, ...trails])].map(
    (id) => sql`INSERT INTO refused_sign_ins (part, account_id, at, refused)
      VALUES (${partOf(id)}, ${id}, ${now - (now % SLOT_MS)}, 1)
      ON CONFLICT (part, account_id, at) DO UPDATE SET refused = refused_sign_ins.refused + 1`,
  )

export const deleteRefusedSignInsStatement = (before: number): Statement =>
  sql`DELETE FROM refused_sign_ins WHERE at < ${before}`

export interface RefusedSignIns {
  /** The oldest that is counted anywhere; before it nothing is known. */
  readonly oldestAt: number | undefined
  /** The counts by the number of the window. */
  readonly byWindow: ReadonlyMap<number, number>
}

const bigint = (value: number): Statement => sql`CAST(${value} AS BIGINT)`

/** Counts in these trails; windows are of the same length, a period apart. */
export async function countRefusedSignIns(
  db: Database,
  trails: readonly string[],
  {
    firstFrom,
    spanMs,
    periodMs,
  }: { readonly firstFrom: number; readonly spanMs: number; readonly periodMs: number },
): Promise<RefusedSignIns> {
  const [oldest, rows] = await Promise.all([
    readOne(db, sql`SELECT MIN(r.at) AS oldest FROM refused_sign_ins r`),
    db.read(
      sql`SELECT c.n, CAST(SUM(c.refused) AS BIGINT) AS refused
        FROM (SELECT (r.at - ${bigint(firstFrom)}) / ${bigint(periodMs)} AS n, r.refused
          FROM refused_sign_ins r
          WHERE r.part IN (${list(trails.map(partOf))}) AND r.account_id IN (${list(trails)})
            AND r.at >= ${firstFrom}
            AND (r.at - ${bigint(firstFrom)}) % ${bigint(periodMs)} < ${bigint(spanMs)}) AS c
        GROUP BY c.n`,
    ),
  ])
  return {
    oldestAt: oldest && optionalInteger(oldest, 'oldest'),
    byWindow: new Map(rows.map((row) => [integer(row, 'n'), integer(row, 'refused')])),
  }
}
