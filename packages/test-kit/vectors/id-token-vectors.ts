// Builds the published ID token vectors: one token of each kind, and key sets that change the
// result of some. Deterministic: fixed keys, fixed clock. Security R01-R03, R11.
import { ID_TOKEN_KINDS, idTokenKinds, signIdToken, signRs256 } from '../src/id-token-kinds.ts'
import { buildClaims, buildLaunch } from '../src/launch.ts'
import { readRsaKey } from '../src/rsa-key.ts'
import { TEST_KEYS } from '../src/test-keys.ts'

const NOW = 1_800_000_000
const TOLERANCE_SECONDS = 60
const ISSUER = 'https://chartside.example/app-auth'
const CLIENT_ID = 'cli_0123456789abcdef0123456789abcdef'
const NONCE = 'n-0S6_WzA2Mj'
const LAUNCH_ID = 'lnch_vector'

const key = readRsaKey('key-1', TEST_KEYS.issuer)
const second = readRsaKey('key-2', TEST_KEYS.second)
const foreignKey = readRsaKey('key-foreign', TEST_KEYS.foreign)

/** P-256; RFC 7517 appendix A.1. */
const ELLIPTIC = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  kid: 'key-ec',
  use: 'sig',
  alg: 'ES256',
}

const JWKS = {
  one: { keys: [key.jwk] },
  two: { keys: [key.jwk, second.jwk] },
  with_an_elliptic_key: { keys: [ELLIPTIC, key.jwk] },
  for_encryption: { keys: [{ ...key.jwk, use: 'enc', alg: 'RSA-OAEP' }] },
  without_the_key: { keys: [second.jwk] },
  empty: { keys: [] },
}

interface Vector {
  readonly name: string
  readonly requirement: string
  readonly jwks: keyof typeof JWKS
  readonly result: 'accept' | 'reject'
  /** The app kit's code; other implementations may have other words. */
  readonly reason?: string
  /** The other answer that is sound too, though the app kit does not give it. */
  readonly or?: 'accept' | 'reject'
  readonly token: string
}

export function buildIdTokenVectors() {
  const facts = { issuer: ISSUER, clientId: CLIENT_ID, scope: 'profile', now: NOW }
  const launch = buildLaunch({ launchId: LAUNCH_ID })
  const claimsOf = (jti: string) =>
    buildClaims(launch, { ...facts, nonce: NONCE, accessToken: undefined, jti })
  const inputs = (jti: string) => ({
    claims: claimsOf(jti),
    key,
    foreignKey,
    now: NOW,
    toleranceSeconds: TOLERANCE_SECONDS,
  })
  const vectors: Vector[] = idTokenKinds.map((kind) => {
    const { requirement, description, reason } = ID_TOKEN_KINDS[kind]
    const token = signIdToken(kind, inputs(`jti-${kind}`))
    const common = { name: description, requirement, jwks: 'one' as const, token }
    return reason === null
      ? { ...common, result: 'accept' }
      : { ...common, result: 'reject', reason }
  })

  const valid = signIdToken('valid', inputs('jti-key-set'))
  const nameless = signIdToken('without_kid', inputs('jti-nameless'))
  const otherKey = signRs256(
    { alg: 'RS256', typ: 'JWT', kid: second.kid },
    claimsOf('jti-second'),
    key,
  )
  vectors.push(
    accept('R02', 'whose key is one of two', 'two', valid),
    accept('R02', 'whose key set holds an elliptic key too', 'with_an_elliptic_key', valid),
    accept('R02', 'without kid beside an elliptic key', 'with_an_elliptic_key', nameless),
    {
      ...reject('R02', 'without kid, when two keys would do', 'two', 'key_ambiguous', nameless),
      or: 'accept',
    },
    reject(
      'R01',
      'signed with another published key than it names',
      'two',
      'signature_invalid',
      otherKey,
    ),
    reject('R01', 'whose key is published for encryption', 'for_encryption', 'key_unknown', valid),
    reject('R01', 'whose key was withdrawn', 'without_the_key', 'key_unknown', valid),
    reject(
      'R02',
      'without kid, when the only key is another',
      'without_the_key',
      'signature_invalid',
      nameless,
    ),
    {
      ...reject('R01', 'with a line feed behind it', 'one', 'token_malformed', `${valid}\n`),
      or: 'accept',
    },
    {
      ...reject('R01', 'with a space in front of it', 'one', 'token_malformed', ` ${valid}`),
      or: 'accept',
    },
    reject('R01', 'when no key is published', 'empty', 'key_unknown', valid),
  )
  return {
    about:
      'ID tokens that an app must accept or reject, by RFC 8725 and the rules of Chartside. The README of the package says how to run them.',
    now: NOW,
    tolerance_seconds: TOLERANCE_SECONDS,
    issuer: ISSUER,
    client_id: CLIENT_ID,
    nonce: NONCE,
    launch_id: LAUNCH_ID,
    jwks: JWKS,
    vectors,
  }
}

const accept = (
  requirement: string,
  name: string,
  jwks: keyof typeof JWKS,
  token: string,
): Vector => ({ name, requirement, jwks, token, result: 'accept' })

const reject = (
  requirement: string,
  name: string,
  jwks: keyof typeof JWKS,
  reason: string,
  token: string,
): Vector => ({ name, requirement, jwks, token, result: 'reject', reason })
