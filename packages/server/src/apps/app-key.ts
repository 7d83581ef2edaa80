// Owns which public keys an app may register for private_key_jwt: an RSA key for RS256, or a P-256 key for
// ES256, each with a kid of its own. Only the public members are kept; a private key is refused. Pure rules.
// RFC 7517, RFC 7518 6, security P08. docs/inside/decisions/0044.
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { FieldError } from '../kernel/errors.ts'

/** The names are those of metadata (RFC 8414). */
export const ASSERTION_ALGORITHMS = ['RS256', 'ES256'] as const
export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number]

/** The public key of an app, as it is kept and shown. */
export interface AppKey {
  readonly kty: 'RSA' | 'EC'
  readonly kid: string
  readonly alg: AssertionAlgorithm
  readonly use: 'sig'
  readonly n?: string
  readonly e?: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
}

export interface AppKeySet {
  readonly keys: readonly AppKey[]
}

/** A member of `keys` as a caller sent it. */
export interface SentKey {
  readonly kty: 'RSA' | 'EC'
  readonly kid: string
  readonly alg?: string | undefined
  readonly use?: string | undefined
  readonly [member: string]: unknown
}

/** The members of private keys (RFC 7518 6.2.2, 6.3.2 and 6.4). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
/** The maximum is 4096: a larger key only costs time at each exchange. */
const RSA_BITS = { min: 2048, max: 4096 } as const
/** It bounds the header of an assertion too, which the timeline shows and the trail keeps. */
export const KEY_ID = /^[\x21-\x7e]{1,128}$/

/** The problems of a registration, one entry per member of a key. */
export function listKeyProblems(keys: readonly SentKey[]): FieldError[] {
  const problems = keys.flatMap((key, at) => {
    const problem = findKeyProblem(key)
    return problem ? [{ field: `/jwks/keys/${at}/${problem[0]}`, message: problem[1] }] : []
  })
  const repeated = keys.findIndex(({ kid }, at) => keys.findIndex((one) => one.kid === kid) !== at)
  if (repeated < 0) return problems
  const message = 'Another key has this kid. Give each key its own.'
  return [...problems, { field: `/jwks/keys/${repeated}/kid`, message }]
}

function findKeyProblem(key: SentKey): readonly [member: string, message: string] | undefined {
  const leaked = PRIVATE_MEMBERS.find((member) => key[member] !== undefined)
  if (leaked) {
    return [
      leaked,
      'This is a private key. Make a new pair, and register the public key only: this one has left its server.',
    ]
  }
  const alg = algorithmOf(key)
  if (!KEY_ID.test(key.kid)) return ['kid', 'Must be 1 to 128 visible ASCII characters.']
  if (key.alg !== undefined && key.alg !== alg) return ['alg', `A key of this kind signs ${alg}.`]
  if (key.use !== undefined && key.use !== 'sig') return ['use', 'Must be sig.']
  if (key.kty === 'EC' && key.crv !== 'P-256') return ['crv', 'Must be P-256.']
  const details = readKey(key)?.asymmetricKeyDetails
  if (!details) return [key.kty === 'EC' ? 'x' : 'n', 'Is not a public key.']
  if (key.kty === 'EC') return undefined
  const { modulusLength = 0, publicExponent } = details
  if (modulusLength < RSA_BITS.min || modulusLength > RSA_BITS.max) {
    return [
      'n',
      `An RSA key has ${RSA_BITS.min} to ${RSA_BITS.max} bits; this one has ${modulusLength}.`,
    ]
  }
  return publicExponent === 65_537n ? undefined : ['e', 'Must be AQAB (65537).']
}

const algorithmOf = ({ kty }: Pick<SentKey, 'kty'>): AssertionAlgorithm =>
  kty === 'EC' ? 'ES256' : 'RS256'

function readKey({ kty, n, e, crv, x, y }: SentKey | AppKey): KeyObject | undefined {
  const members = kty === 'EC' ? { kty, crv, x, y } : { kty, n, e }
  try {
    return createPublicKey({ key: members as JsonWebKey, format: 'jwk' })
  } catch {
    return undefined
  }
}

/** These members of a good key are kept; no other one is, such as a certificate. */
export function buildKeySet(keys: readonly SentKey[]): AppKeySet {
  return {
    keys: keys.map((key) => {
      const own = { kty: key.kty, kid: key.kid, alg: algorithmOf(key), use: 'sig' } as const
      const text = (member: string) => ({ [member]: String(key[member]) })
      return key.kty === 'EC'
        ? { ...own, ...text('crv'), ...text('x'), ...text('y') }
        : { ...own, ...text('n'), ...text('e') }
    }),
  }
}

/** The keys of cached apps; they go with their app. */
const readKeys = new WeakMap<AppKey, KeyObject>()

/** The key that an assertion names; without a kid the only key of its algorithm. */
export function findAssertionKey(
  keys: readonly AppKey[],
  alg: AssertionAlgorithm,
  kid: string | undefined,
): KeyObject | undefined {
  const [key, ...others] = keys.filter(
    (one) => one.alg === alg && (kid === undefined || one.kid === kid),
  )
  if (!key || others.length > 0) return undefined
  const known = readKeys.get(key) ?? readKey(key)
  if (known) readKeys.set(key, known)
  return known
}
