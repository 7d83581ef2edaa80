// The SQL of the table installation: one row, written by the first start. Of several nodes that start at
// the same time one writes it, and the others read what it wrote, in the same statement.
import { type Database, readOne, writeOne } from '../db/database.ts'
import { isMissingTable } from '../db/migrations/migrate.ts'
import { text } from '../db/row.ts'
import { sql } from '../db/sql.ts'
import type { Installation } from './installation.ts'

const ONLY_ROW = 'installation'

const installationOf = (row: Parameters<typeof text>[0]): Installation => ({
  environment: text(row, 'environment'),
  issuer: text(row, 'issuer'),
})

/** Returns undefined before the first start, also in an empty database. */
export async function findInstallation(db: Database): Promise<Installation | undefined> {
  try {
    const row = await readOne(
      db,
      sql`SELECT environment, issuer FROM installation WHERE id = ${ONLY_ROW}`,
    )
    return row && installationOf(row)
  } catch (error) {
    if (isMissingTable(error)) return undefined
    throw error
  }
}

/** Inserts the row unless there is one; returns the one that stands then. */
export async function insertOrFindInstallation(
  db: Database,
  { environment, issuer }: Installation,
  now: number,
): Promise<Installation> {
  const row = await writeOne(
    db,
    sql`INSERT INTO installation (id, environment, issuer, created_at, updated_at)
      VALUES (${ONLY_ROW}, ${environment}, ${issuer}, ${now}, ${now})
      ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING environment, issuer`,
  )
  return row ? installationOf(row) : { environment, issuer }
}

/** Returns false when another operator changed it first. */
export async function updateInstallation(
  db: Database,
  seen: Installation,
  { environment, issuer }: Installation,
  now: number,
): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`UPDATE installation SET environment = ${environment}, issuer = ${issuer}, updated_at = ${now}
      WHERE id = ${ONLY_ROW} AND environment = ${seen.environment} AND issuer = ${seen.issuer} RETURNING id`,
  )
  return row !== undefined
}
