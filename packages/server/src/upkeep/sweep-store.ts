// The SQL of the sweep: which rows nobody can need any more, removed a small batch at a time. Every
// identifier begins with the time at which it was made, so age is a range of the primary key and
// needs no index of its own. A row that still lives is never removed, however old it is.
import { type Database, type SqlValue, statement } from '../db/database.ts'
import { text } from '../db/row.ts'
import { type IdPrefix, idFloor } from '../identifiers.ts'

/** What is swept, in this order: what refers to a row goes before it. */
export const SWEPT = ['launches', 'launch_failures', 'ehr_sessions', 'sign_ins'] as const
export type SweptTable = (typeof SWEPT)[number]

interface Sweeping {
  readonly prefix: IdPrefix
  /** Beyond being old: what makes a row of no further use. */
  readonly isDone: string
  readonly args: (now: number) => readonly SqlValue[]
}

const SWEEPING: Readonly<Record<SweptTable, Sweeping>> = {
  launches: {
    prefix: 'lau',
    isDone: 'expires_at < ? AND (token_expires_at IS NULL OR token_expires_at < ?)',
    args: (now) => [now, now],
  },
  // A launch fails only while it lives, so its failures are never older than it.
  launch_failures: { prefix: 'evt', isDone: '1 = 1', args: () => [] },
  ehr_sessions: {
    prefix: 'ses',
    isDone: 'NOT EXISTS (SELECT 1 FROM launches WHERE launches.session_id = ehr_sessions.id)',
    args: () => [],
  },
  sign_ins: {
    prefix: 'sgn',
    isDone: `expires_at < ?
      AND NOT EXISTS (SELECT 1 FROM ehr_sessions WHERE ehr_sessions.sign_in_id = sign_ins.id)`,
    args: (now) => [now],
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
  const { prefix, isDone, args } = SWEEPING[table]
  const [rows = []] = await db.write(
    statement(
      `DELETE FROM ${table} WHERE id IN (
        SELECT id FROM ${table} WHERE id > ? AND id < ? AND ${isDone} ORDER BY id LIMIT ?)
        RETURNING id`,
      after,
      idFloor(prefix, madeBefore),
      ...args(now),
      limit,
    ),
  )
  let last = after
  for (const row of rows) if (text(row, 'id') > last) last = text(row, 'id')
  return { removed: rows.length, last }
}
