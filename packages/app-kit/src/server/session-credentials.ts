// The credentials of one session: a bearer and a refresh credential, random, stored as hashes, and
// their rotation (RFC 9700 4.14.2). A refresh credential works once; for ten seconds more it serves
// requests that were under way. Pure but for randomness and hashing; reads no request. Spec §5.6.
import { base64url } from 'jose'
import type { StoredCredentials, StoredSession } from './session-store.ts'

export interface Credentials {
  /** The bearer has 43 characters. */
  readonly bearer: string
  /** The value has the family (22 characters, the same for the whole session), then 43 of its own. */
  readonly refresh: string
  readonly stored: StoredCredentials
}

/** The time for which the previous refresh credential still renews: parallel requests, a lost answer. */
const GRACE_MS = 10_000

/** Bounds the row of a session. No page renews as often with one credential. */
const MAX_LIVE_CREDENTIALS = 32

export async function mintCredentials(
  bearerExpiresAt: number,
  family = mintSecret(16),
): Promise<Credentials> {
  const [bearer, refresh] = [mintSecret(32), family + mintSecret(32)]
  const [bearerHash, refreshHash] = await Promise.all([hash(bearer), hash(refresh)])
  return { bearer, refresh, stored: { refreshHash, bearerHash, bearerExpiresAt } }
}

/** Returns the family of a session. Only a holder of a refresh credential of the session, live or spent, knows it. */
export const familyOf = (refresh: string): string => refresh.slice(0, 22)

/**
 * The session after a renewal with the refresh credential of `refreshHash`. Undefined when that is
 * neither live nor the previous one of the last ten seconds: two parties hold it then.
 */
export function rotate(
  session: StoredSession,
  refreshHash: string,
  next: StoredCredentials,
  now: number,
): StoredSession | undefined {
  const { credentials, previousRefreshHashes, rotatedAt } = session
  const live = credentials.map((one) => one.refreshHash)
  if (live.includes(refreshHash)) {
    return { ...session, credentials: [next], previousRefreshHashes: live, rotatedAt: now }
  }
  // Credentials beside one another, because answers may reach the browser in another order than
  // they were written here, and each page uses the bearer of its own answer.
  const isRepeat = previousRefreshHashes.includes(refreshHash) && now < rotatedAt + GRACE_MS
  if (!isRepeat || credentials.length >= MAX_LIVE_CREDENTIALS) return undefined
  return { ...session, credentials: [...credentials, next] }
}

export const mintSecret = (bytes: number): string =>
  base64url.encode(crypto.getRandomValues(new Uint8Array(bytes)))

/** Returns SHA-256 in base64url. */
export async function hash(value: string): Promise<string> {
  const bytes = new TextEncoder().encode(value)
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
