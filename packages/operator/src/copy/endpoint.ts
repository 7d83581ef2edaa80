// One endpoint of a copy: a connection in one transaction. It reads its tables from the schema, streams
// rows in the order of their primary key, and inserts rows. Owns the types of both engines and the
// check of a row; contains no SQL. docs/operate/backup.md.

import { KEYED_BY_PART, type Row, type SqlValue } from '@chartside/server/operator/database'

/** The purpose for which an endpoint is opened. */
export type EndpointMode =
  /** The endpoint shows one consistent state; other connections continue to write. */
  | 'snapshot'
  /** The endpoint shows one consistent state; other connections cannot write until it is closed. */
  | 'exclusive'
  /** The endpoint writes rows: no other connection writes, or sees the rows before the commit. */
  | 'target'

export interface Column {
  readonly name: string
  readonly type: 'text' | 'integer' | 'bytes'
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** The indexes of the columns of the primary key in `columns`. */
  readonly key: readonly number[]
}

/** One row, in the order of the columns of its table. Bytes are text here: `\x` and hexadecimal digits. */
export type RowValues = readonly SqlValue[]

export interface CopyEndpoint {
  /** All tables but the record of migrations, by name. */
  readonly tables: readonly Table[]
  /** The migrations that made the schema; none in an empty database. */
  readonly versions: readonly number[]
  count(table: Table): Promise<number>
  /** Yields all rows in key order, text by its UTF-8 bytes, in batches of about a megabyte. */
  rows(table: Table): AsyncIterable<readonly RowValues[]>
  insert(table: Table, rows: readonly RowValues[]): Promise<void>
  /** Resolves when the rows are durable. */
  commit(): Promise<void>
  /** Rolls back what is not committed, and releases the locks. Safe to call twice. */
  close(): Promise<void>
}

/** A copy, backup or restore cannot be done. The message names the cause and the fix, no value. */
export class CopyFailed extends Error {
  override readonly name = 'CopyFailed'
}

export const RECORD_OF_MIGRATIONS = 'schema_migrations'
export const MAX_ROWS_IN_BATCH = 1000
export const BATCH_CHARACTERS = 1_000_000

const TYPES: Readonly<Record<string, Column['type']>> = {
  text: 'text',
  bigint: 'integer',
  integer: 'integer',
  int8: 'integer',
  int4: 'integer',
  int2: 'integer',
  bytea: 'bytes',
}

/** Tables from one row per column: table_name, column_name, type, key_position (0 or null: none). */
export function buildTables(rows: readonly Row[]): Table[] {
  const byName = Map.groupBy(rows, (row) => String(row.table_name))
  byName.delete(RECORD_OF_MIGRATIONS)
  return [...byName].map(([name, described]) => {
    const columns = described.map((row) => {
      const type = TYPES[String(row.type).toLowerCase()]
      if (!type) {
        throw new CopyFailed(
          `Column ${name}.${row.column_name} has the type ${row.type}; a copy supports text, integers and bytes.`,
        )
      }
      return { name: String(row.column_name), type }
    })
    const key = described
      .map((row, at) => ({ at, position: Number(row.key_position ?? 0) }))
      // A divided table has the partition key in its primary key, which names a row without it.
      .filter(
        ({ at, position }) =>
          position > 0 && (columns[at]?.name !== 'part' || KEYED_BY_PART.includes(name)),
      )
      .sort((a, b) => a.position - b.position)
      .map(({ at }) => at)
    if (key.length === 0) {
      throw new CopyFailed(`Table ${name} has no primary key, so its rows cannot be compared.`)
    }
    return { name, columns, key }
  })
}

/** Says which row is meant: `table launches, id = lau_…`. Keys are identifiers, never secrets. */
export function describeRow({ name, columns, key }: Table, row: RowValues): string {
  const parts = key.map((at) => `${columns[at]?.name} = ${row[at]}`)
  return `table ${name}, ${parts.join(', ')}`
}

const BYTES = /^\\x(?:[0-9a-f]{2})*$/
const TERMS = { text: 'text', integer: 'an integer', bytes: 'bytes' } as const

/** Says why the value cannot be copied, if so; SQLite stores any type of value in any column. */
function decideProblem({ type }: Column, value: unknown): string | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') {
    return type === 'text' || (type === 'bytes' && BYTES.test(value))
      ? undefined
      : `holds text, not ${TERMS[type]}`
  }
  if (typeof value !== 'number') return 'holds neither text nor an integer'
  if (!Number.isSafeInteger(value)) return 'holds a number that is not a safe integer'
  return type === 'integer' ? undefined : `holds a number, not ${TERMS[type]}`
}

/** @throws CopyFailed naming table, key and column of the first value that cannot be copied. */
export function checkRow(table: Table, row: readonly unknown[]): RowValues {
  table.columns.forEach((column, at) => {
    const problem = decideProblem(column, row[at])
    if (problem) {
      throw new CopyFailed(
        `${describeRow(table, row as RowValues)}: column ${column.name} ${problem}. Correct the row in the source, then copy again.`,
      )
    }
  })
  return row as RowValues
}
