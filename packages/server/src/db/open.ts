// Chooses the driver by the database URL and loads only that one, so that an embedded installation
// never pays for the PostgreSQL client. Knows no table and no environment. Contract §7.
import type { Database } from './database.ts'
import type { PostgresOptions } from './postgres/postgres.ts'

/**
 * `file:path` opens the embedded SQLite database, `postgres://` or `postgresql://` a PostgreSQL.
 * @throws DatabaseUnavailable; TypeError for any other URL, without repeating it.
 */
export async function openDatabase(url: string, options: PostgresOptions = {}): Promise<Database> {
  if (url.startsWith('file:')) {
    const { openSqlite } = await import('./sqlite/sqlite.ts')
    return openSqlite(url.replace(/^file:(\/\/)?/, ''))
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import('./postgres/postgres.ts')
    return openPostgres(url, options)
  }
  throw new TypeError('the database URL must start with file:, postgres:// or postgresql://')
}

/** Whether several nodes can stand on this database; the embedded one belongs to a single process. */
export const isShared = (url: string) => !url.startsWith('file:')
