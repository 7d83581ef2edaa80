// Reads the time of the database: alone at the start and for commands, and beside the versions of the
// caches once a second (cache-versions.ts). Decides nothing.
import type { Database } from '../db/database.ts'
import { integer } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { Clock } from '../kernel/randomness.ts'
import type { ClockReading } from './database-clock.ts'

/** Returns milliseconds since 1970, by the clock of the database. @throws DatabaseUnavailable */
export async function readDatabaseTime(
  db: Database,
  expression: Statement = db.timeExpression,
): Promise<number> {
  // Not a read by key, which may wait for others: the way there and back is part of what is measured.
  const [row] = await db.read(sql`SELECT ${expression} AS database_time`)
  return row ? integer(row, 'database_time') : Number.NaN
}

/** @throws DatabaseUnavailable */
export async function readClock(
  db: Database,
  expression: Statement,
  monotonic: Clock,
): Promise<ClockReading> {
  const sentAt = monotonic()
  const databaseTime = await readDatabaseTime(db, expression)
  return { databaseTime, sentAt, receivedAt: monotonic() }
}
