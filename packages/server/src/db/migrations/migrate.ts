// Migrates a database to the newest schema: applies the missing migrations, each with its record in one
// transaction, so that a failure leaves the previous version. Any number of nodes may migrate at
// once: the record is the lock. Never goes back.
// docs/inside/decisions/0012.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/randomness.ts'
import { type Database, DatabaseUnavailable, UniqueViolation } from '../database.ts'
import { integer, text } from '../row.ts'
import { sql } from '../sql.ts'
import { FIRST_VERSION, MIGRATIONS, type Migration } from './migrations.ts'

const RECORD = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL, phase TEXT NOT NULL)`

/** A node checks so many times, once a second, while another one migrates. */
const MAX_TRIES = 60

/** A migration did not run; the database is at the version before it. */
export class MigrationFailed extends Error {
  /** The message of the database. */
  readonly why: string

  constructor({ version, name }: Migration, cause: unknown) {
    const { cause: inner } = cause as { cause?: unknown }
    const why = inner instanceof Error ? inner.message : (cause as Error).message
    super(
      `Migration ${version} (${name}) failed: ${why}. Nothing of it was applied, and nodes of the ` +
        'version before go on. Remove the cause (space on the disk, a transaction that holds a lock, ' +
        'the right to change tables), then run chartside migrate; chartside migrate --status shows ' +
        'where the database stands.',
      { cause },
    )
    this.name = 'MigrationFailed'
    this.why = why
  }
}

/** A newer version removed something that this one needs. */
export class SchemaTooNew extends Error {
  constructor(versions: readonly number[]) {
    super(
      `The database was changed by a newer version of Chartside (migration ${versions.join(', ')}) in a ` +
        'way that this version cannot work with. Start the newer version on it.',
    )
    this.name = 'SchemaTooNew'
  }
}

/** The database is of a version before 1.0.0, from which no migration leads to this one. */
export class SchemaTooOld extends Error {
  constructor() {
    super(
      'The database was made by a version of Chartside before 1.0.0, which was never published, and no ' +
        'migration leads from it to this version. Set CHARTSIDE_DATABASE_URL to a new, empty database, or ' +
        'remove the old one.',
    )
    this.name = 'SchemaTooOld'
  }
}

/** @throws SchemaTooOld for the versions that a database of before 1.0.0 records */
export function requireKnownOrigin(versions: readonly number[]): void {
  if (versions.some((version) => version < FIRST_VERSION)) throw new SchemaTooOld()
}

export interface MigrateOptions {
  /** The migration runs contract steps too, when no running version needs what they remove. */
  readonly contract?: boolean
  readonly migrations?: readonly Migration[]
}

/**
 * Applies what is missing and returns what ran here.
 * @throws MigrationFailed, SchemaTooNew, SchemaTooOld, DatabaseUnavailable
 */
export async function migrate(
  db: Database,
  clock: Clock,
  { contract = false, migrations = MIGRATIONS }: MigrateOptions = {},
): Promise<Migration[]> {
  try {
    await db.write({ sql: RECORD, args: [] })
  } catch (error) {
    // IF NOT EXISTS can lose a race on PostgreSQL; the table exists then.
    if (!(await db.read(sql`SELECT 1 FROM schema_migrations`).catch(() => undefined))) throw error
  }
  const states = await listMigrations(db, migrations)
  const strange = states.filter(({ isKnown, phase }) => !isKnown && phase === 'contract')
  if (strange.length > 0) throw new SchemaTooNew(strange.map(({ version }) => version))
  const ran: Migration[] = []
  for (const migration of migrations) {
    const isDone = states.some((state) => state.version === migration.version && state.appliedAt)
    if (isDone || (migration.phase === 'contract' && !contract)) continue
    if (await apply(db, migration, clock())) ran.push(migration)
  }
  return ran
}

/** Returns false when another node applied it first. */
async function apply(db: Database, migration: Migration, now: number): Promise<boolean> {
  const { version, name, phase, statements, onPostgres = [] } = migration
  const texts = db.engine === 'postgres' ? [...statements, ...onPostgres] : statements
  for (let tries = 1; ; tries++) {
    try {
      await db.write(
        // First, because it is the lock: a concurrent insert of the version waits for this commit
        // and then breaks the primary key, before it changes a table.
        sql`INSERT INTO schema_migrations (version, name, applied_at, phase)
          VALUES (${version}, ${name}, ${now}, ${phase})`,
        ...texts.map((text) => ({ sql: text, args: [] })),
      )
      return true
    } catch (error) {
      // The driver's lock time-out bounds the wait for the other node, so check again.
      const isWaiting = isLocked(error) && tries < MAX_TRIES
      if (!isWaiting && !(error instanceof UniqueViolation)) {
        throw new MigrationFailed(migration, error)
      }
      if ((await readRecord(db)).some((row) => row.version === version)) return false
      if (!isWaiting) throw new MigrationFailed(migration, error)
      await sleep(1000)
    }
  }
}

/** A full disk is no lock: waiting would only hide the cause for a minute. */
const isLocked = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.fault !== 'full'

export interface MigrationState {
  readonly version: number
  readonly name: string
  readonly phase: Migration['phase']
  /** The time in milliseconds; undefined when it has not run. */
  readonly appliedAt: number | undefined
  /** The value is false for one that a newer version of the program has applied. */
  readonly isKnown: boolean
}

/**
 * Every migration of this program and of the database, in order. Changes nothing.
 * @throws SchemaTooOld, DatabaseUnavailable
 */
export async function listMigrations(
  db: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<MigrationState[]> {
  const states = new Map<number, MigrationState>()
  for (const { version, name, phase } of migrations) {
    states.set(version, { version, name, phase, appliedAt: undefined, isKnown: true })
  }
  const record = await readRecord(db)
  requireKnownOrigin(record.map((row) => integer(row, 'version')))
  for (const row of record) {
    const version = integer(row, 'version')
    const known = states.get(version)
    states.set(version, {
      version,
      name: text(row, 'name'),
      phase: known?.phase ?? (row.phase === 'contract' ? 'contract' : 'expand'),
      appliedAt: integer(row, 'applied_at'),
      isKnown: known !== undefined,
    })
  }
  return [...states.values()].sort((a, b) => a.version - b.version)
}

/** Lists the steps that ran; none for a database in which none ever did. @throws DatabaseUnavailable */
async function readRecord(db: Database) {
  try {
    return await db.read(sql`SELECT * FROM schema_migrations ORDER BY version`)
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  }
}

/** Whether a statement failed because a migration has not run yet. */
export const isMissingTable = (error: unknown): boolean =>
  !(error instanceof DatabaseUnavailable) &&
  /no such table|does not exist/.test((error as Error).message)
