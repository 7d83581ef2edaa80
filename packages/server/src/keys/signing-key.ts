// Owns the shape of a signing key and of its public JWK. Pure: the private key comes from the
// randomness. RS256 only: spec §2.4, RFC 7517, RFC 7638 (the key id is the thumbprint). When a key
// signs is in key-schedule.ts.
import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import type { Randomness } from '../kernel/randomness.ts'

export const MODULUS_BITS = 2048

export interface PublicJwk {
  readonly kty: 'RSA'
  readonly n: string
  readonly e: string
  readonly kid: string
  readonly use: 'sig'
  readonly alg: 'RS256'
}

export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicJwk: PublicJwk
}

export async function generateSigningKey(randomness: Randomness): Promise<SigningKey> {
  const privateKey = await randomness.rsaKey(MODULUS_BITS)
  const publicJwk = buildPublicJwk(privateKey)
  return { kid: publicJwk.kid, privateKey, publicJwk }
}

/** The public key as it is published. */
export function buildPublicJwk(privateKey: KeyObject): PublicJwk {
  const { n = '', e = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const kid = hash('sha256', JSON.stringify({ e, kty: 'RSA', n }), 'base64url')
  return { kty: 'RSA', n, e, kid, use: 'sig', alg: 'RS256' }
}
