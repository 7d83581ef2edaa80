// Databases for the tests of copy, backup and restore: any number of rows in every table that the
// schema has, with the values that tell engines apart, and a way to read all of it back. Owns no
// expectation.

import { DatabaseSync } from 'node:sqlite'
import { openEndpoint } from '../../operator/src/copy/copy.ts'
import type { Column, RowValues, Table } from '../../operator/src/copy/endpoint.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import type { SqlValue } from '../src/db/sql.ts'

export const fixedClock = () => Date.parse('2026-03-01T12:00:00Z')

/** Sorted by bytes, by UTF-16 units and by a dictionary, these come in three different orders. */
const TEXTS = ['', "it's “q” \\ $1 ?", '💊 pill', '\uFFFD mark', 'Zoë', 'ähre', 'zebra', 'a\nb\t"']
const INTEGERS = [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1_700_000_000_000]

export async function migrateFresh(url: string): Promise<void> {
  const db = await openDatabase(url)
  await migrate(db, fixedClock, { contract: true })
  await db.close()
}

/** The widest table, and of each kind of key one. */
const LONG_TABLES = ['accounts', 'audit_entries', 'audit_links', 'launches', 'members']

/**
 * Above the size of a batch, on either endpoint, where that can make a difference: batches know of a table only
 * its columns and its key. In all others above the first batch of PostgreSQL.
 */
export const aboveBatch = (table: string): number => (LONG_TABLES.includes(table) ? 1203 : 63)

/** A database with so many rows in each of its tables. */
export async function fillDatabase(
  url: string,
  rowsOf: number | ((table: string) => number),
): Promise<void> {
  await migrateFresh(url)
  const endpoint = await openEndpoint(url, 'target')
  for (const table of endpoint.tables) {
    const rows = typeof rowsOf === 'number' ? rowsOf : rowsOf(table.name)
    for (let at = 0; at < rows; at += 500) {
      const count = Math.min(500, rows - at)
      const batch = Array.from({ length: count }, (_, i) => buildRow(table, at + i))
      await endpoint.insert(table, batch)
    }
  }
  await endpoint.commit()
  await endpoint.close()
}

/** Unique in its key and in every other column, so that it fits any index; some columns are null. */
const buildRow = (table: Table, n: number): SqlValue[] =>
  table.columns.map((column, at) => {
    if (table.key.includes(at)) return chooseValue(column, n, true)
    const isNullable = /^(ended|retired_at|deleted_at|code_nonce)$/.test(column.name)
    return isNullable && n % 2 === 0 ? null : chooseValue(column, n, n >= TEXTS.length)
  })

/** Tables of the same types hold other values, because their columns have other names. */
function chooseValue({ name, type }: Column, n: number, isUnique: boolean): SqlValue {
  if (type === 'integer') {
    const at = (n + name.length) % INTEGERS.length
    return isUnique || /generation|version|^part$/.test(name) ? n : (INTEGERS[at] ?? 0)
  }
  if (type === 'bytes') return `\\x${(n + name.length).toString(16).padStart(8, '0')}`
  const text = TEXTS[n % TEXTS.length] ?? ''
  return isUnique || /email|client_id/.test(name) ? `${text}${n}` : text
}

/** Every row of every table, by the name of the table. */
export async function readEverything(url: string): Promise<Record<string, RowValues[]>> {
  const endpoint = await openEndpoint(url, 'snapshot')
  const everything: Record<string, RowValues[]> = {}
  for (const table of endpoint.tables) {
    const rows: RowValues[] = []
    for await (const batch of endpoint.rows(table)) rows.push(...batch)
    everything[table.name] = rows
  }
  await endpoint.close()
  return everything
}

export async function countRows(url: string): Promise<number> {
  return Object.values(await readEverything(url)).flat().length
}

/** Runs statements on a database directly, without the service. */
export async function tamper(url: string, ...statements: string[]): Promise<void> {
  if (url.startsWith('file:')) {
    const connection = new DatabaseSync(url.slice('file:'.length))
    for (const sql of statements) connection.exec(sql)
    connection.close()
    return
  }
  const db = await openDatabase(url)
  for (const sql of statements) await db.write({ sql, args: [] })
  await db.close()
}
