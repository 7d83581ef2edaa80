// Finds out whether a pooler in transaction mode, such as PgBouncer, is between the service and PostgreSQL. It
// refuses or ignores the time-outs of a new connection, so then each batch sets them for its own
// transaction, and no statement is prepared by name. Asks once; knows no table.
import pg from 'pg'
import { type Statement, sql } from '../sql.ts'
import { runBatch } from './postgres-batch.ts'
import type { Connect } from './postgres-hosts.ts'

export interface ServerLimits {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  readonly idleInTransactionTimeoutMs: number
}

export interface PoolerCheck {
  readonly connect: Connect
  /** The statement that sets the limits, when a pooler keeps no state of a connection. */
  findLimits(): Statement | undefined
}

const STATEMENT_TIMEOUT = sql`SELECT setting FROM pg_settings WHERE name = 'statement_timeout'`

/** What `pool` sends when a connection begins; PgBouncer refuses it unless its settings ignore it. */
export const startupLimits = (limits: ServerLimits) => ({
  statement_timeout: limits.statementTimeoutMs,
  lock_timeout: limits.lockTimeoutMs,
  idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
})

const NO_STARTUP_LIMITS = startupLimits({
  statementTimeoutMs: 0,
  lockTimeoutMs: 0,
  idleInTransactionTimeoutMs: 0,
})

const limitsStatement = (limits: ServerLimits): Statement =>
  sql`SELECT set_config('statement_timeout', ${String(limits.statementTimeoutMs)}, true),
    set_config('lock_timeout', ${String(limits.lockTimeoutMs)}, true),
    set_config('idle_in_transaction_session_timeout', ${String(limits.idleInTransactionTimeoutMs)}, true)`

/** A protocol violation by its code; the text is the same in every version. */
const isRefusal = (error: unknown) =>
  error instanceof pg.DatabaseError && /unsupported startup parameter/.test(error.message)

export function checkPooler(
  pool: pg.Pool,
  connect: Connect,
  limits: ServerLimits,
  timeoutMs: number,
): PoolerCheck {
  let isPooled = false
  let isKnown = false

  async function connectWithoutLimits(): Promise<pg.PoolClient> {
    Object.assign(pool.options, NO_STARTUP_LIMITS)
    isPooled = true
    isKnown = true
    return connect()
  }

  /** One round trip, for the first connection of a process. */
  async function learnFrom(client: pg.PoolClient): Promise<void> {
    if (isKnown || limits.statementTimeoutMs === 0) return
    try {
      const [rows = []] = await runBatch(client, [STATEMENT_TIMEOUT], timeoutMs, true)
      isPooled = rows[0]?.setting !== String(limits.statementTimeoutMs)
      isKnown = true
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  return {
    findLimits: () => (isPooled ? limitsStatement(limits) : undefined),
    async connect() {
      const client = await connect().catch((error: unknown) => {
        if (!isRefusal(error)) throw error
        return connectWithoutLimits()
      })
      await learnFrom(client)
      return client
    },
  }
}
