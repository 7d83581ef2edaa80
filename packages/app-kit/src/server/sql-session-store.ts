// The app's own sessions in a SQL database, so that they outlive a process and are shared by several: the five
// verbs of `SessionStore`, each one statement. Holds hashes of credentials, and whose they are. Spec §5.6.
import type { SessionStore, StoredSession } from './session-store.ts'
import { createOnce, type SqlStoreOptions } from './sql-store.ts'

export interface SqlSessionStore extends SessionStore {
  /** Creates the table when it is missing; safe on several servers at once. */
  createTable(): Promise<void>
  /** Deletes ended sessions; call it from time to time. Correctness does not need it. */
  sweep(): Promise<void>
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS chartside_sessions
  (id TEXT PRIMARY KEY, ehr_session_id TEXT NOT NULL, version BIGINT NOT NULL,
   expires_at BIGINT NOT NULL, session TEXT NOT NULL)`

const CREATE_INDEX = `CREATE INDEX IF NOT EXISTS chartside_sessions_of_ehr_session
  ON chartside_sessions (ehr_session_id)`

/**
 * Keeps the app's own sessions in SQLite (3.35 or newer), PostgreSQL or a compatible database. Never throws
 * itself; its functions reject with what `run` throws. Spec §5.6.
 * @example const store = createSqlSessionStore({ run: async (sql, values) => (await pool.query(sql, values)).rows })
 */
export function createSqlSessionStore(options: SqlStoreOptions): SqlSessionStore {
  const { run, placeholder = () => '?', now = () => Date.now() } = options
  const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((n) => placeholder(n))
  return {
    async insert(session) {
      const { id, identity, version } = session
      await run(
        `INSERT INTO chartside_sessions (id, ehr_session_id, version, expires_at, session)
         VALUES (${one}, ${two}, ${three}, ${four}, ${five})`,
        [id, identity.sessionId, version, expiresAt(session), JSON.stringify(session)],
      )
    },
    async find(id) {
      const [row] = await run(`SELECT session FROM chartside_sessions WHERE id = ${one}`, [id])
      if (row === undefined) return undefined
      return JSON.parse((row as { session: string }).session) as StoredSession
    },
    async replace(session) {
      const { id, version } = session
      const rows = await run(
        `UPDATE chartside_sessions SET version = ${one}, expires_at = ${two}, session = ${three}
         WHERE id = ${four} AND version = ${five} RETURNING id`,
        [version, expiresAt(session), JSON.stringify(session), id, version - 1],
      )
      return rows.length === 1
    },
    async delete(id) {
      await run(`DELETE FROM chartside_sessions WHERE id = ${one}`, [id])
    },
    async deleteOfEhrSession(ehrSessionId) {
      await run(`DELETE FROM chartside_sessions WHERE ehr_session_id = ${one}`, [ehrSessionId])
    },
    async createTable() {
      await createOnce(run, CREATE_TABLE)
      await createOnce(run, CREATE_INDEX)
    },
    async sweep() {
      await run(`DELETE FROM chartside_sessions WHERE expires_at <= ${one}`, [now()])
    },
  }
}

/** Returns when neither its refresh credential nor a bearer is good any more. */
const expiresAt = ({ refreshExpiresAt, credentials }: StoredSession): number =>
  Math.max(refreshExpiresAt, ...credentials.map(({ bearerExpiresAt }) => bearerExpiresAt))
