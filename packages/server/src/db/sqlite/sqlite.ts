// The SQLite driver (node:sqlite): WAL, every acknowledged write fsynced, and group commit: queued
// writes share one transaction, so that a burst pays for one fsync.
// Owns the connection and the statement cache; knows no table.

import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type Database,
  type DatabaseFault,
  DatabaseUnavailable,
  type Row,
  UniqueViolation,
} from '../database.ts'
import { type SqlValue, type Statement, sql } from '../sql.ts'
import { RememberedReads } from './remembered-reads.ts'

interface QueuedWrite {
  readonly statements: readonly Statement[]
  readonly resolve: (rows: Row[][]) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { rows: Row[][] } | { error: unknown }

const BUSY_TIMEOUT_MS = 5000
/** A write waits at most so many iterations of the event loop for others to join its commit. */
const MAX_ITERATIONS = 4
/** Remembered reads may miss a write of another process, such as a command of an operator, for this time. */
const OTHERS_EVERY_MS = 100
const CONSTRAINT_UNIQUE = 2067
const CONSTRAINT_PRIMARY_KEY = 1555

/** A table of its own, so that no page which the file has already can take it. */
const PROBE_SPACE = [
  sql`CREATE TABLE IF NOT EXISTS free_space_probe (content BLOB)`,
  sql`INSERT INTO free_space_probe (content) VALUES (zeroblob(524288))`,
]
/** A transaction of its own: what is removed before the commit is never written. */
const REMOVE_PROBE = [sql`DROP TABLE IF EXISTS free_space_probe`]

/** Opens (and creates) the database file. `:memory:` is for tests. @throws DatabaseUnavailable */
export function openSqlite(path: string): Database {
  const database = new SqliteDatabase(connect(path))
  return {
    engine: 'sqlite',
    timeExpression: sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
    read: (statement) => database.read(statement),
    write: (...statements) => database.write(statements),
    async probeFreeSpace() {
      await database.write(PROBE_SPACE)
      await database.write(REMOVE_PROBE)
    },
    close: () => database.close(),
  }
}

class SqliteDatabase {
  readonly #connection: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()
  #queue: QueuedWrite[] = []
  #isClosed = false
  readonly #remembered = new RememberedReads()
  #version: SqlValue | undefined
  /** The value is true when it has looked for writes of another process in the last tenth of a second. */
  #hasLooked = false

  constructor(connection: DatabaseSync) {
    this.#connection = connection
  }

  async read(statement: Statement): Promise<Row[]> {
    try {
      if (!statement.remembered || this.#isClosed) return this.#run(statement.sql, statement.args)
      this.#noteOthers(statement.remembered.seesOthersAtOnce)
      const known = this.#remembered.find(statement)
      if (known) return known as Row[]
      const rows = this.#run(statement.sql, statement.args)
      this.#remembered.keep(statement, rows)
      return rows
    } catch (error) {
      throw translate(error)
    }
  }

  /** Forgets the remembered reads when another process has written, such as a command of an operator. */
  #noteOthers(atOnce = false): void {
    if (this.#hasLooked && !atOnce) return
    if (!this.#hasLooked) {
      this.#hasLooked = true
      setTimeout(() => {
        this.#hasLooked = false
      }, OTHERS_EVERY_MS).unref()
    }
    const version = this.#run('PRAGMA data_version', [])[0]?.data_version
    if (version !== this.#version) this.#remembered.forgetAll()
    this.#version = version
  }

  write(statements: readonly Statement[]): Promise<Row[][]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new DatabaseUnavailable(new Error('the database is closed')))
        return
      }
      if (this.#queue.length === 0) setImmediate(() => this.#gather(0, MAX_ITERATIONS))
      this.#queue.push({ statements, resolve, reject })
    })
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#queue.length > 0) this.#flush()
    this.#connection.close()
  }

  #run(sql: string, args: readonly SqlValue[]): Row[] {
    let statement = this.#prepared.get(sql)
    if (!statement) {
      statement = this.#connection.prepare(sql)
      this.#prepared.set(sql, statement)
    }
    return statement.all(...args) as Row[]
  }

  /**
   * Waits for another iteration of the event loop while iterations bring further writes, so that
   * under load more of them share the fsync. On an idle node this costs microseconds.
   */
  #gather(countBefore: number, iterationsLeft: number): void {
    const count = this.#queue.length
    if (count > countBefore && iterationsLeft > 0) {
      setImmediate(() => this.#gather(count, iterationsLeft - 1))
    } else this.#flush()
  }

  /** Commits all queued writes in one transaction; resolves them only after the fsync. */
  #flush(): void {
    const group = this.#queue
    this.#queue = []
    let outcomes: Outcome[]
    try {
      outcomes = this.#commit(group, false) ?? this.#commit(group, true) ?? []
    } catch (error) {
      // Disk full, a failed fsync, a lock held elsewhere: nothing of the group is durable.
      if (!this.#isClosed && this.#connection.isTransaction) this.#run('ROLLBACK', [])
      for (const write of group) write.reject(translate(error))
      return
    }
    group.forEach((write, i) => {
      const outcome = outcomes[i]
      if (outcome && 'rows' in outcome) write.resolve(outcome.rows)
      else write.reject(outcome?.error)
    })
  }

  /**
   * Runs the group as one transaction. Savepoints copy every page that changes, and a write rarely fails
   * after its first statement: so the group runs without them first. Returns undefined, and nothing has
   * changed, when a write failed halfway: only savepoints can undo it alone.
   */
  #commit(group: readonly QueuedWrite[], hasSavepoints: boolean): Outcome[] | undefined {
    this.#run('BEGIN IMMEDIATE', [])
    const outcomes: Outcome[] = []
    for (const { statements } of group) {
      const outcome = this.#runWrite(statements, hasSavepoints && statements.length > 1)
      if (outcome === 'halfway') {
        this.#run('ROLLBACK', [])
        return undefined
      }
      outcomes.push(outcome)
    }
    this.#run('COMMIT', [])
    return outcomes
  }

  #runWrite(statements: readonly Statement[], hasSavepoint: boolean): Outcome | 'halfway' {
    const rows: Row[][] = []
    try {
      if (hasSavepoint) this.#run('SAVEPOINT write', [])
      for (const statement of statements) {
        this.#remembered.noteWrite(statement)
        rows.push(this.#run(statement.sql, statement.args))
      }
      if (hasSavepoint) this.#run('RELEASE write', [])
      return { rows }
    } catch (error) {
      if (!this.#connection.isTransaction) throw error
      // SQLite undoes a single statement that fails.
      if (hasSavepoint) this.#connection.exec('ROLLBACK TO write; RELEASE write')
      else if (rows.length > 0) return 'halfway'
      return { error: translate(error) }
    }
  }
}

/**
 * Node.js itself would try for ever where the system refuses a folder with ENOENT although its parent is there,
 * as below /proc. @throws Error of the system
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (!existsSync(parent)) makeFolder(parent)
  mkdirSync(path, { mode: 0o700 })
}

function connect(path: string): DatabaseSync {
  try {
    if (path !== ':memory:') makeFolder(dirname(path))
    const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    // The write-ahead log takes the mode of the database file.
    if (path !== ':memory:') chmodSync(path, 0o600)
    connection.exec('PRAGMA journal_mode = WAL')
    connection.exec('PRAGMA synchronous = FULL')
    // Fewer pages make checkpoints more frequent and no shorter, more pages make them longer.
    connection.exec('PRAGMA wal_autocheckpoint = 1000')
    connection.exec('PRAGMA foreign_keys = ON')
    return connection
  } catch (error) {
    throw new DatabaseUnavailable(error, 'unreachable', path)
  }
}

/** Primary result codes (sqlite3.h) that mean a programmer error, not a fault of the database. */
const PROGRAMMER_ERRORS = new Set([1, 19, 20, 25])

/** The primary result codes that an operator can act on. */
const FAULTS = new Map<number, DatabaseFault>([
  [5, 'busy'], // BUSY
  [6, 'busy'], // LOCKED
  [8, 'read_only'], // READONLY
  [10, 'full'], // IOERR: the system refused a read or a write, such as one over a quota
  [13, 'full'], // FULL
])

/** Maps SQLite's errors to the port's; a programmer error stays as it is. */
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
