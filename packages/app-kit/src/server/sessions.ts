// The app's own sessions: started once from a verified identity, a short-lived bearer that the page
// keeps in memory, and a refresh credential that only ever travels in an httpOnly cookie and works
// once. Holds no Chartside token. The other end is `createSession` of the browser half. Spec §5.6.
import type { LaunchIdentity } from './launch-identity.ts'
import { decideCallerOrigin } from './same-origin.ts'
import { buildCookie, type CookieRules, readCookie } from './session-cookie.ts'
import { createMemorySessionStore, type SessionStore, type StoredSession } from './session-store.ts'

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

export interface SessionLifetimes {
  /** Default 600. */
  readonly bearerSeconds?: number
  /** How long a session lasts that nobody uses. Default 3,600. */
  readonly idleSeconds?: number
  /** How long it lasts at the most. Default 28,800. */
  readonly totalSeconds?: number
}

export interface StartedSession {
  readonly id: string
  /** For the page's memory only. */
  readonly bearer: string
  readonly expiresInSeconds: number
  /** The value of a `Set-Cookie` header. */
  readonly setCookie: string
  /** A JSON answer with `session`, the cookie, and whatever else the page should get. */
  respond(body?: object): Response
}

export interface Sessions {
  start(identity: LaunchIdentity): Promise<StartedSession>
  /** Who sends this request, by its bearer; undefined when the page has to renew, or launch again. */
  authenticate(request: Request): Promise<LaunchIdentity | undefined>
  /** Answers with a new pair; 401 `session_ended`, 403 `origin_not_allowed`. */
  renew(request: Request): Promise<Response>
  /** Ends the session and clears the cookie; answers as `renew` does. */
  end(request: Request): Promise<Response>
}

export function createSessions(options: SessionsOptions = {}): Sessions {
  const now = options.now ?? (() => Date.now())
  const store = options.store ?? createMemorySessionStore(now)
  const cookie: CookieRules = {
    name: options.cookieName ?? 'session',
    path: options.cookiePath ?? '/',
  }
  const lifetimes = { bearerSeconds: 600, idleSeconds: 3_600, totalSeconds: 28_800 }
  Object.assign(lifetimes, options.lifetimes)

  const mint = async (id: string, identity: LaunchIdentity, endsAt: number): Promise<Minted> => {
    const [bearerSecret, refresh] = [mintSecret(32), mintSecret(32)]
    const session = {
      id,
      identity,
      bearerHash: await hash(bearerSecret),
      bearerExpiresAt: Math.min(now() + lifetimes.bearerSeconds * 1000, endsAt),
      refreshHash: await hash(refresh),
      refreshExpiresAt: Math.min(now() + lifetimes.idleSeconds * 1000, endsAt),
      endsAt,
    }
    const secondsTo = (time: number) => Math.max(0, Math.floor((time - now()) / 1000))
    const setCookie = buildCookie(cookie, id, refresh, secondsTo(session.refreshExpiresAt))
    const bearer = `${id}.${bearerSecret}`
    const expiresInSeconds = secondsTo(session.bearerExpiresAt)
    return { session, started: describeStarted(id, bearer, expiresInSeconds, setCookie) }
  }

  const ended = (id: string) =>
    answer(401, { error: 'session_ended' }, id && buildCookie(cookie, id, '', 0))

  const isForeign = (request: Request) => {
    // A cookie comes along whoever asks, so a write must come from a page of this app.
    const caller = decideCallerOrigin(request, options.allowedOrigins ?? [])
    return caller !== 'same' && caller !== 'listed'
  }

  return {
    async start(identity) {
      const endsAt = now() + lifetimes.totalSeconds * 1000
      const { session, started } = await mint(mintSecret(16), identity, endsAt)
      await store.insert(session)
      return started
    },

    async authenticate(request) {
      const { id, secret } = readBearer(request)
      const session = id ? await store.find(id) : undefined
      if (!session || session.bearerExpiresAt <= now()) return undefined
      return session.bearerHash === (await hash(secret)) ? session.identity : undefined
    },

    async renew(request) {
      if (isForeign(request)) return answer(403, { error: 'origin_not_allowed' })
      const id = readSessionId(request)
      const refresh = id && readCookie(cookie, id, request)
      const session = refresh ? await store.find(id) : undefined
      if (!refresh || !session || session.refreshExpiresAt <= now()) return ended(id)
      const spent = await hash(refresh)
      const next = await mint(id, session.identity, session.endsAt)
      if (await store.replace(next.session, spent)) return next.started.respond()
      // A credential that was spent before: somebody holds a copy, so the session ends for both.
      await store.delete(id)
      return ended(id)
    },

    async end(request) {
      if (isForeign(request)) return answer(403, { error: 'origin_not_allowed' })
      const id = readSessionId(request)
      const session = id ? await store.find(id) : undefined
      // The bearer has often run out by now; either credential may end its own session.
      const refresh = await hash((id && readCookie(cookie, id, request)) || '')
      const bearer = await hash(readBearer(request).secret)
      const isOwner = session?.refreshHash === refresh || session?.bearerHash === bearer
      if (!session || !isOwner) return ended(id)
      await store.delete(id)
      return answer(200, { ended: true }, buildCookie(cookie, id, '', 0))
    },
  }
}

interface Minted {
  readonly session: StoredSession
  readonly started: StartedSession
}

function describeStarted(
  id: string,
  bearer: string,
  expiresInSeconds: number,
  setCookie: string,
): StartedSession {
  const session = { id, token: bearer, expires_in: expiresInSeconds }
  const respond = (body: object = {}) => answer(200, { ...body, session }, setCookie)
  return { id, bearer, expiresInSeconds, setCookie, respond }
}

const SESSION_ID = /^[\w-]{22}$/

function readSessionId(request: Request): string {
  const id = request.headers.get('x-session-id') ?? ''
  return SESSION_ID.test(id) ? id : ''
}

/** The scheme's name is not case-sensitive (RFC 9110 11.1). */
function readBearer(request: Request): { readonly id: string; readonly secret: string } {
  const authorization = request.headers.get('authorization') ?? ''
  const [, id = '', secret = ''] = /^Bearer ([\w-]{22})\.([\w-]{43})$/i.exec(authorization) ?? []
  return { id, secret }
}

function answer(status: number, body: object, setCookie?: string): Response {
  const headers = new Headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  if (setCookie) headers.set('set-cookie', setCookie)
  return Response.json(body, { status, headers })
}

const mintSecret = (bytes: number): string =>
  encodeBase64url(crypto.getRandomValues(new Uint8Array(bytes)))

async function hash(value: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value))
  return encodeBase64url(new Uint8Array(digest))
}

const encodeBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
