// The kinds of ID token that an app must distinguish: genuine ones, and one for each kind of
// forgery or misuse. A table of definitions; the published vectors come from the same table. For
// tests only. Spec §5.4; RFC 8725; security R01-R03, R11.
import { constants, createHmac, createPublicKey, sign } from 'node:crypto'
import type { RsaKey } from './rsa-key.ts'

export type Claims = Readonly<Record<string, unknown>>

export interface TokenInputs {
  readonly claims: Claims
  /** The key of the issuer, which is published. */
  readonly key: RsaKey
  /** The key of another issuer, which is not published. */
  readonly foreignKey: RsaKey
  /** Seconds since 1970. */
  readonly now: number
  /** The clock tolerance of the verifier. */
  readonly toleranceSeconds: number
}

interface KindDefinition {
  readonly requirement: 'R01' | 'R02' | 'R03' | 'R11'
  /** Continues "an ID token …". */
  readonly description: string
  /** The code of the app kit's IdTokenError; null when the token is to be accepted. */
  readonly reason: string | null
  readonly sign: (inputs: TokenInputs) => string
}

type Header = Readonly<Record<string, unknown>>

/** Encodes JSON in base64url; a string is taken as JSON that is already written. */
export const encodePart = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A token with these parts, whose RS256 signature is of `key`. */
export function signRs256(header: unknown, claims: unknown, key: RsaKey): string {
  const input = `${encodePart(header)}.${encodePart(claims)}`
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), key.privateKey).toString('base64url')}`
}

const headerOf = (key: RsaKey, extra: Header = {}): Header => ({
  alg: 'RS256',
  typ: 'JWT',
  kid: key.kid,
  ...extra,
})

/** Changes some claims of a genuine token; a claim that is undefined is left out. */
const withClaims =
  (change: (inputs: TokenInputs) => Claims): KindDefinition['sign'] =>
  (inputs) => {
    const { key, claims } = inputs
    return signRs256(headerOf(key), { ...claims, ...change(inputs) }, key)
  }

const withHeader =
  (change: (inputs: TokenInputs) => Header): KindDefinition['sign'] =>
  (inputs) => {
    const { key, claims } = inputs
    return signRs256(headerOf(key, change(inputs)), claims, key)
  }

const without = (claim: string): KindDefinition => ({
  requirement: 'R01',
  description: `without ${claim}`,
  reason: 'claim_missing',
  sign: withClaims(() => ({ [claim]: undefined })),
})

const unsigned = (alg: string): KindDefinition => ({
  requirement: 'R01',
  description: `without a signature, whose algorithm is "${alg}"`,
  reason: 'algorithm_refused',
  sign: ({ claims, key }) => `${encodePart(headerOf(key, { alg }))}.${encodePart(claims)}.`,
})

/** Confuses the algorithm: the public key is the secret of an HMAC (RFC 8725 2.1). */
const hmac = (form: string, secretOf: (key: RsaKey) => string): KindDefinition => ({
  requirement: 'R03',
  description: `signed with HS256 by the public key as ${form}`,
  reason: 'algorithm_refused',
  sign: ({ claims, key }) => {
    const input = `${encodePart(headerOf(key, { alg: 'HS256' }))}.${encodePart(claims)}`
    return `${input}.${createHmac('sha256', secretOf(key)).update(input).digest('base64url')}`
  },
})

/** Signs with a key that is in the token's own header. */
const embedded = (member: string, value: (foreignKey: RsaKey) => unknown): KindDefinition => ({
  requirement: 'R01',
  description: `signed with a key in its own header (${member})`,
  reason: 'header_refused',
  sign: ({ claims, foreignKey, key }) =>
    signRs256(headerOf(key, { [member]: value(foreignKey) }), claims, foreignKey),
})

/** An object in JSON whose member `name` stands twice, the second time with `value`. */
const doubled = (object: object, name: string, value: unknown): string =>
  `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`

const pem = (key: RsaKey): string =>
  createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' }).toString()

const wrong = (
  description: string,
  reason: string,
  change: (inputs: TokenInputs) => Claims,
  requirement: KindDefinition['requirement'] = 'R01',
): KindDefinition => ({ requirement, description, reason, sign: withClaims(change) })

export const ID_TOKEN_KINDS = {
  valid: {
    requirement: 'R01',
    description: 'that is valid',
    reason: null,
    sign: withClaims(() => ({})),
  },
  without_typ: {
    requirement: 'R01',
    description: 'without typ in its header',
    reason: null,
    sign: withHeader(() => ({ typ: undefined })),
  },
  without_kid: {
    requirement: 'R02',
    description: 'without kid, with one published key',
    reason: null,
    sign: withHeader(() => ({ kid: undefined })),
  },
  expired: wrong('that has expired', 'token_expired', ({ now }) => ({ exp: now - 3600 })),
  expired_just_beyond_tolerance: wrong(
    'that expired exactly at the limit of the tolerance',
    'token_expired',
    ({ now, toleranceSeconds }) => ({ exp: now - toleranceSeconds }),
    'R11',
  ),
  expired_within_tolerance: {
    requirement: 'R11',
    description: 'that expired one second within the tolerance',
    reason: null,
    sign: withClaims(({ now, toleranceSeconds }) => ({ exp: now - toleranceSeconds + 1 })),
  },
  issued_just_beyond_tolerance: wrong(
    'that was issued one second beyond the tolerance',
    'token_not_yet_valid',
    ({ now, toleranceSeconds }) => ({ iat: now + toleranceSeconds + 1 }),
    'R11',
  ),
  issued_within_tolerance: {
    requirement: 'R11',
    description: 'that was issued at the limit of the tolerance',
    reason: null,
    sign: withClaims(({ now, toleranceSeconds }) => ({ iat: now + toleranceSeconds })),
  },
  not_yet_valid: wrong('that is not valid yet (nbf)', 'token_not_yet_valid', ({ now }) => ({
    nbf: now + 3600,
  })),
  wrong_issuer: wrong('of another issuer', 'issuer_mismatch', () => ({
    iss: 'https://issuer.invalid/app-auth',
  })),
  issuer_with_slash: wrong(
    'whose issuer has one more slash',
    'issuer_mismatch',
    ({ claims: { iss } }) => ({ iss: `${iss}/` }),
  ),
  wrong_audience: wrong('for another app', 'audience_mismatch', () => ({ aud: 'cli_other' })),
  audience_list: wrong('for this app among others', 'audience_mismatch', ({ claims: { aud } }) => ({
    aud: [aud, 'cli_other'],
  })),
  audience_list_of_one: wrong(
    'whose audience is a list, of this app only',
    'audience_mismatch',
    ({ claims: { aud } }) => ({ aud: [aud] }),
  ),
  wrong_authorized_party: wrong(
    'that was issued to another app (azp)',
    'authorized_party_mismatch',
    () => ({ azp: 'cli_other' }),
  ),
  wrong_nonce: wrong('with another nonce', 'nonce_mismatch', () => ({ nonce: 'another-nonce' })),
  without_nonce: wrong('without the nonce that is expected', 'nonce_mismatch', () => ({
    nonce: undefined,
  })),
  wrong_launch: wrong('of another launch', 'launch_mismatch', () => ({ launch_id: 'lnch_other' })),
  without_iss: without('iss'),
  without_sub: without('sub'),
  without_aud: without('aud'),
  without_exp: without('exp'),
  without_iat: without('iat'),
  without_jti: without('jti'),
  without_launch_id: without('launch_id'),
  without_account: without('account'),
  empty_sub: wrong('with an empty sub', 'claim_missing', () => ({ sub: '' })),
  exp_as_text: wrong('whose exp is text', 'claim_missing', ({ now }) => ({ exp: `${now + 900}` })),
  alg_none: unsigned('none'),
  alg_none_in_capitals: unsigned('NONE'),
  hs256_with_public_pem: hmac('PEM', pem),
  hs256_with_public_jwk: hmac('JWK', ({ jwk }) => JSON.stringify(jwk)),
  hs256_with_public_modulus: hmac('modulus', ({ jwk }) => String(jwk.n)),
  ps256: {
    requirement: 'R03',
    description: 'signed with the right key, but PS256',
    reason: 'algorithm_refused',
    sign: ({ claims, key }) => {
      const input = `${encodePart(headerOf(key, { alg: 'PS256' }))}.${encodePart(claims)}`
      const padding = constants.RSA_PKCS1_PSS_PADDING
      // Without salt the signature, and with it the vectors, are the same each time.
      const signer = { key: key.privateKey, padding, saltLength: 0 }
      return `${input}.${sign('sha256', Buffer.from(input), signer).toString('base64url')}`
    },
  },
  rs512: {
    requirement: 'R03',
    description: 'signed with the right key, but RS512',
    reason: 'algorithm_refused',
    sign: ({ claims, key }) => {
      const input = `${encodePart(headerOf(key, { alg: 'RS512' }))}.${encodePart(claims)}`
      return `${input}.${sign('RSA-SHA512', Buffer.from(input), key.privateKey).toString('base64url')}`
    },
  },
  foreign_key: {
    requirement: 'R01',
    description: 'signed with another key than the one it names',
    reason: 'signature_invalid',
    sign: ({ claims, key, foreignKey }) => signRs256(headerOf(key), claims, foreignKey),
  },
  empty_signature: {
    requirement: 'R01',
    description: 'that says RS256 and has an empty signature',
    reason: 'signature_invalid',
    sign: ({ claims, key }) => `${encodePart(headerOf(key))}.${encodePart(claims)}.`,
  },
  changed_claims: {
    requirement: 'R01',
    description: 'whose claims were changed after it was signed',
    reason: 'signature_invalid',
    sign: ({ claims, key }) => {
      const [header, , signature] = signRs256(headerOf(key), claims, key).split('.')
      return `${header}.${encodePart({ ...claims, sub: 'usr_admin' })}.${signature}`
    },
  },
  unknown_kid: {
    requirement: 'R01',
    description: 'that names a key which is not published',
    reason: 'key_unknown',
    sign: ({ claims, foreignKey }) => signRs256(headerOf(foreignKey), claims, foreignKey),
  },
  embedded_jwk: embedded('jwk', ({ jwk }) => jwk),
  embedded_jku: embedded('jku', () => 'https://issuer.invalid/jwks.json'),
  embedded_x5u: embedded('x5u', () => 'https://issuer.invalid/chain.pem'),
  embedded_x5c: embedded('x5c', () => ['MIIB']),
  critical_extension: {
    requirement: 'R01',
    description: 'whose header makes an extension critical',
    reason: 'header_refused',
    sign: withHeader(() => ({ crit: ['b64'], b64: true })),
  },
  access_token_type: {
    requirement: 'R01',
    description: 'that says it is an access token (at+jwt)',
    reason: 'header_refused',
    sign: withHeader(() => ({ typ: 'at+jwt' })),
  },
  doubled_claim: {
    requirement: 'R01',
    description: 'with a repeated claim',
    reason: 'duplicate_keys',
    sign: ({ claims, key }) => signRs256(headerOf(key), doubled(claims, 'sub', 'usr_admin'), key),
  },
  doubled_header: {
    requirement: 'R01',
    description: 'with a repeated alg in its header',
    reason: 'duplicate_keys',
    sign: ({ claims, key }) => signRs256(doubled(headerOf(key), 'alg', 'RS256'), claims, key),
  },
  not_json: {
    requirement: 'R01',
    description: 'whose claims are not JSON',
    reason: 'token_malformed',
    sign: ({ key }) => signRs256(headerOf(key), 'not json', key),
  },
  two_parts: {
    requirement: 'R01',
    description: 'with two parts',
    reason: 'token_malformed',
    sign: ({ claims, key }) => `${encodePart(headerOf(key))}.${encodePart(claims)}`,
  },
} satisfies Readonly<Record<string, KindDefinition>>

export type IdTokenKind = keyof typeof ID_TOKEN_KINDS

/** The names of all kinds, for a test over all of them. */
export const idTokenKinds = Object.keys(ID_TOKEN_KINDS) as IdTokenKind[]

export const signIdToken = (kind: IdTokenKind, inputs: TokenInputs): string =>
  ID_TOKEN_KINDS[kind].sign(inputs)
