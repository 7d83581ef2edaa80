// Where the app's own sessions are kept: hashes of credentials and who they belong to, never a
// credential itself, nor what would give one to somebody who holds none. One store in memory; apps with many processes bring one of the same four verbs.
// Spec §5.6.
import type { LaunchIdentity } from './launch-identity.ts'

/** Times in milliseconds since 1970; hashes are SHA-256 in base64url. */
export interface StoredSession {
  readonly id: string
  readonly identity: LaunchIdentity
  readonly bearerHash: string
  readonly bearerExpiresAt: number
  readonly refreshHash: string
  readonly refreshExpiresAt: number
  /** Of what all refresh credentials of this session begin with, live or spent. */
  readonly familyHash: string
  /** Makes the next credentials out of a refresh credential. Opens nothing alone; keep it here. */
  readonly rotationKey: string
  /** When it was started or last renewed. */
  readonly renewedAt: number
  /** However often it is renewed. */
  readonly endsAt: number
}

export interface SessionStore {
  insert(session: StoredSession): Promise<void>
  find(id: string): Promise<StoredSession | undefined>
  /**
   * Puts `session` in the place of the one with its id, if that still has `spentRefreshHash`: one
   * guarded UPDATE. False when it has not, so that of two renewals with one credential one wins.
   */
  replace(session: StoredSession, spentRefreshHash: string): Promise<boolean>
  delete(id: string): Promise<void>
}

const SWEEP_EVERY_MS = 60_000

/** For one process. Sessions end with it. */
export function createMemorySessionStore(now: () => number = () => Date.now()): SessionStore {
  const sessions = new Map<string, StoredSession>()
  let sweptAt = now()
  const sweep = () => {
    if (now() - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = now()
    for (const [id, session] of sessions) {
      if (Math.max(session.refreshExpiresAt, session.bearerExpiresAt) <= now()) sessions.delete(id)
    }
  }
  return {
    async insert(session) {
      sweep()
      sessions.set(session.id, session)
    },
    find: async (id) => sessions.get(id),
    async replace(session, spentRefreshHash) {
      if (sessions.get(session.id)?.refreshHash !== spentRefreshHash) return false
      sessions.set(session.id, session)
      return true
    },
    async delete(id) {
      sessions.delete(id)
    },
  }
}
