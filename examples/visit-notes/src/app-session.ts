// The app's own sessions (spec §5.6): a short-lived bearer that the page keeps in memory, and a
// refresh credential that only ever travels in an httpOnly cookie. Hashes are kept, not values.
// Owns their life; knows nothing of Chartside tokens, which it never stores.
import { createHash, randomBytes } from 'node:crypto'
import type { LaunchIdentity } from './id-token.ts'

export const BEARER_SECONDS = 600
export const REFRESH_SECONDS = 8 * 3600

export interface StartedSession {
  readonly launchId: string
  readonly bearer: string
  readonly expiresInSeconds: number
  readonly refresh: string
}

interface Entry {
  readonly identity: LaunchIdentity
  readonly expiresAt: number
}

export class AppSessions {
  readonly #now: () => number
  readonly #bearers = new Map<string, Entry>()
  readonly #refreshes = new Map<string, Entry>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  start(identity: LaunchIdentity): StartedSession {
    this.#sweep()
    const bearer = randomBytes(32).toString('base64url')
    const refresh = randomBytes(32).toString('base64url')
    this.#bearers.set(hash(bearer), { identity, expiresAt: this.#now() + BEARER_SECONDS * 1000 })
    this.#refreshes.set(hash(refresh), {
      identity,
      expiresAt: this.#now() + REFRESH_SECONDS * 1000,
    })
    const { launchId } = identity
    return { launchId, bearer, expiresInSeconds: BEARER_SECONDS, refresh }
  }

  find(bearer: string | undefined): LaunchIdentity | undefined {
    return this.#live(this.#bearers, bearer)
  }

  /** Whose refresh credential this is; one of another launch is nobody's. */
  findRefresh(refresh: string | undefined, launchId: string): LaunchIdentity | undefined {
    const identity = this.#live(this.#refreshes, refresh)
    return identity?.launchId === launchId ? identity : undefined
  }

  /** Rotates: the presented refresh credential dies, a new pair takes its place. */
  renew(refresh: string | undefined, launchId: string): StartedSession | undefined {
    const identity = this.findRefresh(refresh, launchId)
    if (!identity || !refresh) return undefined
    this.#refreshes.delete(hash(refresh))
    return this.start(identity)
  }

  /** Ends every session that one launch started. */
  endLaunch(launchId: string): void {
    for (const entries of [this.#bearers, this.#refreshes]) {
      for (const [key, entry] of entries) {
        if (entry.identity.launchId === launchId) entries.delete(key)
      }
    }
  }

  #live(entries: Map<string, Entry>, value: string | undefined): LaunchIdentity | undefined {
    const entry = value ? entries.get(hash(value)) : undefined
    return entry && entry.expiresAt > this.#now() ? entry.identity : undefined
  }

  #sweep(): void {
    for (const entries of [this.#bearers, this.#refreshes]) {
      for (const [key, entry] of entries) if (entry.expiresAt <= this.#now()) entries.delete(key)
    }
  }
}

/**
 * One cookie per launch, so that two tabs cannot renew each other's session. `__Host-` pins it to
 * this origin; Partitioned keeps it usable inside the panel.
 */
function cookieName(launchId: string): string {
  return `__Host-visit-notes-${hash(launchId).slice(0, 12)}`
}

export function refreshCookie(
  launchId: string,
  value: string,
  maxAgeSeconds = REFRESH_SECONDS,
): string {
  return `${cookieName(launchId)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=None; Partitioned`
}

export function readRefreshCookie(
  header: string | undefined,
  launchId: string,
): string | undefined {
  const prefix = `${cookieName(launchId)}=`
  return (header ?? '')
    .split(/;\s*/)
    .find((pair) => pair.startsWith(prefix))
    ?.slice(prefix.length)
}

function hash(value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}
