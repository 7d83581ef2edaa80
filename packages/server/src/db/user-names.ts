// The names of users, read apart from the rows that name them: these may be on other machines than the users, and a
// join would bring every user to them.
import type { Database } from './database.ts'
import { text } from './row.ts'
import { list, sql } from './sql.ts'

/** By user id. A user is never deleted, so each of these has a name. @throws DatabaseUnavailable */
export async function findUserNames(
  db: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map()
  const ids = [...new Set(userIds)]
  const rows = await db.read(sql`SELECT id, name FROM users WHERE id IN (${list(ids)})`)
  return new Map(rows.map((row) => [text(row, 'id'), text(row, 'name')]))
}
