// Owns the algorithms that sign tokens, the shape of a signing key and of its public JWK. Pure: the private
// key comes from the randomness. RS256 is the specification's (spec §2.4); ES256 is for apps that register
// it (decision 90). RFC 7517, RFC 7518 6, RFC 7638 (the key id is the thumbprint). When a key signs is in
// key-schedule.ts.
import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import type { Randomness } from '../kernel/randomness.ts'

/** The first is the default of every app. */
export const SIGNING_ALGORITHMS = ['RS256', 'ES256'] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]

export const MODULUS_BITS = 2048

interface CommonJwk {
  readonly kid: string
  readonly use: 'sig'
}

export type PublicJwk =
  | (CommonJwk & {
      readonly kty: 'RSA'
      readonly n: string
      readonly e: string
      readonly alg: 'RS256'
    })
  | (CommonJwk & {
      readonly kty: 'EC'
      readonly crv: 'P-256'
      readonly x: string
      readonly y: string
      readonly alg: 'ES256'
    })

export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicJwk: PublicJwk
}

export async function generateSigningKey(
  alg: SigningAlgorithm,
  randomness: Randomness,
): Promise<SigningKey> {
  const privateKey =
    alg === 'RS256' ? await randomness.rsaKey(MODULUS_BITS) : await randomness.p256Key()
  const publicJwk = buildPublicJwk(privateKey)
  return { kid: publicJwk.kid, privateKey, publicJwk }
}

/** The public key as it is published: of an RSA key for RS256, of a P-256 key for ES256. */
export function buildPublicJwk(privateKey: KeyObject): PublicJwk {
  const { n = '', e = '', x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (privateKey.asymmetricKeyType === 'ec') {
    const kid = thumbprintOf({ crv: 'P-256', kty: 'EC', x, y })
    return { kty: 'EC', crv: 'P-256', x, y, kid, use: 'sig', alg: 'ES256' }
  }
  return { kty: 'RSA', n, e, kid: thumbprintOf({ e, kty: 'RSA', n }), use: 'sig', alg: 'RS256' }
}

/** @param members the required ones, in the order of their names (RFC 7638 3) */
const thumbprintOf = (members: Readonly<Record<string, string>>): string =>
  hash('sha256', JSON.stringify(members), 'base64url')
