// The storage port: read, write, close. One SQL text runs on every engine; parameters are `?`.
// A write is one or more statements, atomic, with no JavaScript in between, and is acknowledged
// only once it is durable. Drivers live beside this file and hold every dialect difference.
import { byKey, type Row, type Statement } from './sql.ts'

export type { Row } from './sql.ts'

export interface Database {
  /** The engine is for migrations alone: it says how rows are stored. */
  readonly engine: 'sqlite' | 'postgres'
  /** The clock of the database in milliseconds since 1970, for a SELECT. */
  readonly timeExpression: Statement
  /** Reads the rows of one SELECT, from the last durable state. @throws DatabaseUnavailable */
  read(statement: Statement): Promise<Row[]>
  /**
   * Runs the statements in one transaction and resolves after the durable commit, with the rows that
   * each RETURNING gave. @throws UniqueViolation: nothing is changed. @throws DatabaseUnavailable:
   * the outcome may be unknown, when the connection broke after COMMIT was sent.
   */
  write(...statements: readonly Statement[]): Promise<Row[][]>
  /**
   * Writes half a megabyte that needs new room on the disk, and removes it. An ordinary row may fit
   * into a page that the database has already, on a full disk too. @throws DatabaseUnavailable
   */
  probeFreeSpace(): Promise<void>
  close(): Promise<void>
}

export interface HasDatabase {
  readonly db: Database
}

/** The reasons why the database cannot be used, as operators read them in readiness and in the log. */
export type DatabaseFault =
  | 'unreachable'
  | 'read_only'
  /** The disk is full or refuses to write. */
  | 'full'
  /** Waits for connections or locks are at their limit; a retry may succeed. */
  | 'busy'
  /** The database is connected, but it does not answer. */
  | 'unresponsive'
  /** It answers with internal errors. */
  | 'failing'

/** The database cannot answer now: closed, locked, full, unreachable. Callers answer 503. */
export class DatabaseUnavailable extends Error {
  readonly fault: DatabaseFault
  /** The path of an embedded database that cannot be opened. */
  readonly path: string | undefined

  constructor(cause: unknown, fault: DatabaseFault = 'unreachable', path?: string) {
    super('the database cannot be used now', { cause })
    this.name = 'DatabaseUnavailable'
    this.fault = fault
    this.path = path
  }
}

/** A write broke a UNIQUE or PRIMARY KEY constraint. */
export class UniqueViolation extends Error {
  constructor(cause: unknown) {
    super('a row with this key exists already', { cause })
    this.name = 'UniqueViolation'
  }
}

/** The one row that a look-up by key can give; on PostgreSQL it may share a round trip with others. */
export async function readOne(db: Database, statement: Statement): Promise<Row | undefined> {
  return (await db.read(byKey(statement)))[0]
}

/** Runs one writing statement and gives the first row of its RETURNING, if any. */
export async function writeOne(db: Database, statement: Statement): Promise<Row | undefined> {
  return (await db.write(statement))[0]?.[0]
}
