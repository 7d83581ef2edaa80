// Owns the read of the names of users whose ids another table keeps. Users are not beside divided tables
// (migrations/layout.ts), so a list of such rows asks for the names in a statement of its own.
import type { Database } from './database.ts'
import { text } from './row.ts'
import { list, sql } from './sql.ts'

/** By the id of the user; one that is gone has none. */
export async function findUserNames(
  db: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db.read(
    sql`SELECT id, name FROM users WHERE id IN (${list([...new Set(userIds)])})`,
  )
  return new Map(rows.map((row) => [text(row, 'id'), text(row, 'name')]))
}
