// Which ID tokens were accepted already, by `jti`, until they have expired. One verb, and whoever
// calls it first wins, on one process or on many. Spec §2.4, §8; security R10.

export interface ReplayStore {
  /** True exactly once per `jti`, until `untilSeconds` (seconds since 1970). */
  accept(jti: string, untilSeconds: number): Promise<boolean>
}

const SWEEP_EVERY_MS = 60_000

/** For one process. Many processes need a store that they share. */
export function createMemoryReplayStore(now: () => number = () => Date.now()): ReplayStore {
  const accepted = new Map<string, number>()
  let sweptAt = now()
  const sweep = () => {
    if (now() - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = now()
    for (const [jti, until] of accepted) if (until * 1000 <= now()) accepted.delete(jti)
  }
  return {
    // Check and mark are one synchronous step, so no race gets through.
    async accept(jti, untilSeconds) {
      sweep()
      const until = accepted.get(jti)
      if (until !== undefined && until * 1000 > now()) return false
      accepted.set(jti, untilSeconds)
      return true
    },
  }
}

export interface SqlReplayStoreOptions {
  /** Runs one statement and returns its rows, with whatever driver the app has. */
  readonly run: (sql: string, values: readonly (string | number)[]) => Promise<readonly unknown[]>
  /** How the driver writes the nth parameter, from 1. Default `?`; for PostgreSQL `(n) => '$' + n`. */
  readonly placeholder?: (n: number) => string
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export interface SqlReplayStore extends ReplayStore {
  /** Creates the table when it is missing; several servers may do so at once. */
  createTable(): Promise<void>
  /** Removes what has expired; call it now and then. Correctness does not need it. */
  sweep(): Promise<void>
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS chartside_accepted_id_tokens
  (jti TEXT PRIMARY KEY, until_seconds BIGINT NOT NULL)`

/** On SQLite (3.35 or newer), PostgreSQL, and what speaks their SQL. */
export function createSqlReplayStore(options: SqlReplayStoreOptions): SqlReplayStore {
  const { run, placeholder = () => '?', now = () => Date.now() } = options
  const nowSeconds = () => Math.floor(now() / 1000)
  const [one, two, three] = [placeholder(1), placeholder(2), placeholder(3)]
  return {
    async accept(jti, untilSeconds) {
      // One statement: of any number at once, one inserts or revives the row and gets it back.
      const rows = await run(
        `INSERT INTO chartside_accepted_id_tokens (jti, until_seconds) VALUES (${one}, ${two})
         ON CONFLICT (jti) DO UPDATE SET until_seconds = excluded.until_seconds
         WHERE chartside_accepted_id_tokens.until_seconds <= ${three} RETURNING jti`,
        [jti, Math.ceil(untilSeconds), nowSeconds()],
      )
      return rows.length === 1
    },
    async createTable() {
      const create = () => run(CREATE_TABLE, [])
      // PostgreSQL refuses all but one of several servers that create it at the same moment, however
      // it is asked; by then the table is there. What fails twice has another cause.
      await create().catch(create)
    },
    async sweep() {
      await run(`DELETE FROM chartside_accepted_id_tokens WHERE until_seconds <= ${one}`, [
        nowSeconds(),
      ])
    },
  }
}
