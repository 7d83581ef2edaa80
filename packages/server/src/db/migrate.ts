// Brings a database to the newest schema: applies the migrations that it has not seen, each with
// its record in one transaction, so that a crash in the middle leaves a whole version behind. Any
// number of nodes may do so at once: the record is the lock. Never goes back.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../randomness.ts'
import { type Database, DatabaseUnavailable, statement, UniqueViolation } from './database.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'

const RECORD = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)`

/** How often a node looks again while another one migrates, once a second. */
const MOST_TRIES = 60

/** Applies what is missing and returns the names of the migrations that ran here. */
export async function migrate(db: Database, clock: Clock): Promise<string[]> {
  try {
    await db.write(statement(RECORD))
  } catch (error) {
    // IF NOT EXISTS loses races on PostgreSQL; whoever lost finds the table in place.
    await listApplied(db).catch(() => {
      throw error
    })
  }
  const applied = await listApplied(db)
  const ran: string[] = []
  for (const migration of MIGRATIONS) {
    if (applied.has(migration.version)) continue
    if (await apply(db, migration, clock())) ran.push(migration.name)
  }
  return ran
}

/** False when another node applied it meanwhile. */
async function apply(db: Database, migration: Migration, now: number): Promise<boolean> {
  const { version, name, statements } = migration
  for (let tries = 1; ; tries++) {
    try {
      await db.write(
        // First, so that it is the lock: who inserts the same version waits for this commit and
        // then breaks the primary key, before a table was touched.
        statement(
          'INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)',
          version,
          name,
          now,
        ),
        ...statements.map((sql) => statement(sql)),
      )
      return true
    } catch (error) {
      // Waiting for the other node is bounded by the driver's lock time-out, so look again.
      const isWaiting = error instanceof DatabaseUnavailable && tries < MOST_TRIES
      if (!isWaiting && !(error instanceof UniqueViolation)) throw error
      if ((await listApplied(db)).has(version)) return false
      if (!isWaiting) throw error
      await sleep(1000)
    }
  }
}

const listApplied = async (db: Database) =>
  new Set((await db.read('SELECT version FROM schema_migrations')).map((row) => row.version))
