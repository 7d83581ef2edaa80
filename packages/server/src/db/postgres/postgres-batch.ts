// One round trip to PostgreSQL: any number of statements, each prepared once per connection and
// described once, sent together with a single Sync. An error makes the server skip everything up to
// that Sync, so statements after a failed one (COMMIT above all) never run.
// Knows no pool and no retry. PostgreSQL manual, "Extended Query" and "Pipelining".

import { hash } from 'node:crypto'
import pg, { type ClientBase, type Connection, type FieldDef } from 'pg'
import { DatabaseUnavailable, type Row } from '../database.ts'
import type { SqlValue, Statement } from '../sql.ts'
import { decideFailure } from './postgres-errors.ts'
import {
  addExecution,
  addPrepare,
  beginMessages,
  endMessages,
  type NamedText,
} from './postgres-messages.ts'

/** Each SQL text is translated and named once; the texts of the stores are few and fixed. */
const texts = new Map<string, NamedText>()

function textOf(source: string): NamedText {
  let found = texts.get(source)
  if (!found) {
    const sql = numberPlaceholders(source)
    found = { sql, name: `cs_${hash('sha256', sql, 'hex').slice(0, 16)}` }
    texts.set(source, found)
  }
  return found
}

interface Column {
  readonly name: string
  readonly decode: (text: string) => SqlValue
}

/** Each connection has prepared these: the columns of the rows, by the name of the statement. */
const preparedOn = new WeakMap<Connection, Map<string, readonly Column[]>>()

/**
 * Runs the statements in order and returns the rows of each, after the server is ready again.
 * `isUnnamed`: a pooler may run each batch on another server connection, so none is prepared for later.
 * @throws the error of PostgreSQL or of the socket; DatabaseUnavailable after `timeoutMs` without answer.
 */
export function runBatch(
  client: ClientBase,
  statements: readonly Statement[],
  timeoutMs: number,
  isUnnamed = false,
): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    const sent = statements.map(({ sql, args }) => ({ text: textOf(sql), values: encode(args) }))
    const results: Row[][] = []
    let rows: Row[] = []
    let columns: readonly Column[] | undefined
    let prepared = new Map<string, readonly Column[]>()
    let failure: unknown

    const timer = timeoutMs > 0 ? setTimeout(onTimeout, timeoutMs) : undefined
    function onTimeout(): void {
      const cause = new Error(`no answer from PostgreSQL in ${timeoutMs} ms`)
      reject(new DatabaseUnavailable(cause, 'unresponsive'))
    }
    function columnsNow(): readonly Column[] {
      const name = sent[results.length]?.text.name ?? ''
      return columns ?? prepared.get(name) ?? []
    }

    client.query({
      submit(connection: Connection) {
        if (isUnnamed) return sendUnnamed(connection, sent)
        prepared = preparedOn.get(connection) ?? prepared
        preparedOn.set(connection, prepared)
        send(connection, sent, prepared)
      },
      handleRowDescription({ fields }: { fields: readonly FieldDef[] }) {
        columns = fields.map(({ name, dataTypeID }) => ({
          name,
          decode: DECODERS.get(dataTypeID) ?? String,
        }))
      },
      handleDataRow({ fields }: { fields: readonly (string | null)[] }) {
        try {
          rows.push(decodeRow(columnsNow(), fields))
        } catch (error) {
          failure ??= error
        }
      },
      handleCommandComplete() {
        const name = sent[results.length]?.text.name ?? ''
        if (!isUnnamed) prepared.set(name, columnsNow())
        results.push(rows)
        rows = []
        columns = undefined
      },
      handleEmptyQuery() {
        results.push(rows)
      },
      handleReadyForQuery() {
        clearTimeout(timer)
        if (failure === undefined) resolve(results)
        else reject(failure)
      },
      handleError(error: unknown) {
        clearTimeout(timer)
        // It quotes the row ("Failing row contains …"), and errors end up in logs.
        if (error instanceof pg.DatabaseError) error.detail = undefined
        if (decideFailure(error) === 'stale')
          for (const { text } of sent) prepared.delete(text.name)
        reject(error)
      },
    })
  })
}

interface Sent {
  readonly text: NamedText
  readonly values: (string | null)[]
}

/** Prepares what this connection does not know yet, runs each statement, and sends all in one write. */
function send(
  connection: Connection,
  sent: readonly Sent[],
  prepared: ReadonlyMap<string, unknown>,
): void {
  const preparing = new Set<string>()
  beginMessages()
  for (const { text, values } of sent) {
    if (!prepared.has(text.name) && !preparing.has(text.name)) {
      preparing.add(text.name)
      // A statement whose first run failed, or that is stale, is prepared again in the same way.
      addPrepare(text)
    }
    addExecution(text.name, values)
  }
  connection.stream.write(endMessages())
}

/** Each statement is described, because nothing is known of an unnamed one. */
function sendUnnamed(connection: Connection, sent: readonly Sent[]): void {
  beginMessages()
  for (const { text, values } of sent) {
    addPrepare({ name: '', sql: text.sql })
    addExecution('', values)
  }
  connection.stream.write(endMessages())
}

function encode(args: readonly SqlValue[]): (string | null)[] {
  return args.map((value) => {
    if (value === null || typeof value === 'string') return value
    if (typeof value === 'number') return String(value)
    if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
    throw new TypeError(`a ${typeof value} cannot be a parameter`)
  })
}

function decodeRow(columns: readonly Column[], fields: readonly (string | null)[]): Row {
  const row: Record<string, SqlValue> = {}
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index]
    const field = fields[index] ?? null
    if (column) row[column.name] = field === null ? null : column.decode(field)
  }
  return row
}

function decodeNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`the integer ${text} is too large for a number`)
  }
  return value
}

function decodeBytes(text: string): Uint8Array {
  if (!text.startsWith('\\x')) throw new TypeError('bytea_output of this PostgreSQL is not hex')
  return Buffer.from(text.slice(2), 'hex')
}

/** Types that are numbers or bytes to the port, by their fixed object identifiers; all others are text. */
const DECODERS = new Map<number, (text: string) => SqlValue>([
  [16, (text) => (text === 't' ? 1 : 0)], // boolean, as SQLite has it
  [17, decodeBytes], // bytea
  [20, decodeNumber], // bigint, COUNT
  [21, decodeNumber], // smallint
  [23, decodeNumber], // integer
  [701, Number], // double precision
  [1700, decodeNumber], // numeric, SUM of bigint
])

/** A text that is copied as it stands, or a placeholder. Quotes double inside literals, in both engines. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g

/** The same statement with numbered parameters. */
export function numberPlaceholders(sql: string): string {
  let count = 0
  return sql.replace(TOKEN, (token) => {
    if (token !== '?') return token
    count += 1
    return `$${count}`
  })
}
