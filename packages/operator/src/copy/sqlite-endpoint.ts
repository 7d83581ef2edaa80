// The SQLite endpoint of a copy (node:sqlite), and two checks of a database file: whether it is
// intact, and whether another process has it open. Opens a connection of its own beside a running
// service; knows no table by name but the record of migrations.

import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Row } from '@chartside/server/operator/database'
import {
  BATCH_CHARACTERS,
  buildTables,
  type CopyEndpoint,
  CopyFailed,
  checkRow,
  type EndpointMode,
  MAX_ROWS_IN_BATCH,
  RECORD_OF_MIGRATIONS,
  type RowValues,
  type Table,
} from './endpoint.ts'

const BUSY_TIMEOUT_MS = 3000
const BUSY = 5
const FULL = 13
const COLUMNS = `SELECT t.name AS table_name, c.name AS column_name, c.type AS type, c.pk AS key_position
  FROM sqlite_master t JOIN pragma_table_info(t.name) c
  WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' ORDER BY t.name, c.cid`

/** Opens a database file that exists. @throws CopyFailed */
export async function openSqliteEndpoint(path: string, mode: EndpointMode): Promise<CopyEndpoint> {
  const connection = open(path, mode === 'snapshot')
  try {
    // A deferred transaction has its snapshot from its first read on, the one of the schema.
    connection.exec(mode === 'snapshot' ? 'BEGIN' : 'BEGIN IMMEDIATE')
    const tables = buildTables(connection.prepare(COLUMNS).all() as Row[])
    return endpointOf(path, connection, tables, readVersions(connection))
  } catch (error) {
    connection.close()
    throw explain(path, error)
  }
}

function endpointOf(
  path: string,
  connection: DatabaseSync,
  tables: Table[],
  versions: number[],
): CopyEndpoint {
  const explained = (write: () => unknown) => {
    try {
      write()
    } catch (error) {
      throw explain(path, error)
    }
  }
  return {
    tables,
    versions,
    async count({ name }) {
      return Number(connection.prepare(`SELECT COUNT(*) AS n FROM "${name}"`).get()?.n)
    },
    async *rows(table) {
      const { name, columns, key } = table
      const statement = connection.prepare(
        `SELECT ${namesOf(columns)} FROM "${name}" ORDER BY ${namesOf(key.map((at) => columns[at]))}`,
      )
      statement.setReturnArrays(true)
      let batch: RowValues[] = []
      let characters = 0
      for (const cells of iterate(table, statement.iterate())) {
        batch.push(cells)
        for (const value of cells) characters += typeof value === 'string' ? value.length : 8
        if (batch.length < MAX_ROWS_IN_BATCH && characters < BATCH_CHARACTERS) continue
        yield batch
        batch = []
        characters = 0
      }
      if (batch.length > 0) yield batch
    },
    async insert({ name, columns }, rows) {
      const marks = columns.map(() => '?').join(', ')
      const statement = connection.prepare(
        `INSERT INTO "${name}" (${namesOf(columns)}) VALUES (${marks})`,
      )
      for (const row of rows) {
        const values = row.map((value, at) =>
          columns[at]?.type === 'bytes' && typeof value === 'string'
            ? Buffer.from(value.slice(2), 'hex')
            : value,
        )
        explained(() => statement.run(...values))
      }
    },
    async commit() {
      explained(() => connection.exec('COMMIT'))
    },
    async close() {
      if (connection.isOpen) connection.close()
    },
  }
}

function* iterate(table: Table, rows: Iterable<unknown>): Generator<RowValues> {
  try {
    for (const row of rows) {
      yield checkRow(
        table,
        (row as unknown[]).map((value, at) =>
          value instanceof Uint8Array && table.columns[at]?.type === 'bytes'
            ? `\\x${Buffer.from(value).toString('hex')}`
            : value,
        ),
      )
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_OUT_OF_RANGE') throw error
    throw new CopyFailed(
      `Table ${table.name} holds an integer beyond 2^53, which no column of the service does.`,
    )
  }
}

const namesOf = (columns: readonly ({ readonly name: string } | undefined)[]) =>
  columns.map((column) => `"${column?.name}"`).join(', ')

function readVersions(connection: DatabaseSync): number[] {
  const hasRecord = connection
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    .get(RECORD_OF_MIGRATIONS)
  if (!hasRecord) return []
  return connection
    .prepare(`SELECT version FROM ${RECORD_OF_MIGRATIONS} ORDER BY version`)
    .all()
    .map((row) => Number(row.version))
}

function open(path: string, readOnly: boolean): DatabaseSync {
  if (!existsSync(path)) throw new CopyFailed(`There is no database at ${path}.`)
  try {
    const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly })
    connection.exec('PRAGMA synchronous = FULL')
    return connection
  } catch (error) {
    throw explain(path, error)
  }
}

/** The fixes by the primary result code of SQLite. */
const FIXES: Readonly<Record<number, string>> = {
  [BUSY]: ' Another process is writing to it: stop it first.',
  [FULL]: ' Make room, or choose another place.',
}

function explain(path: string, error: unknown): unknown {
  const { errcode, message } = error as { errcode?: number; message: string }
  if (errcode === undefined) return error
  const fix = FIXES[errcode & 0xff] ?? ''
  return new CopyFailed(`${path} cannot be used: ${message}.${fix}`, { cause: error })
}

/**
 * Writes one consistent state of the database into another file, which must be empty or absent. Other
 * connections continue to write: it only reads, and never starts over. The file is not yet fsynced.
 */
export function writeSnapshot(path: string, into: string): void {
  const connection = open(path, true)
  try {
    connection.prepare('VACUUM INTO ?').run(into)
  } catch (error) {
    throw explain(path, error)
  } finally {
    connection.close()
  }
}

/** Makes the database a single file, without a log beside it. */
export function leaveWal(path: string): void {
  const connection = open(path, false)
  try {
    connection.exec('PRAGMA journal_mode = DELETE')
  } finally {
    connection.close()
  }
}

/** @throws CopyFailed when a page, a row or an index of the file is damaged. Reads all of it. */
export function checkIntegrity(path: string): void {
  const connection = open(path, true)
  let found: string
  try {
    found = String(connection.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
  } catch (error) {
    throw explain(path, error)
  } finally {
    connection.close()
  }
  if (found !== 'ok') throw new CopyFailed(`${path} is damaged: ${found.replaceAll('\n', ' ')}.`)
}

/** Whether another process has the database open, also when idle. Changes nothing in the file. */
export function isOpenElsewhere(path: string): boolean {
  const connection = new DatabaseSync(path, { timeout: 0 })
  try {
    // In WAL mode every open connection holds a shared lock on the file, which conflicts with the
    // exclusive one.
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK')
    return false
  } catch (error) {
    // No process can use a file that is too damaged to open.
    return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === BUSY
  } finally {
    connection.close()
  }
}
