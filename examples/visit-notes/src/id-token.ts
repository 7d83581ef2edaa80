// Verifies the ID token of one launch and says who is there. RS256 is pinned: the algorithm that a
// token names for itself is never believed. Accepts a token once (jti). Never stores the token.
// Spec §2.4, §5.4; RFC 8725 §3.1.
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { AppError, isRecord } from './app-error.ts'

/** Who is there, from claims whose signature was checked. The account id may serve as tenant key. */
export interface LaunchIdentity {
  readonly userId: string
  readonly name: string | null
  readonly account: { readonly id: string; readonly name: string }
  readonly ehrType: string
  readonly sessionId: string
  readonly deviceId: string
  readonly launchId: string
}

export interface VerifierOptions {
  readonly issuer: string
  readonly clientId: string
  readonly keys: JWTVerifyGetKey
  readonly replays: ReplayStore
  /** Milliseconds since the epoch. */
  readonly now?: () => number
}

export const CLOCK_TOLERANCE_SECONDS = 30

export type IdTokenVerifier = (idToken: string) => Promise<LaunchIdentity>

export function createIdTokenVerifier(options: VerifierOptions): IdTokenVerifier {
  const now = options.now ?? Date.now
  return async (idToken) => {
    const claims = await verifySignedClaims(idToken, options, now)
    if (claims.aud !== options.clientId) throw rejected('aud names more than this app')
    if (!options.replays.accept(claims.jti, claims.exp + CLOCK_TOLERANCE_SECONDS, now() / 1000)) {
      throw new AppError(401, {
        error: 'id_token_replayed',
        cause: 'This ID token has already started a session here.',
        fix: 'Launch the app again: every launch brings a fresh ID token.',
      })
    }
    return parseIdentity(claims)
  }
}

/** The service's published keys; cached, fetched again when a new key id appears. */
export function remoteKeys(jwksUri: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: 5_000, cooldownDuration: 10_000 })
}

/** Remembers accepted token ids until the tokens have expired. One process, so memory will do. */
export class ReplayStore {
  readonly #seen = new Map<string, number>()

  /** True exactly once per id. Check and mark are one synchronous step, so no race gets through. */
  accept(jti: string, untilSeconds: number, nowSeconds: number): boolean {
    for (const [known, until] of this.#seen) if (until <= nowSeconds) this.#seen.delete(known)
    if (this.#seen.has(jti)) return false
    this.#seen.set(jti, untilSeconds)
    return true
  }
}

type SignedClaims = Record<string, unknown> & { sub: string; jti: string; exp: number }

async function verifySignedClaims(
  idToken: string,
  { issuer, clientId, keys }: VerifierOptions,
  now: () => number,
): Promise<SignedClaims> {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      algorithms: ['RS256'],
      issuer,
      audience: clientId,
      requiredClaims: ['sub', 'iat', 'exp', 'jti'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now()),
    })
    const { sub, jti, exp } = payload
    if (!sub || !jti || exp === undefined) {
      throw new errors.JWTInvalid('"sub", "jti" or "exp" is empty')
    }
    return { ...payload, sub, jti, exp }
  } catch (cause) {
    if (isVerdict(cause)) throw rejected(cause.message, cause)
    throw new AppError(
      503,
      {
        error: 'keys_unavailable',
        cause: 'The keys that sign ID tokens could not be fetched from the service.',
        fix: 'Check that the service runs, then launch the app again.',
      },
      { cause },
    )
  }
}

/** A verdict on the token itself; a key set that cannot be reached says nothing about the token. */
function isVerdict(cause: unknown): cause is errors.JOSEError {
  return (
    cause instanceof errors.JOSEError &&
    !(cause instanceof errors.JWKSTimeout) &&
    cause.code !== 'ERR_JOSE_GENERIC'
  )
}

function parseIdentity(claims: SignedClaims): LaunchIdentity {
  const account = isRecord(claims.account) ? claims.account : {}
  return {
    userId: claims.sub,
    name: typeof claims.name === 'string' ? claims.name : null,
    account: { id: claim(account, 'id'), name: claim(account, 'name') },
    ehrType: claim(claims, 'ehr_type'),
    sessionId: claim(claims, 'sid'),
    deviceId: claim(claims, 'device_id'),
    launchId: claim(claims, 'launch_id'),
  }
}

function claim(claims: Record<string, unknown>, name: string): string {
  const value = claims[name]
  if (typeof value !== 'string' || value === '') throw rejected(`claim "${name}" is missing`)
  return value
}

function rejected(detail: string, cause?: unknown): AppError {
  return new AppError(
    401,
    {
      error: 'id_token_rejected',
      cause: `The ID token did not pass verification: ${detail}.`,
      fix: 'Check that CLIENT_ID and CHARTSIDE_BASE_URL name the app and the service of this launch.',
    },
    { cause },
  )
}
