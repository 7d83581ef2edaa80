// Decides why an exchange is refused, and builds the claims of the ID token. Pure. The atomic
// redemption of a code is one statement in token-store.ts.
// Spec §4.2 and §2.3, contract §2, RFC 6749 5.1 and 5.2, RFC 7636 4.6.
import { hash } from 'node:crypto'
import { OAuthError } from '../kernel/errors.ts'
import { REASONS, type Reason } from '../kernel/reasons.ts'
import type { LaunchContext } from '../launches/launch.ts'

/** The format of a verifier (RFC 7636 4.1). */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/

/**
 * The challenge of a verifier. '' without a verifier: it equals a missing challenge and nothing
 * else. It is undefined for a text that cannot be a verifier.
 */
export function challengeOf(verifier: string | undefined): string | undefined {
  if (verifier === undefined) return ''
  return VERIFIER.test(verifier) ? hash('sha256', verifier, 'base64url') : undefined
}

/** The row of a code that was refused. */
export interface CodeFacts {
  readonly sessionId: string
  readonly codeHash: string
  readonly clientId: string
  readonly codeExpiresAt: number
  readonly codeSpentAt: number | undefined
  readonly redirectUri: string
  readonly codeChallenge: string | undefined
  readonly hasToken: boolean
  /** The value is true when it has ended, also because its app was disabled. */
  readonly isEnded: boolean
}

export interface Attempt {
  readonly codeHash: string
  readonly clientId: string
  readonly redirectUri: string | undefined
  readonly codeVerifier: string | undefined
  readonly now: number
}

/** Decides why the attempt is refused, from the row before the attempt. */
export function decideExchangeRefusal(facts: CodeFacts | undefined, attempt: Attempt): Reason {
  if (!facts || facts.codeHash !== attempt.codeHash) return 'code_unknown'
  if (facts.clientId !== attempt.clientId) return 'client_mismatch'
  if (facts.codeSpentAt !== undefined) return facts.hasToken ? 'code_replayed' : 'code_invalidated'
  if (facts.isEnded) return 'launch_ended'
  if (facts.codeExpiresAt <= attempt.now) return 'code_expired'
  if (attempt.redirectUri !== undefined && attempt.redirectUri !== facts.redirectUri) {
    return 'redirect_uri_mismatch'
  }
  if (facts.codeChallenge === undefined) return 'verifier_unexpected'
  return attempt.codeVerifier === undefined ? 'verifier_missing' : 'verifier_wrong'
}

/** A client with the code of another gets the text of an unknown code (security C06). */
export function invalidGrant(reason: Reason): OAuthError {
  const shown = reason === 'client_mismatch' ? REASONS.code_unknown : REASONS[reason]
  return new OAuthError('invalid_grant', `${shown.cause} ${shown.fix}`, { reason })
}

export interface IdTokenFacts {
  readonly issuer: string
  readonly clientId: string
  readonly context: LaunchContext
  readonly launchId: string | undefined
  readonly scope: string
  readonly nonce: string | undefined
  readonly accessToken: string
  readonly jti: string
  readonly now: number
  readonly lifetimeSeconds: number
}

/** The claims of an ID token (spec §2.4, contract §2). Times in seconds. */
export function buildIdTokenClaims(facts: IdTokenFacts): Record<string, unknown> {
  const { context, now } = facts
  const issuedAt = Math.floor(now / 1000)
  return {
    iss: facts.issuer,
    sub: context.sub,
    aud: facts.clientId,
    iat: issuedAt,
    exp: issuedAt + facts.lifetimeSeconds,
    auth_time: context.auth_time,
    jti: facts.jti,
    ...(facts.nonce === undefined ? {} : { nonce: facts.nonce }),
    at_hash: accessTokenHash(facts.accessToken),
    sid: context.sid,
    ...(facts.launchId === undefined ? {} : { launch_id: facts.launchId }),
    account: context.account,
    ehr_type: context.ehr_type,
    device_id: context.device_id,
    ...buildScopedClaims(context, facts.scope),
  }
}

export const hasScope = (scope: string, name: string): boolean => scope.split(' ').includes(name)

/** The claims about the person that the granted scopes allow. */
export function buildScopedClaims(
  context: LaunchContext,
  scope: string,
): Record<string, string | boolean> {
  return {
    ...(hasScope(scope, 'profile') ? { name: context.name } : {}),
    // An administrator typed the address in the invitation; the service has not verified it.
    ...(hasScope(scope, 'email') ? { email: context.email, email_verified: false } : {}),
  }
}

/** Returns the left half of the SHA-256, in base64url (OpenID Connect Core 3.1.3.6). */
function accessTokenHash(accessToken: string): string {
  return hash('sha256', accessToken, 'buffer').subarray(0, 16).toString('base64url')
}
