// The app's own sessions over HTTP: started from a verified identity, with a short-lived bearer for
// the page's memory and a refresh credential in an httpOnly cookie. session-credentials.ts decides
// on rotation. Holds no Chartside token. The browser half's `createSession` calls these endpoints.
// Spec §5.6; RFC 9700 4.14.
import { SessionError } from './errors.ts'
import type { LaunchIdentity } from './launch-identity.ts'
import { decideCallerOrigin } from './same-origin.ts'
import { buildCookie, readCookie } from './session-cookie.ts'
import {
  type Credentials,
  familyOf,
  hash,
  mintCredentials,
  mintSecret,
  rotate,
} from './session-credentials.ts'
import {
  parseSessionsOptions,
  type SessionSettings,
  type SessionsOptions,
} from './session-settings.ts'
import type { StoredSession } from './session-store.ts'

export interface StartedSession {
  readonly id: string
  /** The bearer value for the page's memory only. */
  readonly bearer: string
  readonly expiresInSeconds: number
  /** The value of a `Set-Cookie` header. */
  readonly setCookie: string
  /** A JSON answer with `session`, the cookie, and whatever else the page should get. */
  respond(body?: object): Response
}

export interface Sessions {
  /**
   * Starts a session, once the SDK is ready (spec §5.6): a launch outside its own panel then leaves none.
   * @throws SessionError `origin_not_allowed` when `request` is not from a page of this app
   */
  start(identity: LaunchIdentity, request: Request): Promise<StartedSession>
  /** The identity of the request's bearer; undefined when the page must renew, or launch again. */
  authenticate(request: Pick<Request, 'headers'>): Promise<LaunchIdentity | undefined>
  /**
   * Answers with a new bearer and refresh credential; 401 `session_ended`, 403 `origin_not_allowed`. A refresh
   * credential works once, and for ten seconds more; after that it ends the session.
   */
  renew(request: Request): Promise<Response>
  /** Ends the session and clears the cookie; answers as `renew` does. */
  end(request: Request): Promise<Response>
  /** Ends every session that began in an EHR session: `sid` of a logout token. */
  endAll(sid: string): Promise<void>
}

/**
 * Creates the app's own sessions: started by a verified identity, renewed by an httpOnly cookie, ended with
 * the launch. `start` rejects with SessionError (`origin_not_allowed`). Spec §5.6; security V20.
 * @throws TypeError when an option is invalid
 * @example const session = await createSessions().start(identity, request); return session.respond()
 */
export function createSessions(options: SessionsOptions = {}): Sessions {
  return new CookieSessions(parseSessionsOptions(options))
}

class CookieSessions implements Sessions {
  readonly #settings: SessionSettings

  constructor(settings: SessionSettings) {
    this.#settings = settings
  }

  // Arrow functions, because apps mount them without their object.
  readonly start = async (identity: LaunchIdentity, request: Request): Promise<StartedSession> => {
    // Another site would give this browser a session of the attacker's.
    if (this.#isForeign(request)) throw new SessionError()
    const { store, lifetimesMs, now } = this.#settings
    const endsAt = now() + lifetimesMs.total
    const credentials = await this.#mint(endsAt)
    const session: StoredSession = {
      id: mintSecret(16),
      identity,
      familyHash: await hash(familyOf(credentials.refresh)),
      credentials: [credentials.stored],
      previousRefreshHashes: [],
      rotatedAt: now(),
      refreshExpiresAt: Math.min(now() + lifetimesMs.idle, endsAt),
      endsAt,
      version: 1,
    }
    await store.insert(session)
    return this.#describe(session, credentials)
  }

  readonly authenticate = async (
    request: Pick<Request, 'headers'>,
  ): Promise<LaunchIdentity | undefined> => {
    const { store, now } = this.#settings
    const { id, secret } = readBearer(request)
    const session = id ? await store.find(id) : undefined
    if (!session) return undefined
    const bearerHash = await hash(secret)
    const presented = session.credentials.find((one) => one.bearerHash === bearerHash)
    return presented && presented.bearerExpiresAt > now() ? session.identity : undefined
  }

  readonly renew = async (request: Request): Promise<Response> => {
    if (this.#isForeign(request)) return answer(403, { error: 'origin_not_allowed' })
    const { store, cookie, lifetimesMs, now } = this.#settings
    const id = readSessionId(request)
    const refresh = id && readCookie(cookie, id, request)
    if (!refresh) return this.#answerEnded(id)
    const refreshHash = await hash(refresh)
    const familyHash = await hash(familyOf(refresh))
    for (;;) {
      const session = await store.find(id)
      if (!session || !(session.refreshExpiresAt > now())) return this.#answerEnded(id)
      // Guessed by a party that knows the id only: the owner keeps session and cookie.
      if (session.familyHash !== familyHash) return answer(401, { error: 'session_ended' })
      const credentials = await this.#mint(session.endsAt, familyOf(refresh))
      const rotated = rotate(session, refreshHash, credentials.stored, now())
      if (!rotated) {
        await store.delete(id)
        return this.#answerEnded(id)
      }
      const refreshExpiresAt = Math.min(now() + lifetimesMs.idle, session.endsAt)
      const renewed = { ...rotated, refreshExpiresAt, version: session.version + 1 }
      if (await store.replace(renewed)) return this.#describe(renewed, credentials).respond()
      // Another renewal was written in between: this one is decided again.
    }
  }

  readonly end = async (request: Request): Promise<Response> => {
    if (this.#isForeign(request)) return answer(403, { error: 'origin_not_allowed' })
    const { store, cookie } = this.#settings
    const id = readSessionId(request)
    const session = id ? await store.find(id) : undefined
    // Any refresh credential of the session will do, because a renewal may be under way; the bearer
    // has often expired by now.
    const refresh = (id && readCookie(cookie, id, request)) || ''
    const familyHash = await hash(familyOf(refresh))
    const bearerHash = await hash(readBearer(request).secret)
    const isOwner =
      session?.familyHash === familyHash ||
      session?.credentials.some((one) => one.bearerHash === bearerHash)
    if (!session || !isOwner) return this.#answerEnded(id)
    await store.delete(id)
    return answer(200, { ended: true }, buildCookie(cookie, id, '', 0))
  }

  readonly endAll = (sid: string): Promise<void> => this.#settings.store.deleteOfEhrSession(sid)

  #mint(endsAt: number, family?: string): Promise<Credentials> {
    const { lifetimesMs, now } = this.#settings
    return mintCredentials(Math.min(now() + lifetimesMs.bearer, endsAt), family)
  }

  #describe({ id, refreshExpiresAt }: StoredSession, credentials: Credentials): StartedSession {
    const { cookie, now } = this.#settings
    const secondsTo = (time: number) => Math.max(0, Math.floor((time - now()) / 1000))
    const setCookie = buildCookie(cookie, id, credentials.refresh, secondsTo(refreshExpiresAt))
    const expiresInSeconds = secondsTo(credentials.stored.bearerExpiresAt)
    const bearer = `${id}.${credentials.bearer}`
    const shown = { id, token: bearer, expires_in: expiresInSeconds }
    const respond = (body: object = {}) => answer(200, { ...body, session: shown }, setCookie)
    return { id, bearer, expiresInSeconds, setCookie, respond }
  }

  #answerEnded(id: string): Response {
    const clearing = id && buildCookie(this.#settings.cookie, id, '', 0)
    return answer(401, { error: 'session_ended' }, clearing)
  }

  /** The browser sends the cookie for any page, so a write must come from a page of this app. */
  #isForeign(request: Request): boolean {
    const caller = decideCallerOrigin(request, this.#settings.allowedOrigins)
    return caller !== 'same' && caller !== 'listed'
  }
}

const SESSION_ID = /^[\w-]{22}$/

function readSessionId(request: Request): string {
  const id = request.headers.get('x-session-id') ?? ''
  return SESSION_ID.test(id) ? id : ''
}

/** The scheme's name is not case-sensitive (RFC 9110 11.1). */
function readBearer(request: Pick<Request, 'headers'>): {
  readonly id: string
  readonly secret: string
} {
  const authorization = request.headers.get('authorization') ?? ''
  const [, id = '', secret = ''] = /^Bearer ([\w-]{22})\.([\w-]{43})$/i.exec(authorization) ?? []
  return { id, secret }
}

function answer(status: number, body: object, setCookie?: string): Response {
  const headers = new Headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  if (setCookie) headers.set('set-cookie', setCookie)
  return Response.json(body, { status, headers })
}
