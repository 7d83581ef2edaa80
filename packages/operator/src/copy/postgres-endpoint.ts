// The PostgreSQL endpoint of a copy (pg): one connection, one transaction, a cursor for reading, and
// one JSON parameter for a batch of rows to write. Owns the locks that block other writers during a
// copy; knows no table by name but the record of migrations.

import type { Row, SqlValue } from '@chartside/server/operator/database'
import { checkedUrl, parseHosts } from '@chartside/server/operator/postgres'
import pg from 'pg'
import {
  BATCH_CHARACTERS,
  buildTables,
  type CopyEndpoint,
  CopyFailed,
  checkRow,
  describeRow,
  type EndpointMode,
  MAX_ROWS_IN_BATCH,
  RECORD_OF_MIGRATIONS,
  type RowValues,
  type Table,
} from './endpoint.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** The first batch of a table is small, because the size of its rows is unknown. */
const FIRST_BATCH = 50
/** The other endpoint may sort a large table meanwhile. A copy that stopped loses its locks after this. */
const SETTINGS = `SET LOCAL lock_timeout = '3s'; SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = '15min'; SET LOCAL synchronous_commit = on`

const BEGIN: Readonly<Record<EndpointMode, string>> = {
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  exclusive: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  target: 'BEGIN',
}

const COLUMNS = `SELECT c.relname AS table_name, a.attname AS column_name, t.typname AS type,
    array_position(string_to_array(i.indkey::text, ' '), a.attnum::text) AS key_position
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = (
    SELECT oid FROM pg_namespace WHERE nspname = current_schema())
  ORDER BY c.relname COLLATE "C", a.attnum`

/** The machines of Citus keep connections among themselves. */
const OTHERS = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
  AND backend_type = 'client backend' AND pid <> pg_backend_pid()
  AND application_name NOT ILIKE 'citus%' LIMIT 1`

/** Every value arrives as text of PostgreSQL; the schema has its type. */
const AS_TEXT = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

/** @throws CopyFailed; TypeError for a URL that does not name a PostgreSQL. */
export async function openPostgresEndpoint(url: string, mode: EndpointMode): Promise<CopyEndpoint> {
  const client = await connectToOne(parseHosts(url).urls)
  try {
    const described: Row[] = (await client.query(COLUMNS)).rows
    const hasRecord = described.some((row) => row.table_name === RECORD_OF_MIGRATIONS)
    // Before the first query, which takes the snapshot: what was committed while waiting is in it.
    await beginLocked(client, mode, new Set(described.map((row) => String(row.table_name))))
    const versions = hasRecord
      ? (await client.query(`SELECT version FROM ${RECORD_OF_MIGRATIONS} ORDER BY version`)).rows
      : []
    return endpointOf(
      client,
      buildTables(described),
      versions.map((row) => Number(row.version)),
    )
  } catch (error) {
    await client.end().catch(() => {})
    throw explain(error)
  }
}

/** Whether another client is connected to the database now. */
export async function isConnectedElsewhere(url: string): Promise<boolean> {
  const client = await connectToOne(parseHosts(url).urls)
  try {
    const { rowCount } = await client.query(OTHERS)
    return rowCount !== 0
  } finally {
    await client.end()
  }
}

/** The first host that takes writes: a replica may lack rows. */
async function connectToOne(urls: readonly string[]): Promise<pg.Client> {
  let failure: unknown
  for (const url of urls) {
    const client = new pg.Client({
      connectionString: checkedUrl(url),
      fallback_application_name: 'chartside db',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      types: AS_TEXT,
    })
    // A pending query rejects by itself; without this listener the event would end the process.
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query('SELECT pg_is_in_recovery() AS is_replica')
      if (rows[0]?.is_replica !== 't') return client
      throw new CopyFailed('This PostgreSQL is a replica. Name the server that takes writes.')
    } catch (error) {
      failure = error
      await client.end().catch(() => {})
    }
  }
  throw explain(failure)
}

const DEADLOCK = '40P01'
const MAX_TRIES = 5

/**
 * A running node may write to two tables in the order in which they are not locked here, and each then waits
 * for the other. PostgreSQL ends one of the two, mostly this one, which has waited longer: it begins again.
 */
async function beginLocked(
  client: pg.Client,
  mode: EndpointMode,
  names: ReadonlySet<string>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query(`${BEGIN[mode]}; ${SETTINGS}`)
    try {
      return await lock(client, mode, names)
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || tries === MAX_TRIES) throw error
      await client.query('ROLLBACK')
    }
  }
}

/** SHARE and EXCLUSIVE let other connections read; writers wait, up to their own lock timeout. */
async function lock(
  client: pg.Client,
  mode: EndpointMode,
  names: ReadonlySet<string>,
): Promise<void> {
  if (mode === 'snapshot' || names.size === 0) return
  const list = [...names].map((name) => `"${name}"`).join(', ')
  await client.query(`LOCK TABLE ${list} IN ${mode === 'exclusive' ? 'SHARE' : 'EXCLUSIVE'} MODE`)
}

function endpointOf(client: pg.Client, tables: Table[], versions: number[]): CopyEndpoint {
  let isEnded = false

  async function run(text: string, values: unknown[] = []): Promise<pg.QueryArrayResult> {
    try {
      return await client.query({ text, values, rowMode: 'array' })
    } catch (error) {
      throw explain(error)
    }
  }

  return {
    tables,
    versions,
    async count({ name }) {
      return Number((await run(`SELECT COUNT(*) FROM "${name}"`)).rows[0]?.[0])
    },
    async *rows(table) {
      const { name, columns, key } = table
      const order = key.map((at) => {
        const column = columns[at]
        return `"${column?.name}"${column?.type === 'text' ? ' COLLATE "C"' : ''}`
      })
      // A cursor, because in another collation no index has this order: it sorts once.
      await run(
        `DECLARE copied NO SCROLL CURSOR FOR SELECT ${namesOf(table)} FROM "${name}" ORDER BY ${order.join(', ')}`,
      )
      for (let most = FIRST_BATCH; ; ) {
        const { rows } = await run(`FETCH ${most} FROM copied`)
        if (rows.length === 0) break
        most = decideBatch(rows)
        yield rows.map((row) => checkRow(table, decode(table, row)))
      }
      await run('CLOSE copied')
    },
    async insert(table, rows) {
      const objects = rows.map((row) => buildObject(table, row))
      const names = namesOf(table)
      await run(
        `INSERT INTO "${table.name}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${table.name}", $1::json)`,
        [JSON.stringify(objects)],
      )
    },
    async commit() {
      try {
        await client.query('COMMIT')
      } catch (error) {
        throw new CopyFailed(
          'The connection broke while the copy was being committed, so it may be there or not. Run the same command again: it copies, or says that the target holds rows, and then it is there.',
          { cause: error },
        )
      }
    },
    async close() {
      if (isEnded) return
      isEnded = true
      await client.end().catch(() => {})
    },
  }
}

const namesOf = ({ columns }: Table) => columns.map(({ name }) => `"${name}"`).join(', ')

/** Estimates how many rows like these make a batch. */
function decideBatch(rows: readonly (string | null)[][]): number {
  const characters = rows.flat().reduce((sum, field) => sum + (field?.length ?? 0), 0)
  const fitting = Math.floor((BATCH_CHARACTERS * rows.length) / Math.max(characters, 1))
  return Math.min(Math.max(fitting, 1), MAX_ROWS_IN_BATCH)
}

function decode({ columns }: Table, row: readonly (string | null)[]): SqlValue[] {
  return row.map((field, at) =>
    field === null || columns[at]?.type !== 'integer' ? field : Number(field),
  )
}

function buildObject(table: Table, row: RowValues): Record<string, SqlValue> {
  const object: Record<string, SqlValue> = {}
  table.columns.forEach(({ name }, at) => {
    const value = row[at] ?? null
    if (typeof value === 'string' && value.includes('\0')) {
      throw new CopyFailed(
        `${describeRow(table, row)}: column ${name} holds the character U+0000, which PostgreSQL cannot store. Take it out in the source, then copy again.`,
      )
    }
    object[name] = value
  })
  return object
}

/** Shows the message only: the details of PostgreSQL quote rows. */
function explain(error: unknown): unknown {
  if (error instanceof CopyFailed || error instanceof TypeError) return error
  const { message, code } = error as { message: string; code?: string }
  const fix =
    code === '55P03'
      ? ' Another process holds a lock on it: stop it, or wait until it is done.'
      : ''
  return new CopyFailed(`PostgreSQL: ${message || code}.${fix}`)
}
