// The PostgreSQL driver (pg): a pool of connections, one round trip per read and per write, bounded
// waits everywhere, and connections that are replaced when they break. Owns the pool and the rule
// of what is tried again; knows no table. No session state, sequence, advisory lock or LISTEN, so
// that poolers and distributed engines that speak the protocol serve too (docs/decisions/0010).

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Database, DatabaseUnavailable, type Row } from '../database.ts'
import { type Statement, sql } from '../sql.ts'
import { runBatch } from './postgres-batch.ts'
import { decideFailure, type Failure, translateError } from './postgres-errors.ts'
import { followWrites, parseHosts } from './postgres-hosts.ts'

/** Times in milliseconds; 0 means no limit, except for the first two. */
export interface PostgresOptions {
  /** Most connections of this process. */
  readonly poolSize?: number
  /** Longest wait for a connection, be it a new one (to each host) or one that others are using. */
  readonly connectTimeoutMs?: number
  /** Longest run of one statement. */
  readonly statementTimeoutMs?: number
  /** Longest wait for a row that another transaction holds. */
  readonly lockTimeoutMs?: number
  /** The server ends a transaction whose client went silent, and frees its locks, after this. */
  readonly idleInTransactionTimeoutMs?: number
  /** A connection that nobody used for so long is closed. */
  readonly idleTimeoutMs?: number
  /** Told why an idle connection broke; the driver itself only replaces it. */
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

/** What the network may add to the server's own limits before a connection counts as dead. */
const NETWORK_ALLOWANCE_MS = 1000
const MAX_TRIES = 4
const BEGIN: Statement = sql`BEGIN`
const COMMIT: Statement = sql`COMMIT`

/**
 * Opens a pool on `postgres://user:password@host:port/database?sslmode=…`; connects at the first
 * use, so a server that is down shows as DatabaseUnavailable there. Of several hosts
 * (`host:port,host:port`) it uses the one that takes writes.
 * @throws TypeError when the URL is none of PostgreSQL, without repeating it (it holds a password).
 */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const settings = { ...DEFAULTS, ...options }
  const hosts = parseHosts(url)
  const urls = hosts.urls.map(checkedUrl)
  const pool = openPool(urls[0] ?? '', settings)
  const connect = hosts.mustTakeWrites
    ? followWrites(pool, urls, settings.connectTimeoutMs)
    : () => pool.connect()
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  /** Runs one batch on one connection, and gives the connection back only when it is sound. */
  async function attempt(statements: readonly Statement[]): Promise<Row[][]> {
    const isQueued = pool.idleCount === 0 && pool.totalCount >= settings.poolSize
    const client = await connect().catch((error: unknown) => {
      throw new DatabaseUnavailable(error, isQueued ? 'busy' : 'unreachable')
    })
    const { statementTimeoutMs } = settings
    const timeoutMs = statementTimeoutMs && statementTimeoutMs * statements.length
    let isSound = false
    try {
      const rows = await runBatch(client, statements, timeoutMs && timeoutMs + NETWORK_ALLOWANCE_MS)
      isSound = true
      return rows
    } catch (error) {
      const isLost = error instanceof DatabaseUnavailable || decideFailure(error) === 'lost'
      isSound = !isLost && (statements[0] !== BEGIN || (await isRolledBack(client)))
      throw error
    } finally {
      client.release(!isSound)
    }
  }

  async function run(statements: readonly Statement[], retried: ReadonlySet<Failure>) {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(statements)
      } catch (error) {
        const isFinal = error instanceof DatabaseUnavailable || !retried.has(decideFailure(error))
        if (isFinal || tries === MAX_TRIES) throw translateError(error)
        await sleep(tries * 5)
      }
    }
  }

  function track<T>(work: () => Promise<T>): Promise<T> {
    if (closing) return Promise.reject(new DatabaseUnavailable(new Error('the database is closed')))
    const promise = work()
    running.add(promise)
    const forget = () => running.delete(promise)
    promise.then(forget, forget)
    return promise
  }

  return {
    read(statement) {
      return track(async () => (await run([statement], RETRIED_READS))[0] ?? [])
    },
    write(...statements) {
      return track(async () => {
        if (statements.length <= 1) return run(statements, RETRIED_WRITES)
        const results = await run([BEGIN, ...statements, COMMIT], RETRIED_WRITES)
        return results.slice(1, -1)
      })
    },
    close() {
      closing ??= Promise.allSettled(running).then(() => pool.end())
      return closing
    },
  }
}

/**
 * In these cases the server said that nothing was done. A write whose connection broke is never
 * sent again: its COMMIT may have arrived.
 */
const RETRIED_WRITES: ReadonlySet<Failure> = new Set(['conflict', 'stale'])
const RETRIED_READS: ReadonlySet<Failure> = new Set(['conflict', 'stale', 'lost'])

async function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    return true
  } catch {
    // Then the connection goes, and the server rolls back what was open on it.
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
    statement_timeout: settings.statementTimeoutMs,
    lock_timeout: settings.lockTimeoutMs,
    idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs,
  })
  pool.on('error', ({ message }) => settings.onConnectionLost(message))
  // A connection that breaks at work tells it to whoever waits for the answer; without a listener
  // Node.js would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/** The URL with TLS as the PostgreSQL manual defines it ("SSL Support"), never decided by chance. */
export function checkedUrl(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new TypeError('the database URL must read postgres://user:password@host:port/database')
  }
  const { href, searchParams } = new URL(url)
  const mode = searchParams.get('sslmode') ?? 'disable'
  // `prefer` and `allow` fall back to plain text when somebody in between says so.
  if (!TLS_MODES.includes(mode) || searchParams.has('ssl')) {
    throw new TypeError(`the database URL must choose sslmode from ${TLS_MODES.join(', ')}`)
  }
  const checked = new URL(href)
  checked.searchParams.set('sslmode', mode)
  checked.searchParams.set('uselibpqcompat', 'true')
  return checked.href
}
