// The SQL of the sweep: deletes expired rows in small batches. Every identifier begins with the time of
// its creation, so age is a range of the primary key and needs no index of its own. A live row is
// never deleted, however old it is.

import type { Database } from '../db/database.ts'
import { text } from '../db/row.ts'
import { identifier, type Statement, sql } from '../db/sql.ts'
import { type IdPrefix, idFloor } from '../kernel/identifiers.ts'

/** The tables, in this order: rows that refer to others are deleted first. */
export const SWEPT = [
  'launches',
  'launch_failures',
  'ehr_sessions',
  'sign_ins',
  'problem_reports',
  'webhook_deliveries',
  'developer_keys',
] as const
export type SweptTable = (typeof SWEPT)[number]

interface Sweeping {
  readonly prefix: IdPrefix
  /** The primary key; by default with the part. */
  readonly key?: Statement
  /** The rows are kept as long as this, whatever the retention of launches is. */
  readonly keptMs?: number
  /** The condition, besides age, under which a row may be deleted. */
  readonly isExpired: (now: number) => Statement
}

const MONTH_MS = 30 * 24 * 3_600_000

const SWEEPING: Readonly<Record<SweptTable, Sweeping>> = {
  launches: {
    prefix: 'lau',
    isExpired: (now) =>
      sql`expires_at < ${now} AND (token_expires_at IS NULL OR token_expires_at < ${now})`,
  },
  // Failures are recorded while the launch is live, so they are never older than it.
  launch_failures: { prefix: 'evt', isExpired: () => sql`1 = 1` },
  ehr_sessions: {
    prefix: 'ses',
    isExpired: () =>
      sql`NOT EXISTS (SELECT 1 FROM launches
        WHERE launches.part = ehr_sessions.part AND launches.session_id = ehr_sessions.id)`,
  },
  sign_ins: {
    prefix: 'sgn',
    key: sql`id`,
    // Its sessions carry its times, so it may go before them.
    isExpired: (now) => sql`expires_at < ${now}`,
  },
  webhook_deliveries: {
    ...{ prefix: 'evt', key: sql`webhook_id, id`, keptMs: MONTH_MS },
    isExpired: () => sql`due_at IS NULL`,
  },
  developer_keys: {
    // The list says for a month that it has ended.
    ...{ prefix: 'dky', key: sql`id`, keptMs: MONTH_MS },
    isExpired: (now) => sql`expires_at < ${now - MONTH_MS}`,
  },
  problem_reports: { prefix: 'rpt', keptMs: MONTH_MS, isExpired: () => sql`1 = 1` },
}

export interface SweepRange {
  /** The range begins after this identifier; '' for the oldest. */
  readonly after: string
  /** The rows created before this time are old, where a table has no age of its own; milliseconds. */
  readonly createdBefore: number
  readonly limit: number
  readonly now: number
}

/** Deletes one batch, oldest first. Returns the newest identifier of it and the number of rows. */
export async function deleteBatch(
  db: Database,
  table: SweptTable,
  { after, createdBefore, limit, now }: SweepRange,
): Promise<{ removed: number; last: string }> {
  const { prefix, key = sql`part, id`, keptMs, isExpired } = SWEEPING[table]
  const before = keptMs === undefined ? createdBefore : now - keptMs
  const name = identifier(table)
  const [rows = []] = await db.write(
    sql`DELETE FROM ${name} WHERE (${key}) IN (
        SELECT ${key} FROM ${name} WHERE id > ${after} AND id < ${idFloor(prefix, before)}
          AND ${isExpired(now)} ORDER BY id LIMIT ${limit})
      RETURNING id`,
  )
  let last = after
  for (const row of rows) if (text(row, 'id') > last) last = text(row, 'id')
  return { removed: rows.length, last }
}
