// The options of createSessions, checked once: a lifetime that is not a number would never end, and is
// refused at start. Owns the defaults; creates no session. Spec §5.6.
import { requireDuration, requireOrigins } from './require-option.ts'
import type { CookieRules } from './session-cookie.ts'
import { createMemorySessionStore, type SessionStore } from './session-store.ts'

export interface SessionsOptions {
  /** Default: in memory of this process. */
  readonly store?: SessionStore
  /** Default `session`. The cookie is `__Host-{cookieName}-{session id}`. */
  readonly cookieName?: string
  /** Default `/`. Another path makes it a `__Secure-` cookie that is sent below that path only. */
  readonly cookiePath?: string
  readonly lifetimes?: SessionLifetimes
  /** The app's public origin, for proxies that hide it and browsers without Fetch Metadata. */
  readonly allowedOrigins?: readonly string[]
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** The lifetimes are above 0 and at most 400 days. */
export interface SessionLifetimes {
  /** Default 600. */
  readonly bearerSeconds?: number | undefined
  /** The seconds after which an unused session ends. Default 3,600. */
  readonly idleSeconds?: number | undefined
  /** The seconds that a session lasts at most. Default 28,800. */
  readonly totalSeconds?: number | undefined
}

export interface SessionSettings {
  readonly store: SessionStore
  readonly cookie: CookieRules
  readonly lifetimesMs: { readonly bearer: number; readonly idle: number; readonly total: number }
  readonly allowedOrigins: readonly string[]
  readonly now: () => number
}

/** @throws TypeError that names the option and the fix */
export function parseSessionsOptions(options: SessionsOptions): SessionSettings {
  const now = options.now ?? (() => Date.now())
  const {
    bearerSeconds = 600,
    idleSeconds = 3_600,
    totalSeconds = 28_800,
  } = options.lifetimes ?? {}
  return {
    store: options.store ?? createMemorySessionStore(now),
    cookie: {
      name: requireMatch('cookieName', options.cookieName ?? 'session', COOKIE_NAME),
      path: requireMatch('cookiePath', options.cookiePath ?? '/', COOKIE_PATH),
    },
    lifetimesMs: {
      bearer: requireMs('bearerSeconds', bearerSeconds),
      idle: requireMs('idleSeconds', idleSeconds),
      total: requireMs('totalSeconds', totalSeconds),
    },
    allowedOrigins: requireOrigins('createSessions: allowedOrigins', options.allowedOrigins),
    now,
  }
}

/** The form of a cookie name: RFC 9110 5.6.2 (token), RFC 6265 4.1.1 (path-value). */
const COOKIE_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/
const COOKIE_PATH = /^\/[\x21-\x3a\x3c-\x7e]{0,200}$/

/** Browsers store a cookie no longer. */
const MAX_SECONDS = 400 * 86_400

const requireMs = (name: string, seconds: unknown): number =>
  requireDuration(`createSessions: lifetimes.${name}`, seconds, MAX_SECONDS) * 1000

function requireMatch(name: string, value: unknown, pattern: RegExp): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  throw new TypeError(`createSessions: ${name} cannot stand in a cookie: ${JSON.stringify(value)}.`)
}
