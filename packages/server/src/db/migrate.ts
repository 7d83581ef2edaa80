// Brings a database to the newest schema: applies the migrations that it has not seen, each with
// its record in one transaction, so that a crash in the middle leaves a whole version behind.
// Never goes back.
import type { Clock } from '../randomness.ts'
import { type Database, statement } from './database.ts'
import { MIGRATIONS } from './migrations.ts'

const RECORD = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)`

/** Applies what is missing and returns the names of the migrations that ran. */
export async function migrate(db: Database, clock: Clock): Promise<string[]> {
  await db.write(statement(RECORD))
  const applied = new Set(
    (await db.read('SELECT version FROM schema_migrations')).map((row) => row.version),
  )
  const missing = MIGRATIONS.filter((migration) => !applied.has(migration.version))
  for (const { version, name, statements } of missing) {
    await db.write(
      ...statements.map((sql) => statement(sql)),
      statement(
        'INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)',
        version,
        name,
        clock(),
      ),
    )
  }
  return missing.map(({ name }) => name)
}
