// Owns the table duties: which node takes care of what only one should do at a time, for seconds. No
// node is a leader, so none can be lost. docs/decisions/0014.

import { type Database, readOne, writeOne } from '../db/database.ts'
import { integer } from '../db/row.ts'
import { sql } from '../db/sql.ts'

/**
 * Takes a duty until `leaseExpiresAt`, if it is due; of several nodes that ask at once one gets it. A node
 * that dies with it loses it when that time has come. A time far in the future, written by a node
 * whose clock was wrong, does not bind.
 */
export async function acquireLease(
  db: Database,
  name: string,
  { now, leaseExpiresAt, longestMs }: { now: number; leaseExpiresAt: number; longestMs: number },
): Promise<boolean> {
  const seen = await readOne(db, sql`SELECT due_at FROM duties WHERE name = ${name}`)
  // Most often it is not due; then nothing is written at all.
  if (seen && integer(seen, 'due_at') > now && integer(seen, 'due_at') <= now + longestMs) {
    return false
  }
  const row = await writeOne(
    db,
    sql`INSERT INTO duties (name, due_at) VALUES (${name}, ${leaseExpiresAt})
      ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
        WHERE duties.due_at <= ${now} OR duties.due_at > ${now + longestMs} RETURNING name`,
  )
  return row !== undefined
}

/** Says when the duty is due again. */
export async function updateLeaseExpiry(db: Database, name: string, dueAt: number): Promise<void> {
  await db.write(sql`UPDATE duties SET due_at = ${dueAt} WHERE name = ${name}`)
}
