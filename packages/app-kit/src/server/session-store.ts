// Where the app's own sessions are kept: hashes of credentials and whose they are, never a
// credential. One store in memory; an app with several processes brings one with the same five
// verbs. Spec §5.6.
import type { LaunchIdentity } from './launch-identity.ts'

/** Times in milliseconds since 1970; hashes are SHA-256 in base64url. */
export interface StoredSession {
  readonly id: string
  readonly identity: LaunchIdentity
  /** The hash of the prefix that all refresh credentials of this session share, live or spent. */
  readonly familyHash: string
  /** One; several when requests in parallel renewed with the same refresh credential. */
  readonly credentials: readonly StoredCredentials[]
  /** The hashes of the refresh credentials that the last rotation replaced. */
  readonly previousRefreshHashes: readonly string[]
  readonly rotatedAt: number
  readonly refreshExpiresAt: number
  /** The session never lasts longer, however often it is renewed. */
  readonly endsAt: number
  /** The number is 1 at first; each `replace` writes the next one. */
  readonly version: number
}

export interface StoredCredentials {
  readonly refreshHash: string
  readonly bearerHash: string
  readonly bearerExpiresAt: number
}

export interface SessionStore {
  insert(session: StoredSession): Promise<void>
  /** Sees the last `replace`, of every process. A lagging copy would end sessions that are in use. */
  find(id: string): Promise<StoredSession | undefined>
  /**
   * Writes `session` over the one with its id if that has the version before it: one guarded UPDATE, `… WHERE id = ?
   * AND version = ? - 1`. False when it has not, or is gone; the caller reads again.
   */
  replace(session: StoredSession): Promise<boolean>
  delete(id: string): Promise<void>
  /** Deletes every session whose `identity.sessionId` is this EHR session. */
  deleteOfEhrSession(ehrSessionId: string): Promise<void>
}

const SWEEP_INTERVAL_MS = 60_000

/**
 * Keeps the app's own sessions in one process; they end with it. `now` gives milliseconds since 1970. Never
 * throws. Spec §5.6.
 * @example const sessions = createSessions({ store: createMemorySessionStore() })
 */
export function createMemorySessionStore(now: () => number = () => Date.now()): SessionStore {
  const sessions = new Map<string, StoredSession>()
  let sweptAt = now()
  const deleteExpired = () => {
    if (now() - sweptAt < SWEEP_INTERVAL_MS) return
    sweptAt = now()
    for (const [id, { refreshExpiresAt, credentials }] of sessions) {
      const bearersExpireAt = credentials.map(({ bearerExpiresAt }) => bearerExpiresAt)
      if (Math.max(refreshExpiresAt, ...bearersExpireAt) <= now()) sessions.delete(id)
    }
  }
  return {
    async insert(session) {
      deleteExpired()
      sessions.set(session.id, session)
    },
    find: async (id) => sessions.get(id),
    async replace(session) {
      if (sessions.get(session.id)?.version !== session.version - 1) return false
      sessions.set(session.id, session)
      return true
    },
    async delete(id) {
      sessions.delete(id)
    },
    async deleteOfEhrSession(ehrSessionId) {
      for (const [id, { identity }] of sessions) {
        if (identity.sessionId === ehrSessionId) sessions.delete(id)
      }
    },
  }
}
