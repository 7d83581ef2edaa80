// The required claims of an ID token, and the identity that they give. Pure: the signature was
// checked before, and the time is an argument. Spec §2.4, §5.4; contract §2; security R01, R11.
import { IdTokenError } from './errors.ts'
import { isRecord } from './read-text.ts'

/** The identity from claims with a verified signature. `account.id` may serve as tenant key. */
export interface LaunchIdentity {
  /** The id is stable for a person. Identify people by it together with `account.id`, never by `email`. */
  readonly userId: string
  /** The name, with scope `profile` only. */
  readonly name: string | null
  /** The email address, with scope `email` only. The inviter typed it, so it proves nothing. */
  readonly email: string | null
  readonly account: { readonly id: string; readonly name: string }
  readonly ehrType: string
  /** The EHR session, not the app's own. */
  readonly sessionId: string
  readonly deviceId: string
  readonly launchId: string
  /** The end of the ID token, in milliseconds since 1970. */
  readonly expiresAt: number
  /** The id of the ID token; unique. */
  readonly jti: string
}

export interface Expectations {
  readonly issuer: string
  readonly clientId: string
  readonly nonce?: string | undefined
  readonly launchId?: string | undefined
  readonly toleranceSeconds: number
  /** Milliseconds since 1970. */
  readonly now: number
}

type Claims = Readonly<Record<string, unknown>>

/**
 * Checks what every token of the service has: its issuer, this app, and times. Returns when the token
 * expires, in milliseconds.
 * @throws IdTokenError
 */
export function requireOurs(claims: Claims, expected: Expectations): number {
  if (requireText(claims, 'iss') !== expected.issuer) {
    throw new IdTokenError('issuer_mismatch', `iss is not ${expected.issuer}.`)
  }
  refuseOtherAudience(claims, expected.clientId)
  return requireTimes(claims, expected)
}

/** @throws IdTokenError */
export function parseLaunchIdentity(claims: Claims, expected: Expectations): LaunchIdentity {
  const expiresAt = requireOurs(claims, expected)
  const identity = {
    userId: requireText(claims, 'sub'),
    name: typeof claims.name === 'string' ? claims.name : null,
    email: typeof claims.email === 'string' ? claims.email : null,
    account: requireAccount(claims),
    ehrType: requireText(claims, 'ehr_type'),
    sessionId: requireText(claims, 'sid'),
    deviceId: requireText(claims, 'device_id'),
    launchId: requireText(claims, 'launch_id'),
    expiresAt,
    jti: requireText(claims, 'jti'),
  }
  if (expected.nonce !== undefined && claims.nonce !== expected.nonce) {
    throw new IdTokenError('nonce_mismatch', 'nonce is not the one of this authorize request.')
  }
  if (expected.launchId !== undefined && identity.launchId !== expected.launchId) {
    throw new IdTokenError('launch_mismatch', 'The token belongs to another launch.')
  }
  return identity
}

/** Accepts exactly one string: a list would accept a token for several apps. */
function refuseOtherAudience({ aud, azp }: Claims, clientId: string): void {
  if (aud === undefined) throw missing('aud')
  if (aud !== clientId) {
    throw new IdTokenError('audience_mismatch', 'aud is not exactly the client ID of this app.')
  }
  if (azp !== undefined && azp !== clientId) {
    throw new IdTokenError('authorized_party_mismatch', 'azp names another client.')
  }
}

/** Returns when the token expires, in milliseconds. The messages say by how much the clocks differ. */
function requireTimes(claims: Claims, { now, toleranceSeconds }: Expectations): number {
  const expiresAt = requireSeconds(claims, 'exp') * 1000
  const issuedAt = requireSeconds(claims, 'iat') * 1000
  const tolerance = toleranceSeconds * 1000
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
  if (expiresAt <= now - tolerance) {
    throw new IdTokenError(
      'token_expired',
      `By the clock of this server the token was issued ${seconds(now - issuedAt)} ago and expired ${seconds(now - expiresAt)} ago. A token of this launch was issued seconds ago: then the clock of this server is ahead by that much.`,
    )
  }
  const notBefore = claims.nbf === undefined ? 0 : requireSeconds(claims, 'nbf') * 1000
  const validFrom = Math.max(issuedAt, notBefore)
  if (validFrom > now + tolerance) {
    throw new IdTokenError(
      'token_not_yet_valid',
      `By the clock of this server the token is valid only in ${seconds(validFrom - now)}: the clock of this server is behind that of the service by that much.`,
    )
  }
  return expiresAt
}

function requireAccount({ account }: Claims): LaunchIdentity['account'] {
  if (!isRecord(account)) throw missing('account')
  return { id: requireText(account, 'id'), name: requireText(account, 'name') }
}

export function requireText(claims: Claims, name: string): string {
  const value = claims[name]
  if (typeof value === 'string' && value !== '') return value
  throw missing(name)
}

/** Reads seconds within the range of a Date. */
function requireSeconds(claims: Claims, name: string): number {
  const value = claims[name]
  if (typeof value === 'number' && Math.abs(value) <= 8.64e12) return value
  throw missing(name)
}

const missing = (name: string) =>
  new IdTokenError('claim_missing', `The claim "${name}" is missing or has another type.`)
