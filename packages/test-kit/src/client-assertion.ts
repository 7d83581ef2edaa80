// The private_key_jwt of an app under test, as the service takes it: signed by the app's registered key, for
// this issuer, of a short life, used once. Shares no code with the service. RFC 7523; contract §2.
import { createPublicKey, verify } from 'node:crypto'
import type { Jwk } from './jwk.ts'

export interface AssertionCheck {
  readonly clientId: string
  /** The public key that the app would register; undefined: the app has none. */
  readonly key: Jwk | undefined
  readonly audiences: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
  /** The jti of assertions that were accepted. */
  readonly used: Set<string>
}

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const SKEW_SECONDS = 60
const MAX_SECONDS = 300

/** The client that the assertion of these parameters names, believed or not. */
export function clientOfAssertion(text: string | undefined): string | undefined {
  const { sub } = readPart(text?.split('.')[1])
  return typeof sub === 'string' ? sub : undefined
}

/** Whether the parameters authenticate the client; an accepted assertion is used up. */
export function isAssertionRight(
  fields: Readonly<Record<string, string | undefined>>,
  { clientId, key, audiences, now, used }: AssertionCheck,
): boolean {
  const [head = '', body = '', signature = ''] = (fields.client_assertion ?? '').split('.')
  const [{ alg }, claims] = [readPart(head), readPart(body)]
  if (!key || fields.client_assertion_type !== TYPE) return false
  if (alg !== (key.kty === 'EC' ? 'ES256' : 'RS256')) return false
  const audience = Array.isArray(claims.aud) && claims.aud.length === 1 ? claims.aud[0] : claims.aud
  const endsIn = Number(claims.exp) - now / 1000
  const isRight =
    claims.iss === clientId &&
    claims.sub === clientId &&
    audiences.includes(String(audience)) &&
    endsIn > -SKEW_SECONDS &&
    endsIn <= MAX_SECONDS + SKEW_SECONDS &&
    typeof claims.jti === 'string' &&
    !used.has(claims.jti) &&
    verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  if (isRight) used.add(String(claims.jti))
  return isRight
}

function readPart(part = ''): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
