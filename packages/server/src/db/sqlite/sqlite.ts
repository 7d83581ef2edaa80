// The SQLite driver (node:sqlite): WAL, every acknowledged write fsynced, and writes that wait
// together sharing one commit, so that a burst pays for one fsync instead of one each.
// Owns the connection and the statement cache; knows no table.

import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type Database,
  type DatabaseFault,
  DatabaseUnavailable,
  type Row,
  UniqueViolation,
} from '../database.ts'
import type { SqlValue, Statement } from '../sql.ts'

interface WaitingWrite {
  readonly statements: readonly Statement[]
  readonly resolve: (rows: Row[][]) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { rows: Row[][] } | { error: unknown }

const BUSY_TIMEOUT_MS = 5000
/** How many turns of the event loop a write may wait for others to join its commit. */
const MAX_TURNS = 4
const CONSTRAINT_UNIQUE = 2067
const CONSTRAINT_PRIMARY_KEY = 1555

/** Opens (and creates) the database file. `:memory:` is for tests. @throws DatabaseUnavailable */
export function openSqlite(path: string): Database {
  const connection = connect(path)
  const prepared = new Map<string, StatementSync>()
  let waiting: WaitingWrite[] = []
  let isClosed = false

  function prepare(sql: string): StatementSync {
    let found = prepared.get(sql)
    if (!found) {
      found = connection.prepare(sql)
      prepared.set(sql, found)
    }
    return found
  }

  const rowsOf = (sql: string, args: readonly SqlValue[]) => prepare(sql).all(...args) as Row[]

  function runWrite(write: WaitingWrite): Outcome {
    // A lone statement undoes itself when it fails; several need a savepoint to do so together.
    const isAlone = write.statements.length === 1
    try {
      if (!isAlone) connection.exec('SAVEPOINT write')
      const rows = write.statements.map(({ sql, args }) => rowsOf(sql, args))
      if (!isAlone) connection.exec('RELEASE write')
      return { rows }
    } catch (error) {
      if (!connection.isTransaction) throw error
      if (!isAlone) connection.exec('ROLLBACK TO write; RELEASE write')
      return { error: translate(error) }
    }
  }

  /**
   * Waits for another turn of the event loop while turns keep bringing writes, so that under load
   * more of them share the fsync. On a quiet node the extra turn costs microseconds.
   */
  function gather(before: number, turnsLeft: number): void {
    if (waiting.length > before && turnsLeft > 0) {
      setImmediate(gather, waiting.length, turnsLeft - 1)
    } else flush()
  }

  /** Commits everything that waits in one transaction; answers only after the fsync. */
  function flush(): void {
    const group = waiting
    waiting = []
    let outcomes: Outcome[]
    try {
      connection.exec('BEGIN IMMEDIATE')
      outcomes = group.map(runWrite)
      connection.exec('COMMIT')
    } catch (error) {
      // Disk full, a failed fsync, a lock held elsewhere: nothing of the group is durable.
      if (!isClosed && connection.isTransaction) connection.exec('ROLLBACK')
      for (const write of group) write.reject(translate(error))
      return
    }
    group.forEach((write, i) => {
      const outcome = outcomes[i]
      if (outcome && 'rows' in outcome) write.resolve(outcome.rows)
      else write.reject(outcome?.error)
    })
  }

  return {
    async read({ sql, args }) {
      try {
        return rowsOf(sql, args)
      } catch (error) {
        throw translate(error)
      }
    },
    write(...statements) {
      return new Promise((resolve, reject) => {
        if (isClosed) {
          reject(new DatabaseUnavailable(new Error('the database is closed')))
          return
        }
        if (waiting.length === 0) setImmediate(gather, 0, MAX_TURNS)
        waiting.push({ statements, resolve, reject })
      })
    },
    async close() {
      if (isClosed) return
      isClosed = true
      if (waiting.length > 0) flush()
      connection.close()
    },
  }
}

function connect(path: string): DatabaseSync {
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    // The write-ahead log takes the mode of the database file.
    if (path !== ':memory:') chmodSync(path, 0o600)
    connection.exec('PRAGMA journal_mode = WAL')
    connection.exec('PRAGMA synchronous = FULL')
    connection.exec('PRAGMA foreign_keys = ON')
    return connection
  } catch (error) {
    throw new DatabaseUnavailable(error)
  }
}

/** Primary result codes (sqlite3.h) that mean a mistake in a statement, not a database in trouble. */
const PROGRAMMER_ERRORS = new Set([1, 19, 20, 25])

/** The primary result codes that an operator can do something about. */
const FAULTS = new Map<number, DatabaseFault>([
  [5, 'busy'], // BUSY
  [6, 'busy'], // LOCKED
  [8, 'read_only'], // READONLY
  [10, 'full'], // IOERR: the system refused a read or a write, such as one over a quota
  [13, 'full'], // FULL
])

/** SQLite's own errors become the port's; a mistake in a statement stays what it is. */
function translate(error: unknown): unknown {
  const { errcode, code } = error as { errcode?: number; code?: string }
  if (errcode === undefined) {
    return code === 'ERR_INVALID_STATE' ? new DatabaseUnavailable(error) : error
  }
  if (errcode === CONSTRAINT_UNIQUE || errcode === CONSTRAINT_PRIMARY_KEY) {
    return new UniqueViolation(error)
  }
  const primary = errcode & 0xff
  if (PROGRAMMER_ERRORS.has(primary)) return error
  return new DatabaseUnavailable(error, FAULTS.get(primary) ?? 'failing')
}
