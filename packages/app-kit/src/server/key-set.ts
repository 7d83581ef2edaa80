// Finds the published key that a token's header names. Uses keys of the pinned algorithm only, whatever else
// the set holds. Fetches through a cache; verifies no signature. Spec §4.4, §5.4; RFC 7517; security R02,
// R04.
import { createLocalJWKSet, errors } from 'jose'
import { type CacheRules, createCachedDocument } from './cached-document.ts'
import { IdTokenError } from './errors.ts'
import { loadJson } from './load-json.ts'
import type { SignedResponseAlg } from './require-option.ts'

/** A CryptoKey, named without the types of a library or of a browser. */
export type VerificationKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The published keys of the one algorithm that the app takes. */
export interface KeySet {
  readonly alg: SignedResponseAlg
  readonly findKey: (kid: string | undefined) => Promise<VerificationKey>
}

/**
 * @throws IdTokenError key_unknown, key_ambiguous (no `kid` and several keys, or one `kid` twice),
 *   keys_unavailable
 */
export function createKeySet(
  jwksUri: string,
  alg: SignedResponseAlg,
  fetchFrom: typeof fetch,
  rules: CacheRules,
): KeySet {
  const cache = createCachedDocument(async () => {
    const document = await loadJson(jwksUri, fetchFrom)
    return createLocalJWKSet(document as unknown as Parameters<typeof createLocalJWKSet>[0])
  }, rules)

  const load = (from: 'get' | 'renew') =>
    cache[from]().catch((cause: unknown) => {
      const message = 'The keys that sign ID tokens could not be fetched, and none are known.'
      throw new IdTokenError('keys_unavailable', message, { cause })
    })

  const findKey: KeySet['findKey'] = async (kid) => {
    const header = kid === undefined ? { alg } : { alg, kid }
    const keys = await load('get')
    try {
      return await keys(header)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw buildError(error)
      // The key may be newer than the cached set.
      const newer = await load('renew')
      if (newer === keys) throw buildError(error)
      return newer(header).catch((again: unknown) => {
        throw buildError(again)
      })
    }
  }
  return { alg, findKey }
}

function buildError(cause: unknown): IdTokenError {
  if (cause instanceof errors.JWKSMultipleMatchingKeys) {
    return new IdTokenError('key_ambiguous', 'The token names no key, and several would do.', {
      cause,
    })
  }
  return new IdTokenError(
    'key_unknown',
    'The token names a key that the service does not publish.',
    {
      cause,
    },
  )
}
