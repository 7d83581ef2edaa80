// RSA keys of the fake issuer: generated on demand, or read from a fixed JWK, so that the vectors
// stay the same. For tests only; they must not sign for a real service. RFC 7517.
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Jwk } from './jwk.ts'

export interface RsaKey {
  readonly kid: string
  readonly privateKey: KeyObject
  /** The key has public members only, as a JWKS shows it. */
  readonly jwk: Readonly<Record<string, unknown>>
}

export async function mintRsaKey(kid: string): Promise<RsaKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return describe(kid, privateKey)
}

/** Reads the key from a private JWK. */
export const readRsaKey = (kid: string, jwk: Jwk): RsaKey =>
  describe(kid, createPrivateKey({ key: jwk, format: 'jwk' }))

function describe(kid: string, privateKey: KeyObject): RsaKey {
  const { kty, n, e } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { kid, privateKey, jwk: { kty, n, e, kid, use: 'sig', alg: 'RS256' } }
}
