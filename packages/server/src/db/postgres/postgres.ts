// The PostgreSQL driver (pg): a pool of connections, one round trip per read and per write, bounded
// waits everywhere, and broken connections replaced. Owns the pool and the rule of what is retried;
// knows no table. No session state, sequence, advisory lock or LISTEN, so
// that poolers and distributed engines that speak the protocol serve too (docs/inside/decisions/0010).

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Database, DatabaseUnavailable, type Row } from '../database.ts'
import { type Statement, sql } from '../sql.ts'
import { runBatch } from './postgres-batch.ts'
import { decideFailure, type Failure, translateError } from './postgres-errors.ts'
import { followWrites, parseHosts } from './postgres-hosts.ts'
import { checkPooler, startupLimits } from './postgres-pooler.ts'
import { batchCallers } from './statement-groups.ts'

/** Times in milliseconds; 0 means no limit, except for the first two. */
export interface PostgresOptions {
  /** The maximum number of connections of this process. */
  readonly poolSize?: number
  /** The maximum wait for a connection: a new one (to each host), or one that is in use. */
  readonly connectTimeoutMs?: number
  /** The maximum run time of one statement. */
  readonly statementTimeoutMs?: number
  /** The maximum wait for a row that another transaction has locked. */
  readonly lockTimeoutMs?: number
  /** The server ends an idle transaction, and releases its locks, after this time. */
  readonly idleInTransactionTimeoutMs?: number
  /** An unused connection is closed after this time. */
  readonly idleTimeoutMs?: number
  /** The function is called with the reason when an idle connection breaks; the driver replaces it. */
  readonly onConnectionLost?: (reason: string) => void
}

const DEFAULTS: Required<PostgresOptions> = {
  poolSize: 10,
  connectTimeoutMs: 3000,
  statementTimeoutMs: 5000,
  lockTimeoutMs: 2000,
  idleInTransactionTimeoutMs: 5000,
  idleTimeoutMs: 30_000,
  onConnectionLost: () => {},
}

/** The network may add this to the server's own limits before a connection counts as dead. */
const NETWORK_ALLOWANCE_MS = 1000
const MAX_ATTEMPTS = 4
const BEGIN: Statement = sql`BEGIN`
const COMMIT: Statement = sql`COMMIT`
/** The time of the statement, not now(), which is that at which the transaction began. */
const TIME = sql`CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`
/** Pages of a new file: the rows are too short to be compressed or stored elsewhere. */
const PROBE_SPACE = [
  sql`CREATE TEMPORARY TABLE free_space_probe (content TEXT) ON COMMIT DROP`,
  sql`INSERT INTO free_space_probe (content) SELECT repeat('x', 1500) FROM generate_series(1, 350)`,
]

/**
 * Opens a pool on `postgres://user:password@host:port/database?sslmode=…`; connects at the first
 * use, so a server that is down shows as DatabaseUnavailable there. Of several hosts
 * (`host:port,host:port`) it uses the one that accepts writes.
 * @throws TypeError when the URL is none of PostgreSQL, without repeating it (it holds a password).
 */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const settings = { ...DEFAULTS, ...options }
  const hosts = parseHosts(url)
  const urls = hosts.urls.map(checkedUrl)
  const pool = openPool(urls[0] ?? '', settings)
  const connectToHost = hosts.mustAcceptWrites
    ? followWrites(pool, urls, settings.connectTimeoutMs)
    : () => pool.connect()
  const checked = checkPooler(pool, connectToHost, settings, settings.connectTimeoutMs)
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const run = batchRunner(pool, settings, checked)

  function track<T>(work: () => Promise<T>): Promise<T> {
    if (closing) return Promise.reject(new DatabaseUnavailable(new Error('the database is closed')))
    const promise = work()
    running.add(promise)
    const forget = () => running.delete(promise)
    promise.then(forget, forget)
    return promise
  }

  const runAs = (kind: BatchKind) => (statements: readonly Statement[]) => run(statements, kind)
  const readByKey = batchCallers(runAs(READS), runAs(READS))
  const writeByKey = batchCallers(runAs(GROUPED_WRITES), runAs(WRITES))
  const isGrouped = (first: Statement | undefined) => first?.rowKey !== undefined

  return {
    engine: 'postgres',
    timeExpression: TIME,
    read(statement) {
      return track(async () => {
        const isByKey = isGrouped(statement)
        const [rows = []] = await (isByKey ? readByKey([statement]) : run([statement], READS))
        return rows
      })
    },
    write(...statements) {
      // Elsewhere the statements of a group would be a transaction over several partitions.
      const isByKey = isGrouped(statements[0]) && checked.isBatchAtomic()
      return track(() => (isByKey ? writeByKey(statements) : run(statements, WRITES)))
    },
    async probeFreeSpace() {
      await track(() => run(PROBE_SPACE, WRITES))
    },
    close() {
      closing ??= Promise.allSettled(running).then(() => pool.end())
      return closing
    },
  }
}

function batchRunner(
  pool: pg.Pool,
  settings: Required<PostgresOptions>,
  { connect, findLimits, isBatchAtomic }: ReturnType<typeof checkPooler>,
) {
  /** Runs one batch on one connection, and returns it to the pool only when it is usable. */
  async function attempt(statements: readonly Statement[], kind: BatchKind): Promise<Row[][]> {
    const isQueued = pool.idleCount === 0 && pool.totalCount >= settings.poolSize
    const client = await connect().catch((error: unknown) => {
      throw new DatabaseUnavailable(error, isQueued ? 'busy' : 'unreachable')
    })
    const { statementTimeoutMs } = settings
    const timeoutMs = statementTimeoutMs && statementTimeoutMs * kind.slowStatements(statements)
    const sent = kind.isAtomic && !isBatchAtomic() ? inTransaction(statements) : statements
    let isUsable = false
    try {
      const waitMs = timeoutMs && timeoutMs + NETWORK_ALLOWANCE_MS
      const limits = findLimits()
      const rows = limits
        ? await runLimited(client, sent, limits, waitMs)
        : await runBatch(client, sent, waitMs)
      isUsable = true
      return sent === statements ? rows : rows.slice(1, -1)
    } catch (error) {
      const isLost = error instanceof DatabaseUnavailable || decideFailure(error) === 'lost'
      isUsable = !isLost && (sent[0] !== BEGIN || (await isRolledBack(client)))
      throw error
    } finally {
      client.release(!isUsable)
    }
  }

  return async (statements: readonly Statement[], kind: BatchKind): Promise<Row[][]> => {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt(statements, kind)
      } catch (error) {
        const isFinal =
          error instanceof DatabaseUnavailable || !kind.retried.has(decideFailure(error))
        if (isFinal || attempts === MAX_ATTEMPTS) throw translateError(error)
        await sleep(attempts * 5)
      }
    }
  }
}

/** One statement is a transaction of its own on every engine. */
const inTransaction = (statements: readonly Statement[]): readonly Statement[] =>
  statements.length <= 1 ? statements : [BEGIN, ...statements, COMMIT]

/** Runs a batch behind a pooler: the limits count until the end of the transaction, which is the batch. */
async function runLimited(
  client: pg.PoolClient,
  statements: readonly Statement[],
  limits: Statement,
  waitMs: number,
): Promise<Row[][]> {
  const at = statements[0] === BEGIN ? 1 : 0
  const results = await runBatch(client, statements.toSpliced(at, 0, limits), waitMs, true)
  return results.toSpliced(at, 1)
}

interface BatchKind {
  readonly isAtomic: boolean
  /** The failures after which the batch is sent again. */
  readonly retried: ReadonlySet<Failure>
  /** Counts the statements that may each need the time limit of a statement. */
  readonly slowStatements: (statements: readonly Statement[]) => number
}

/** Several reads of one batch are reads by key, which are quick. */
const READS: BatchKind = {
  isAtomic: false,
  retried: new Set(['conflict', 'stale', 'lost']),
  slowStatements: () => 1,
}

/**
 * The statements are sent again where the server said that nothing was committed. A write whose connection
 * broke never is: its COMMIT may have arrived.
 */
const WRITES: BatchKind = {
  isAtomic: true,
  retried: new Set(['conflict', 'stale']),
  slowStatements: ({ length }) => length,
}

/** Several callers share the batch: each changes one row and adds others. A batch that conflicts is run again one by one. */
const GROUPED_WRITES: BatchKind = {
  isAtomic: true,
  retried: new Set(['stale']),
  slowStatements: () => 2,
}

async function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    return true
  } catch {
    // The connection is closed then, and the server rolls back its transaction.
    return false
  }
}

function openPool(connectionString: string, settings: Required<PostgresOptions>): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    fallback_application_name: 'chartside',
    keepAlive: true,
    max: settings.poolSize,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    idleTimeoutMillis: settings.idleTimeoutMs,
    ...startupLimits(settings),
  })
  pool.on('error', ({ message }) => settings.onConnectionLost(message))
  // A connection that breaks during a batch rejects that batch; without a listener Node.js would end
  // the process as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/** The URL with TLS as the PostgreSQL manual defines it ("SSL Support"); the default is explicit. */
export function checkedUrl(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new TypeError('the database URL must read postgres://user:password@host:port/database')
  }
  const { href, searchParams } = new URL(url)
  const mode = searchParams.get('sslmode') ?? 'disable'
  // An attacker in between can make `prefer` and `allow` fall back to plain text.
  if (!TLS_MODES.includes(mode) || searchParams.has('ssl')) {
    throw new TypeError(`the database URL must choose sslmode from ${TLS_MODES.join(', ')}`)
  }
  const checked = new URL(href)
  checked.searchParams.set('sslmode', mode)
  checked.searchParams.set('uselibpqcompat', 'true')
  return checked.href
}
