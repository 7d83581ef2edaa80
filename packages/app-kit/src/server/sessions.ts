// The app's own sessions: started once from a verified identity, a short-lived bearer that the page
// keeps in memory, and a refresh credential that only ever travels in an httpOnly cookie and renews
// the session once. Holds no Chartside token. The other end is `createSession` of the browser half.
// Spec §5.6; RFC 9700 4.14.
import type { LaunchIdentity } from './launch-identity.ts'
import { decideCallerOrigin } from './same-origin.ts'
import { buildCookie, readCookie } from './session-cookie.ts'
import {
  type Credentials,
  deriveCredentials,
  familyOf,
  hash,
  mintCredentials,
  mintSecret,
} from './session-credentials.ts'
import { parseSessionsOptions, type SessionsOptions } from './session-settings.ts'
import type { StoredSession } from './session-store.ts'

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
  /**
   * Answers with a new pair, and for ten seconds with the same one to whoever asks again; 401
   * `session_ended`, 403 `origin_not_allowed`.
   */
  renew(request: Request): Promise<Response>
  /** Ends the session and clears the cookie; answers as `renew` does. */
  end(request: Request): Promise<Response>
}

/** How long a renewal that is asked again is answered again: doubled calls, an answer lost to a reload. */
const GRACE_MS = 10_000

/** @throws TypeError when an option could not hold */
export function createSessions(options: SessionsOptions = {}): Sessions {
  const { store, cookie, lifetimesMs, allowedOrigins, now } = parseSessionsOptions(options)

  /** The session with its next credentials, from now on. */
  const renew = async (
    session: Kept,
    { bearer, refresh }: Credentials,
  ): Promise<StoredSession> => ({
    ...session,
    bearerHash: await hash(bearer),
    bearerExpiresAt: Math.min(now() + lifetimesMs.bearer, session.endsAt),
    refreshHash: await hash(refresh),
    refreshExpiresAt: Math.min(now() + lifetimesMs.idle, session.endsAt),
    renewedAt: now(),
  })

  const describe = (session: StoredSession, { bearer, refresh }: Credentials): StartedSession => {
    const { id } = session
    const secondsTo = (time: number) => Math.max(0, Math.floor((time - now()) / 1000))
    const setCookie = buildCookie(cookie, id, refresh, secondsTo(session.refreshExpiresAt))
    const expiresInSeconds = secondsTo(session.bearerExpiresAt)
    const token = `${id}.${bearer}`
    const shown = { id, token, expires_in: expiresInSeconds }
    const respond = (body: object = {}) => answer(200, { ...body, session: shown }, setCookie)
    return { id, bearer: token, expiresInSeconds, setCookie, respond }
  }

  const refused = () => answer(401, { error: 'session_ended' })

  const ended = (id: string) =>
    answer(401, { error: 'session_ended' }, id && buildCookie(cookie, id, '', 0))

  const isForeign = (request: Request) => {
    // A cookie comes along whoever asks, so a write must come from a page of this app.
    const caller = decideCallerOrigin(request, allowedOrigins)
    return caller !== 'same' && caller !== 'listed'
  }

  /** For a refresh credential of the session that is not the live one. */
  const answerSpent = async (id: string, next: Credentials): Promise<Response> => {
    const session = await store.find(id)
    if (!session) return ended(id)
    const isLastSpent = session.refreshHash === (await hash(next.refresh))
    // The same pair and no second one: somebody who has copied the credential is on one chain with
    // its owner, and one of the two shows at a later renewal.
    if (isLastSpent && now() < session.renewedAt + GRACE_MS)
      return describe(session, next).respond()
    // Two hold what one was given, so the session ends for both (RFC 9700 4.14.2).
    await store.delete(id)
    return ended(id)
  }

  return {
    async start(identity) {
      const credentials = mintCredentials()
      const kept = {
        id: mintSecret(16),
        identity,
        familyHash: await hash(familyOf(credentials.refresh)),
        rotationKey: mintSecret(32),
        endsAt: now() + lifetimesMs.total,
      }
      const session = await renew(kept, credentials)
      await store.insert(session)
      return describe(session, credentials)
    },

    async authenticate(request) {
      const { id, secret } = readBearer(request)
      const session = id ? await store.find(id) : undefined
      if (!session || !(session.bearerExpiresAt > now())) return undefined
      return session.bearerHash === (await hash(secret)) ? session.identity : undefined
    },

    async renew(request) {
      if (isForeign(request)) return answer(403, { error: 'origin_not_allowed' })
      const id = readSessionId(request)
      const refresh = id && readCookie(cookie, id, request)
      const session = refresh ? await store.find(id) : undefined
      if (!refresh || !session || !(session.refreshExpiresAt > now())) return ended(id)
      // Made up by somebody who knows the id only: it must cost the owner nothing.
      if (session.familyHash !== (await hash(familyOf(refresh)))) return refused()
      const next = await deriveCredentials(refresh, session.rotationKey)
      const renewed = await renew(session, next)
      const isDone = await store.replace(renewed, await hash(refresh))
      return isDone ? describe(renewed, next).respond() : answerSpent(id, next)
    },

    async end(request) {
      if (isForeign(request)) return answer(403, { error: 'origin_not_allowed' })
      const id = readSessionId(request)
      const session = id ? await store.find(id) : undefined
      // Any refresh credential of the session will do, because a renewal may be under way; the bearer
      // has often run out by now.
      const refresh = (id && readCookie(cookie, id, request)) || ''
      const family = await hash(familyOf(refresh))
      const bearer = await hash(readBearer(request).secret)
      const isOwner = session?.familyHash === family || session?.bearerHash === bearer
      if (!session || !isOwner) return ended(id)
      await store.delete(id)
      return answer(200, { ended: true }, buildCookie(cookie, id, '', 0))
    },
  }
}

/** What a renewal leaves as it is. */
type Kept = Pick<StoredSession, 'id' | 'identity' | 'familyHash' | 'rotationKey' | 'endsAt'>

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
