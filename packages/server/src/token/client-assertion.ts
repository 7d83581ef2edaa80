// Owns what a client assertion (private_key_jwt) must be: a compact JWS with RS256 or ES256 whose claims name
// the client, this issuer and an early end. Reading, claims and signature are apart: what a caller sent decides
// the first two, and the third takes the same time for an unknown client. Pure; keys/used-jwt-store.ts
// settles that each is used once. RFC 7521 4.2, RFC 7523 3, RFC 8725; security P08. docs/inside/decisions/0044.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { scanJsonNames } from '@chartside/protocol/json-names'
import {
  type AppKey,
  ASSERTION_ALGORITHMS,
  type AssertionAlgorithm,
  findAssertionKey,
  KEY_ID,
} from '../apps/app-key.ts'
import type { Reason } from '../kernel/reasons.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** An assertion may arrive this long before its end. */
export const MAX_ASSERTION_SECONDS = 300
/** The difference that the two clocks may have. */
export const CLOCK_SKEW_SECONDS = 60

/** The assertion is read, and not yet believed. */
export interface ClientAssertion {
  readonly alg: AssertionAlgorithm
  readonly kid: string | undefined
  readonly claims: Readonly<Record<string, unknown>>
  /** The signature covers this text. */
  readonly signed: string
  readonly signature: Buffer
}

/** The reason why an assertion is refused; the text is for any caller, since it is about what the caller sent. */
export interface AssertionProblem {
  readonly reason: Reason
  readonly message: string
}

const malformed = (message: string): AssertionProblem => ({
  reason: 'assertion_malformed',
  message,
})

/** The length of a signature with ES256 (RFC 7518 3.4). */
const ES256_BYTES = 64
/** A time above it is one in milliseconds: as seconds it would be the year 5138. */
const MAX_SECONDS = 1e11

/** A compact JWS: three parts in base64url. */
const COMPACT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/
/** The types of the header. RFC 7523 has none; the first text is usual, the second is that of its successor. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'client-authentication+jwt']

export function readAssertion(text: string): ClientAssertion | AssertionProblem {
  const [, head = '', body = '', signature = ''] = COMPACT.exec(text) ?? []
  const [header, claims] = [readObject(head), readObject(body)]
  if (!header || !claims) return malformed('client_assertion is not a signed JWT.')
  const alg = ASSERTION_ALGORITHMS.find((known) => known === header.alg)
  if (!alg) return malformed('client_assertion must be signed with RS256 or ES256.')
  const { kid, typ, crit } = header
  const type = typeof typ === 'string' ? typ.toLowerCase() : typ
  if (!TYPES.includes(type)) return malformed('The header typ of client_assertion must be JWT.')
  if (crit !== undefined)
    return malformed('client_assertion has a crit header that is not supported.')
  if (kid !== undefined && (typeof kid !== 'string' || !KEY_ID.test(kid))) {
    return malformed('The header kid of client_assertion is not that of a registered key.')
  }
  const bytes = Buffer.from(signature, 'base64url')
  if (alg === 'ES256' && bytes.length !== ES256_BYTES) {
    return malformed(
      'The ES256 signature of client_assertion has 64 bytes, r and s (ieee-p1363), not the DER that many libraries make.',
    )
  }
  return { alg, kid, claims, signed: `${head}.${body}`, signature: bytes }
}

/** A JSON object that names each member once: parsers differ in which of two they take. RFC 7519 4. */
function readObject(part: string): Readonly<Record<string, unknown>> | undefined {
  const json = Buffer.from(part, 'base64url').toString('utf8')
  let isRepeated = false
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    scanJsonNames(json, {
      onName: (_name, _depth, repeated) => {
        isRepeated ||= repeated
      },
    })
    return isRepeated ? undefined : (value as Record<string, unknown>)
  } catch {
    return undefined
  }
}

/** The client that the assertion names, before anything of it is checked. */
export const clientOfAssertion = ({ claims }: ClientAssertion): string | undefined =>
  typeof claims.sub === 'string' && claims.sub.length <= 128 ? claims.sub : undefined

interface Expectations {
  readonly clientId: string
  /** The issuer, and the token endpoint for libraries that take OpenID Connect Core §9 by its word. */
  readonly audiences: readonly string[]
  readonly now: number
}

/** Finds what is wrong with the claims. The audience is one of the two, alone: never a list of servers. */
export function findClaimsProblem(
  { claims }: ClientAssertion,
  { clientId, audiences, now }: Expectations,
): AssertionProblem | undefined {
  const { iss, sub, aud, exp, iat, nbf, jti } = claims
  if (iss !== clientId || sub !== clientId) {
    return malformed('iss and sub of client_assertion must both be the client ID.')
  }
  const [audience, ...others] = Array.isArray(aud) ? aud : [aud]
  if (others.length > 0 || !audiences.includes(audience)) {
    const message = `aud of client_assertion must be ${audiences[0]}, alone.`
    return { reason: 'assertion_audience', message }
  }
  if (typeof jti !== 'string' || jti === '' || jti.length > 256) {
    return malformed('client_assertion needs a jti of 1 to 256 characters.')
  }
  const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0
  if (!isTime(exp)) return malformed('client_assertion needs exp, in seconds since 1970.')
  if ([iat, nbf].some((at) => at !== undefined && !isTime(at))) {
    return malformed('iat and nbf of client_assertion are in seconds since 1970.')
  }
  const seconds = now / 1000
  const untimely = (message: string) => ({ reason: 'assertion_expired', message }) as const
  if ([exp, iat, nbf].some((at) => isTime(at) && at > MAX_SECONDS)) {
    return malformed('exp, iat and nbf of client_assertion are in seconds, not in milliseconds.')
  }
  if (exp + CLOCK_SKEW_SECONDS <= seconds) {
    return untimely('client_assertion has expired. Make one for each request, and check the clock.')
  }
  if (exp > seconds + MAX_ASSERTION_SECONDS + CLOCK_SKEW_SECONDS) {
    return untimely(`client_assertion must end within ${MAX_ASSERTION_SECONDS} seconds.`)
  }
  if ([iat, nbf].some((at) => isTime(at) && at > seconds + CLOCK_SKEW_SECONDS)) {
    return untimely('client_assertion begins in the future. Check the clock of the app’s server.')
  }
  return undefined
}

/** The key is checked in place of those of an unknown client, so that both take the same time. */
const KEY_OF_UNKNOWN_CLIENT: Readonly<Record<AssertionAlgorithm, KeyObject>> = {
  RS256: createPublicKey({
    key: {
      ...{ kty: 'RSA', e: 'AQAB' },
      n: 'pIWQt2ehKey7XBHGOD5xy2nkMhBqrPKXWDOE6r-_OHuD4G2wNCeRvcFlOONI1ltijKN2NNTJGCDU83WaM9dkyTPQs1-NebaLOCAlsvbWFw1h1iMMqJKjO0YTzYajYBOQAMcYn-CoZPmSf4mwor-UrUiKpfF3n6BupmHXWuKa80btjEOQt34bgHMzHPrQfygAn8CO7M2dTAHDxbxxmr86geq2uUdSqCYL_lkcHxNfYlUkBN_pIdRtmQaW-Nxj3pAi-jr3ZAlZDvuutVOKj5XxxKYHZ02JvM45TqSN2NdZC3IbTVuaknXV_x3tGvkY0tbUAITlefUziqciWf6vgNXRjw',
    },
    format: 'jwk',
  }),
  ES256: createPublicKey({
    key: {
      ...{ kty: 'EC', crv: 'P-256' },
      x: 'sDXi9dXfjO7pedPEaFwWTYi0bA-7Cns0uCQObj-97Qw',
      y: 'jsCfVsEGhI8iY7zwRgUGT5HL2ZaDfRXFx1-nwxSF8v0',
    },
    format: 'jwk',
  }),
}

/** Whether a key of the client has signed it. `keys` undefined: an unknown client, or one without keys. */
export function isSignedBy(
  { alg, kid, signed, signature }: ClientAssertion,
  keys: readonly AppKey[] | undefined,
): boolean {
  const key = findAssertionKey(keys ?? [], alg, kid)
  const isRight = verify(
    'sha256',
    Buffer.from(signed),
    { key: key ?? KEY_OF_UNKNOWN_CLIENT[alg], dsaEncoding: 'ieee-p1363' },
    signature,
  )
  return key !== undefined && isRight
}

/** Returns until when the jti must be remembered: no moment later is it accepted. The time is in milliseconds. */
export const assertionEndsAt = ({ claims }: ClientAssertion): number =>
  (Math.ceil(Number(claims.exp)) + CLOCK_SKEW_SECONDS) * 1000
