// Client assertions for the fuzzer: the key of the fuzzed app, assertions that are right, and the claims and
// headers that are wrong in one way. Signed here, so that what is wrong is what the service must find.
import { generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const KID = 'fuzzed'

const ASSERTION_KEY: JsonWebKey = { ...publicKey.export({ format: 'jwk' }), kid: KID }
/** As the service keeps it. */
export const STORED_KEYS = JSON.stringify({
  keys: [{ ...ASSERTION_KEY, alg: 'ES256', use: 'sig' }],
})
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Key sets as a registration may send them; only the first is right. */
export const KEY_SETS: readonly (readonly object[])[] = [
  [ASSERTION_KEY],
  [{ ...privateKey.export({ format: 'jwk' }), kid: KID }],
  [ASSERTION_KEY, ASSERTION_KEY],
  [{ kty: 'oct', kid: KID, k: 'c2VjcmV0' }],
  [{ kty: 'RSA', kid: KID, n: '', e: 'AQAB' }],
  [{ ...ASSERTION_KEY, x: '\u0000' }],
  [],
]

interface Parts {
  readonly header?: Record<string, unknown>
  readonly claims?: Record<string, unknown>
}

/** What is changed in an assertion that is right otherwise; the first is right. */
export const VARIANTS: Readonly<Record<string, Parts>> = {
  right: {},
  none: { header: { alg: 'none' } },
  hmac: { header: { alg: 'HS256' } },
  nested: { header: { kid: { kid: KID } } },
  huge: { claims: { exp: 1e300 } },
  negative: { claims: { exp: -1 } },
  texts: { claims: { exp: 'soon', iat: [], nbf: {} } },
  audiences: { claims: { aud: [[], {}, null] } },
  proto: { claims: { ['__proto__']: { sub: 'x' }, sub: ['x'] } },
  jti: { claims: { jti: '\u0000'.repeat(64) } },
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export function buildAssertion(
  variant: string,
  clientId: string,
  issuer: string,
  now: number,
): string {
  const { header = {}, claims = {} } = VARIANTS[variant] ?? {}
  const exp = Math.floor(now / 1000) + 60
  const all = { iss: clientId, sub: clientId, aud: issuer, exp, jti: randomUUID(), ...claims }
  const input = `${encode({ alg: 'ES256', kid: KID, ...header })}.${encode(all)}`
  const signature = sign('sha256', Buffer.from(input), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${input}.${signature.toString('base64url')}`
}
