// Finds out what is at the other end. A pooler in transaction mode, such as PgBouncer, refuses or ignores the
// time-outs of a new connection, so then each batch sets them for its own transaction, and no statement is
// prepared by name. An engine that speaks the protocol may run the statements of a batch each for itself,
// so then BEGIN and COMMIT stand around them. Asks once; knows no table.
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
  /**
   * Whether the statements up to one Sync are one transaction, as the manual of PostgreSQL has it
   * ("Pipelining"). It is false on Citus, which sees a transaction only after BEGIN.
   */
  isBatchAtomic(): boolean
}

const FACTS = sql`SELECT setting, version() AS version,
    (SELECT COUNT(*) FROM pg_extension WHERE extname = 'citus') AS citus
  FROM pg_settings WHERE name = 'statement_timeout'`

/** Returns true for PostgreSQL and what hosts it; forks and engines of their own say so in their version. */
export const isPlainPostgres = (version: string, citusCount: number): boolean =>
  citusCount === 0 &&
  /^PostgreSQL \d/.test(version) &&
  !/-YB-|Yugabyte|Greenplum|Redshift|Cockroach|Materialize|EnterpriseDB Advanced/i.test(version)

/** `pool` sends these when a connection begins; PgBouncer refuses them unless its settings ignore them. */
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
  let isAtomic = false

  async function connectWithoutLimits(): Promise<pg.PoolClient> {
    Object.assign(pool.options, NO_STARTUP_LIMITS)
    isPooled = true
    return connect()
  }

  /** Learns the settings in one round trip, for the first connection of a process. */
  async function learnFrom(client: pg.PoolClient): Promise<void> {
    if (isKnown) return
    try {
      const [[row = {}] = []] = await runBatch(client, [FACTS], timeoutMs, true)
      const isIgnored = row.setting !== String(limits.statementTimeoutMs)
      isPooled ||= limits.statementTimeoutMs !== 0 && isIgnored
      isAtomic = isPlainPostgres(String(row.version), Number(row.citus))
      isKnown = true
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  return {
    findLimits: () => (isPooled ? limitsStatement(limits) : undefined),
    isBatchAtomic: () => isAtomic,
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
