// The SQL of the last pre-flight of an app: one row an app, which the newest run replaces. Nothing of a page is
// kept, only the outcome and a hash of what was judged. Decision 30.
import { type Database, readOne } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import { sql } from '../db/sql.ts'

export interface StoredPreflight {
  readonly appId: string
  readonly checkedAt: number
  readonly outcome: 'passed' | 'warning' | 'failed'
  /** The hash of the addresses and rules that were judged: another one is of an earlier registration. */
  readonly subject: string
}

/** Stores the result; of two runs at once the one that began later stands. */
export async function replacePreflight(
  db: Database,
  { appId, checkedAt, outcome, subject }: StoredPreflight,
): Promise<void> {
  await db.write(
    sql`INSERT INTO preflights (app_id, checked_at, outcome, subject)
      VALUES (${appId}, ${checkedAt}, ${outcome}, ${subject})
      ON CONFLICT (app_id) DO UPDATE SET checked_at = excluded.checked_at,
        outcome = excluded.outcome, subject = excluded.subject
      WHERE preflights.checked_at <= excluded.checked_at`,
  )
}

export async function findPreflight(
  db: Database,
  appId: string,
): Promise<StoredPreflight | undefined> {
  const row = await readOne(db, sql`SELECT * FROM preflights WHERE app_id = ${appId}`)
  if (!row) return undefined
  return {
    appId: text(row, 'app_id'),
    checkedAt: integer(row, 'checked_at'),
    outcome: text(row, 'outcome') as StoredPreflight['outcome'],
    subject: text(row, 'subject'),
  }
}
