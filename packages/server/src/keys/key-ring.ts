// Holds the keys of a running node: which one signs, which ones are published, and the key from which
// launch_ids are derived. Loads them at the start and again when a node or an operator changed them.
// Never returns a private key in an answer.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { CacheVersions } from '../cluster/cache-versions.ts'
import type { Database } from '../db/database.ts'
import type { Randomness } from '../kernel/randomness.ts'
import { ensureSigningKey } from './key-rotation.ts'
import {
  decidePublished,
  decideSigner,
  jwksMaxAgeSeconds,
  type KeyTimes,
  type ScheduledKey,
} from './key-schedule.ts'
import { findLaunchKey, listSigningKeys, type StoredKey } from './key-store.ts'
import { type LaunchKey, launchKeyFrom } from './launch-key.ts'
import { type MasterKeys, unseal } from './master-key.ts'
import type { PublicJwk, SigningAlgorithm, SigningKey } from './signing-key.ts'

/** The key set for verifiers. */
export interface PublishedKeys {
  readonly keys: readonly PublicJwk[]
  readonly maxAgeSeconds: number
}

export interface KeyRing {
  /** The key that signs with this algorithm now. @throws SigningKeyMissing */
  signer(alg: SigningAlgorithm, now: number): SigningKey
  /** Creates the first key of an algorithm, if there is none. Returns its kid if this call made it. */
  ensure(alg: SigningAlgorithm, now: number): Promise<string | undefined>
  published(now: number): PublishedKeys
  /** The time for which the current key of RS256 has signed, in milliseconds. @throws SigningKeyMissing */
  signerAge(now: number): number
  /** The HMAC-SHA-256 key for launch_ids (docs/inside/decisions/0004). */
  readonly launchKey: LaunchKey
}

export interface HasKeys {
  readonly keys: KeyRing
}

/** The error when no key can sign now: the database has none, or none that the master key opens. */
export class SigningKeyMissing extends Error {
  constructor(cause: unknown) {
    super('no signing key can be used', { cause })
    this.name = 'SigningKeyMissing'
  }
}

interface RingKey extends ScheduledKey {
  readonly publicJwk: PublicJwk
  readonly opened: { readonly privateKey: KeyObject } | { readonly problem: unknown }
}

export interface KeyRingOptions {
  readonly masters: MasterKeys
  readonly randomness: Randomness
  readonly times: KeyTimes
  readonly now: number
  /** The function is called for a key that this node cannot open, each time the keys are loaded. */
  readonly onSealedKey: (kid: string, problem: unknown) => void
}

/** @throws Error that names the required master key, when no key can sign with the given one. */
export async function loadKeyRing(
  db: Database,
  cacheVersions: CacheVersions,
  { masters, randomness, times, now, onSealedKey }: KeyRingOptions,
): Promise<KeyRing> {
  const sealedLaunchKey = await findLaunchKey(db)
  if (!sealedLaunchKey) throw new Error('the database has no launch key')
  const launchKey = launchKeyFrom(unseal(masters, sealedLaunchKey.id, sealedLaunchKey.sealed))

  let keys: readonly RingKey[] = []
  const open = (stored: StoredKey): RingKey => {
    const known = keys.find(({ kid }) => kid === stored.kid)
    const { kid, alg, generation, createdAt, signsFrom, retiredAt, publicJwk } = stored
    const schedule = { kid, alg, generation, createdAt, signsFrom, retiredAt, publicJwk }
    if (known && 'privateKey' in known.opened) return { ...schedule, opened: known.opened }
    try {
      const key = unseal(masters, kid, stored.sealed)
      return {
        ...schedule,
        opened: { privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) },
      }
    } catch (problem) {
      onSealedKey(kid, problem)
      return { ...schedule, opened: { problem } }
    }
  }
  const read = async () => {
    const live = (await listSigningKeys(db)).filter(({ retiredAt }) => retiredAt === undefined)
    keys = live.map(open)
  }

  await read()
  const ring: KeyRing = {
    launchKey,
    signer(alg, at) {
      const key = decideSigner(keys, alg, at)
      if (!key) throw new SigningKeyMissing(undefined)
      if ('problem' in key.opened) throw new SigningKeyMissing(key.opened.problem)
      return { kid: key.kid, privateKey: key.opened.privateKey, publicJwk: key.publicJwk }
    },
    async ensure(alg, at) {
      if (decideSigner(keys, alg, at)) return undefined
      const created = await ensureSigningKey({ db, masters, randomness, times, now: at }, alg)
      await read()
      return created
    },
    signerAge(at) {
      const key = decideSigner(keys, 'RS256', at)
      if (!key) throw new SigningKeyMissing(undefined)
      return at - (key.signsFrom ?? key.createdAt)
    },
    published: (at) => ({
      keys: decidePublished(keys, at, times).map(({ publicJwk }) => publicJwk),
      maxAgeSeconds: jwksMaxAgeSeconds(times),
    }),
  }
  try {
    ring.signer('RS256', now)
  } catch (error) {
    // At the start the operator needs the cause first.
    throw error instanceof SigningKeyMissing && error.cause ? error.cause : error
  }
  cacheVersions.listen('keys', read)
  return ring
}
