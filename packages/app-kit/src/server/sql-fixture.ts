// The databases on which the SQL stores of this folder are tested: SQLite with two connections to a file, and
// PostgreSQL with twenty when there is one. Not part of the package.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import pg from 'pg'
import type { SqlStoreOptions } from './sql-store.ts'

/** One for each connection, or for each pool of them. */
export type Connections = readonly Pick<SqlStoreOptions, 'run' | 'placeholder'>[]

export async function openSqlite(t: TestContext): Promise<Connections> {
  const directory = mkdtempSync(join(tmpdir(), 'sql-store-'))
  const connections = [1, 2].map(() => new DatabaseSync(join(directory, 'app.db')))
  t.after(() => {
    for (const connection of connections) connection.close()
    rmSync(directory, { recursive: true })
  })
  return connections.map((connection) => {
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000')
    return { run: async (sql, values) => connection.prepare(sql).all(...values) }
  })
}

export async function openPostgres(t: TestContext): Promise<Connections> {
  const schema = 'sql_store_test'
  const connectionString = process.env.TEST_POSTGRES_URL
  const pool = new pg.Pool({ connectionString, max: 20, options: `-c search_path=${schema}` })
  await pool.query(`CREATE SCHEMA ${schema}`)
  t.after(async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`)
    await pool.end()
  })
  const run: SqlStoreOptions['run'] = async (sql, values) =>
    (await pool.query(sql, [...values])).rows
  return [{ run, placeholder: (n) => `$${n}` }]
}

/** Why the tests on PostgreSQL do not run here. */
export const NO_POSTGRES = process.env.TEST_POSTGRES_URL
  ? false
  : 'no TEST_POSTGRES_URL; npm test sets one when it runs everything'
