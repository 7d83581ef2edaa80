// Owns what a signing key is, which one signs now and which ones are published. Pure, except that
// making a key draws on the operating system inside node:crypto. RS256 only: spec §2.4, RFC 7517,
// RFC 7638 (the key id is the thumbprint).
import { createPublicKey, generateKeyPair, hash, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

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
  /** Milliseconds; a key is published before this and signs from then on. */
  readonly signsFrom: number
}

export async function makeSigningKey(signsFrom: number): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
  const publicJwk = buildPublicJwk(privateKey)
  return { kid: publicJwk.kid, privateKey, publicJwk, signsFrom }
}

/** The public half as published; the private half never passes through here. */
export function buildPublicJwk(privateKey: KeyObject): PublicJwk {
  const { n = '', e = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const kid = hash('sha256', JSON.stringify({ e, kty: 'RSA', n }), 'base64url')
  return { kty: 'RSA', n, e, kid, use: 'sig', alg: 'RS256' }
}

/** The key that signs now: the newest one whose time has come. */
export function decideSigner(keys: readonly SigningKey[], now: number): SigningKey {
  const ready = keys.filter((key) => key.signsFrom <= now)
  const signer = ready.sort((a, b) => b.signsFrom - a.signsFrom)[0]
  if (!signer) throw new Error('no signing key is active')
  return signer
}
