// Owns the leases in the table `leases`: which node runs a job that only one node may run at a time, for
// some seconds. There is no leader, so none can be lost. docs/inside/decisions/0014.

import { type Database, readOne, writeOne } from '../db/database.ts'
import { integer, optionalInteger } from '../db/row.ts'
import { sql } from '../db/sql.ts'

/**
 * Acquires the lease until `leaseExpiresAt` when it has expired; of several concurrent callers one
 * gets it. The lease of a node that dies expires at that time. An expiry more than `maxLeaseMs` in
 * the future was written by a node whose clock was wrong, and does not count.
 */
export async function acquireLease(
  db: Database,
  name: string,
  { now, leaseExpiresAt, maxLeaseMs }: { now: number; leaseExpiresAt: number; maxLeaseMs: number },
): Promise<boolean> {
  const seen = await readOne(db, sql`SELECT due_at FROM leases WHERE name = ${name}`)
  // Most leases are not due; the read saves a write.
  if (seen && integer(seen, 'due_at') > now && integer(seen, 'due_at') <= now + maxLeaseMs) {
    return false
  }
  const row = await writeOne(
    db,
    sql`INSERT INTO leases (name, due_at) VALUES (${name}, ${leaseExpiresAt})
      ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
        WHERE leases.due_at <= ${now} OR leases.due_at > ${now + maxLeaseMs} RETURNING name`,
  )
  return row !== undefined
}

/** Finds when the longest waiting job was due; undefined before any ran. The chain has leases only with work. */
export async function findOldestDue(db: Database): Promise<number | undefined> {
  const row = await readOne(
    db,
    sql`SELECT MIN(due_at) AS due_at FROM leases WHERE name NOT LIKE 'audit-chain-%'`,
  )
  return row && optionalInteger(row, 'due_at')
}

/** Sets when the next node may acquire the lease. */
export async function updateLeaseExpiry(db: Database, name: string, dueAt: number): Promise<void> {
  await db.write(sql`UPDATE leases SET due_at = ${dueAt} WHERE name = ${name}`)
}
