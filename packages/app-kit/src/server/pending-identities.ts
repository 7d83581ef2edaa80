// What an app's server keeps between an exchange and the app's own session, which begins once the SDK
// is ready (spec §5.6): the identity, for a minute, once, under a secret that only the browser has that
// began the launch. Needed when no ID token reaches the page (option 3). Stores a hash of the secret.
import type { LaunchIdentity } from './launch-identity.ts'
import { hash } from './session-credentials.ts'

export interface PendingIdentities {
  /**
   * Keeps `identity` under the secret of `takeLaunch`. False when that is not such a secret, or is in
   * use: answer 400.
   */
  add(proof: unknown, identity: LaunchIdentity): Promise<boolean>
  /** The identity, once; undefined when there is none, any more: answer 401. */
  redeem(proof: unknown): Promise<LaunchIdentity | undefined>
}

export interface PendingStore {
  /** Inserts unless the key is there: `INSERT … ON CONFLICT DO NOTHING`. Whether it was inserted. */
  insert(key: string, identity: LaunchIdentity, expiresAt: number): Promise<boolean>
  /**
   * Returns and deletes the identity. Of concurrent calls one gets the row: `DELETE … WHERE key = ? AND
   * expires_at > ? RETURNING`.
   */
  redeem(key: string, now: number): Promise<LaunchIdentity | undefined>
}

export interface PendingIdentitiesOptions {
  /** Default: in memory of this process. */
  readonly store?: PendingStore
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

const LIFETIME_MS = 60_000
/** 256 bits, as the browser half mints them. */
const PROOF = /^[\w-]{43}$/

/**
 * Keeps the identity of option 3 from the exchange until the SDK of the same browser is ready: a minute,
 * once, under the secret of `takeLaunch`. Never throws itself; its functions reject with what the store
 * throws. Spec §5.3, §5.6.
 * @example const pending = createPendingIdentities(); await pending.add(proof, identity)
 */
export function createPendingIdentities(options: PendingIdentitiesOptions = {}): PendingIdentities {
  const { now = () => Date.now(), store = createMemoryPendingStore(now) } = options
  return {
    async add(proof, identity) {
      if (typeof proof !== 'string' || !PROOF.test(proof)) return false
      return store.insert(await hash(proof), identity, now() + LIFETIME_MS)
    },
    async redeem(proof) {
      if (typeof proof !== 'string' || !PROOF.test(proof)) return undefined
      return store.redeem(await hash(proof), now())
    },
  }
}

const MAX_PENDING = 10_000

/** Creates a store for one process. */
function createMemoryPendingStore(now: () => number): PendingStore {
  /** The oldest first. */
  const pending = new Map<string, { identity: LaunchIdentity; expiresAt: number }>()
  return {
    async insert(key, identity, expiresAt) {
      for (const [oldest, one] of pending) {
        if (one.expiresAt > now() && pending.size < MAX_PENDING) break
        pending.delete(oldest)
      }
      if (pending.has(key)) return false
      pending.set(key, { identity, expiresAt })
      return true
    },
    async redeem(key, time) {
      const found = pending.get(key)
      pending.delete(key)
      return found && found.expiresAt > time ? found.identity : undefined
    },
  }
}
