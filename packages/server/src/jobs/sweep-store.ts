// The SQL of the sweep: which rows nobody can need any more, removed a small batch at a time. Every
// identifier begins with the time at which it was made, so age is a range of the primary key and
// needs no index of its own. A row that still lives is never removed, however old it is.

import type { Database } from '../db/database.ts'
import { text } from '../db/row.ts'
import { identifier, type Statement, sql } from '../db/sql.ts'
import { type IdPrefix, idFloor } from '../kernel/identifiers.ts'

/** What is swept, in this order: what refers to a row goes before it. */
export const SWEPT = ['launches', 'launch_failures', 'ehr_sessions', 'sign_ins'] as const
export type SweptTable = (typeof SWEPT)[number]

interface Sweeping {
  readonly prefix: IdPrefix
  /** Beyond being old: what makes a row of no further use. */
  readonly isDone: (now: number) => Statement
}

const SWEEPING: Readonly<Record<SweptTable, Sweeping>> = {
  launches: {
    prefix: 'lau',
    isDone: (now) =>
      sql`expires_at < ${now} AND (token_expires_at IS NULL OR token_expires_at < ${now})`,
  },
  // A launch fails only while it lives, so its failures are never older than it.
  launch_failures: { prefix: 'evt', isDone: () => sql`1 = 1` },
  ehr_sessions: {
    prefix: 'ses',
    isDone: () =>
      sql`NOT EXISTS (SELECT 1 FROM launches WHERE launches.session_id = ehr_sessions.id)`,
  },
  sign_ins: {
    prefix: 'sgn',
    isDone: (now) => sql`expires_at < ${now}
      AND NOT EXISTS (SELECT 1 FROM ehr_sessions WHERE ehr_sessions.sign_in_id = sign_ins.id)`,
  },
}

export interface SweepRange {
  /** Begin after this identifier; '' for the oldest. */
  readonly after: string
  /** Milliseconds: rows made before this moment are old. */
  readonly madeBefore: number
  readonly limit: number
  readonly now: number
}

/** Removes one batch, oldest first. Gives the newest identifier that went and how many did. */
export async function deleteBatch(
  db: Database,
  table: SweptTable,
  { after, madeBefore, limit, now }: SweepRange,
): Promise<{ removed: number; last: string }> {
  const { prefix, isDone } = SWEEPING[table]
  const name = identifier(table)
  const [rows = []] = await db.write(
    sql`DELETE FROM ${name} WHERE id IN (
        SELECT id FROM ${name} WHERE id > ${after} AND id < ${idFloor(prefix, madeBefore)}
          AND ${isDone(now)} ORDER BY id LIMIT ${limit})
      RETURNING id`,
  )
  let last = after
  for (const row of rows) if (text(row, 'id') > last) last = text(row, 'id')
  return { removed: rows.length, last }
}
