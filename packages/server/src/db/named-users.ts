// Owns the read of users whose ids the rows of another table keep. Users are not beside divided tables
// (migrations/layout.ts), so a list of such rows asks for their names in a statement of its own.
import type { Database, Row } from './database.ts'
import { optionalInteger, text } from './row.ts'
import { list, sql } from './sql.ts'

export interface NamedUser {
  readonly name: string
  readonly isDisabled: boolean
}

/** Finds the users whom the rows name in `user_id`, by id. */
export async function findNamedUsers(
  db: Database,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, NamedUser>> {
  const ids = new Set(rows.map((row) => text(row, 'user_id')))
  if (ids.size === 0) return new Map()
  const found = await db.read(
    sql`SELECT id, name, disabled_at FROM users WHERE id IN (${list([...ids])})`,
  )
  return new Map(
    found.map((row) => [
      text(row, 'id'),
      { name: text(row, 'name'), isDisabled: optionalInteger(row, 'disabled_at') !== undefined },
    ]),
  )
}
