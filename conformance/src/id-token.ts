// Verifies ID tokens with jose as a relying party must: algorithm, key, signature, claims, at_hash.
// Each part is a function of its own, so that one fault fails one module. OpenID Connect Core 3.1.3.7.
import { createHash } from 'node:crypto'
import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
  type ProtectedHeaderParameters,
} from 'jose'
import type { ModuleContext } from './module-context.ts'

export interface DecodedToken {
  readonly header: ProtectedHeaderParameters
  readonly claims: JWTPayload
}

export function decodeIdToken(t: ModuleContext, idToken: string): DecodedToken {
  try {
    return { header: decodeProtectedHeader(idToken), claims: decodeJwt(idToken) }
  } catch (error) {
    t.check(false, 'the ID token is a signed JWT', String(error))
    throw error
  }
}

export async function fetchKeys(t: ModuleContext): Promise<JSONWebKeySet> {
  const answer = await t.send(t.metadata.jwks_uri)
  const keys = answer.json?.keys
  t.check(
    answer.status === 200 && Array.isArray(keys),
    'jwks_uri answers 200 with keys',
    `${answer.status}`,
  )
  return answer.json as unknown as JSONWebKeySet
}

export async function checkSignature(t: ModuleContext, idToken: string): Promise<void> {
  const keys = createLocalJWKSet(await fetchKeys(t))
  const problem = await compactVerify(idToken, keys).then(
    () => '',
    (error: unknown) => String(error),
  )
  t.check(problem === '', 'a key of jwks_uri verifies the signature', problem)
}

/** Clocks differ. */
const TOLERANCE_SECONDS = 60
const MAX_LIFE_SECONDS = 24 * 60 * 60

export function checkClaims(
  t: ModuleContext,
  claims: JWTPayload,
  expected: { readonly nonce: string | undefined; readonly clientId: string },
): void {
  t.equal(claims.iss, t.target.issuer, 'iss')
  const audience = [claims.aud].flat()
  t.check(audience.includes(expected.clientId), 'aud names the client', JSON.stringify(claims.aud))
  // OpenID Connect Core 3.1.3.7, 4 and 5: with several audiences it must be there, and it names no other client.
  if (audience.length > 1 || claims.azp !== undefined) {
    t.equal(claims.azp, expected.clientId, 'azp')
  }
  const now = Date.now() / 1000
  const { exp, iat, sub } = claims
  const isCurrent = (exp ?? 0) > now - TOLERANCE_SECONDS
  t.check(typeof exp === 'number' && isCurrent, 'exp is in the future', `exp ${exp}`)
  // Its life is the time in which a stolen one can be shown to an app.
  const life = (exp ?? 0) - (iat ?? 0)
  t.advise(life <= MAX_LIFE_SECONDS, 'an ID token lives for a day at most', `${life} s`)
  const isFresh = Math.abs(now - (iat ?? 0)) < TOLERANCE_SECONDS * 5
  t.check(typeof iat === 'number' && isFresh, 'iat is the present time', `iat ${iat}`)
  const isSubject = typeof sub === 'string' && sub.length > 0 && sub.length <= 255
  t.check(isSubject, 'sub is a string of 1 to 255 characters', JSON.stringify(sub))
  t.equal(claims.nonce, expected.nonce, 'nonce')
}

/** Returns the left half of the hash that the algorithm names (OpenID Connect Core 3.1.3.6). */
export function leftHalfHash(alg: string | undefined, value: string): string {
  const size = /\d{3}$/.exec(alg ?? '')?.[0] ?? '256'
  const hash = createHash(`sha${size}`).update(value).digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}
