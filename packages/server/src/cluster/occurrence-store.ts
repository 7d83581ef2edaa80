// The SQL of occurrences: when something happened for the last time that no node may remember, because another
// node or the command line did it. The metrics of every node show it.
import type { Database } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'

export const OCCURRENCES = ['archive', 'backup', 'emergency_sign_in', 'sweep'] as const
export type Occurrence = (typeof OCCURRENCES)[number]

export const recordOccurrenceStatement = (name: Occurrence, at: number): Statement =>
  sql`INSERT INTO occurrences (name, at) VALUES (${name}, ${at})
    ON CONFLICT (name) DO UPDATE SET at = excluded.at`

/** Returns milliseconds since 1970, by name. */
export async function listOccurrences(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db.read(sql`SELECT name, at FROM occurrences`)
  return new Map(rows.map((row) => [text(row, 'name'), integer(row, 'at')]))
}
