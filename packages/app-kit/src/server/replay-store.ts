// The ID tokens that were accepted, by `jti`, until they expire. Of concurrent calls with one `jti`
// one gets true, in one process or in several. Spec §2.4, §8; security R10.
import { createOnce, type SqlStoreOptions } from './sql-store.ts'

export interface ReplayStore {
  /** True exactly once per `jti`, until `untilSeconds` (seconds since 1970). */
  accept(jti: string, untilSeconds: number): Promise<boolean>
}

const SWEEP_INTERVAL_MS = 60_000

/**
 * Keeps the accepted ID tokens of one process; several processes need a shared store. `now` gives
 * milliseconds since 1970. Never throws. Spec §5.4.
 * @example createAppKit({ baseUrl, clientId, clientSecret, replays: createMemoryReplayStore() })
 */
export function createMemoryReplayStore(now: () => number = () => Date.now()): ReplayStore {
  const accepted = new Map<string, number>()
  let sweptAt = now()
  const deleteExpired = () => {
    if (now() - sweptAt < SWEEP_INTERVAL_MS) return
    sweptAt = now()
    for (const [jti, until] of accepted) if (until * 1000 <= now()) accepted.delete(jti)
  }
  return {
    // Check and record are one synchronous step, so there is no race.
    async accept(jti, untilSeconds) {
      deleteExpired()
      const until = accepted.get(jti)
      if (until !== undefined && until * 1000 > now()) return false
      accepted.set(jti, untilSeconds)
      return true
    },
  }
}

export interface SqlReplayStore extends ReplayStore {
  /** Creates the table when it is missing; safe on several servers at once. */
  createTable(): Promise<void>
  /** Deletes expired rows; call it from time to time. Correctness does not need it. */
  sweep(): Promise<void>
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS chartside_accepted_id_tokens
  (jti TEXT PRIMARY KEY, until_seconds BIGINT NOT NULL)`

/**
 * Keeps the accepted ID tokens in SQLite (3.35 or newer), PostgreSQL or a compatible database. Never throws
 * itself; its functions reject with what `run` throws. Spec §5.4.
 * @example const replays = createSqlReplayStore({ run: async (sql, values) => (await pool.query(sql, values)).rows })
 */
export function createSqlReplayStore(options: SqlStoreOptions): SqlReplayStore {
  const { run, placeholder = () => '?', now = () => Date.now() } = options
  const nowSeconds = () => Math.floor(now() / 1000)
  const [one, two, three] = [placeholder(1), placeholder(2), placeholder(3)]
  return {
    async accept(jti, untilSeconds) {
      // One statement: of concurrent calls, one inserts or renews the row and gets it back.
      const rows = await run(
        `INSERT INTO chartside_accepted_id_tokens (jti, until_seconds) VALUES (${one}, ${two})
         ON CONFLICT (jti) DO UPDATE SET until_seconds = excluded.until_seconds
         WHERE chartside_accepted_id_tokens.until_seconds <= ${three} RETURNING jti`,
        [jti, Math.ceil(untilSeconds), nowSeconds()],
      )
      return rows.length === 1
    },
    async createTable() {
      await createOnce(run, CREATE_TABLE)
    },
    async sweep() {
      await run(`DELETE FROM chartside_accepted_id_tokens WHERE until_seconds <= ${one}`, [
        nowSeconds(),
      ])
    },
  }
}
