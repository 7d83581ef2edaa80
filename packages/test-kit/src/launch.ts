// A launch of the fake issuer, and the claims of its ID token. All values are samples, of no real
// person or practice. Contract §2.
import { createHash, randomBytes } from 'node:crypto'
import type { SessionSeed } from '@chartside/protocol/launch'

export interface FakeLaunch extends SessionSeed {
  /** The value of `launch_id` in the Launch URL. */
  readonly launchId: string
  /** The name of the user, which the ID token has with scope `profile`. */
  readonly name: string
  /** The email address of the user, which the ID token has with scope `email`. */
  readonly email: string
}

export const mintValue = (prefix: string): string =>
  `${prefix}_${randomBytes(32).toString('base64url')}`

export const buildLaunch = (changes: Partial<FakeLaunch> = {}): FakeLaunch => ({
  launchId: mintValue('lnch'),
  userId: 'usr_0001',
  name: 'Dr. Amara Okafor',
  email: 'amara.okafor@lakeside.example',
  account: { id: 'acc_0001', name: 'Lakeside Family Practice' },
  ehrType: 'meadow',
  sessionId: 'ses_0001',
  deviceId: 'dev_0001',
  ...changes,
})

export interface ClaimFacts {
  readonly issuer: string
  readonly clientId: string
  readonly scope: string
  readonly nonce: string | undefined
  readonly accessToken: string | undefined
  readonly jti: string
  /** Seconds since 1970. */
  readonly now: number
}

export const ID_TOKEN_SECONDS = 900

export function buildClaims(launch: FakeLaunch, facts: ClaimFacts): Record<string, unknown> {
  const scopes = facts.scope.split(' ')
  return {
    iss: facts.issuer,
    sub: launch.userId,
    aud: facts.clientId,
    iat: facts.now,
    exp: facts.now + ID_TOKEN_SECONDS,
    jti: facts.jti,
    ...(facts.nonce === undefined ? {} : { nonce: facts.nonce }),
    ...(facts.accessToken === undefined ? {} : { at_hash: hashHalf(facts.accessToken) }),
    ...buildLaunchClaims(launch),
    ...(scopes.includes('profile') ? { name: launch.name } : {}),
    ...(scopes.includes('email') ? { email: launch.email, email_verified: false } : {}),
  }
}

/** Builds the claims of the ID token and of userinfo. */
export const buildLaunchClaims = (launch: FakeLaunch) => ({
  sid: launch.sessionId,
  launch_id: launch.launchId,
  account: launch.account,
  ehr_type: launch.ehrType,
  device_id: launch.deviceId,
})

/** Hashes by OpenID Connect Core 3.1.3.6. */
const hashHalf = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')
