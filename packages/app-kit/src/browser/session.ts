// The page's end of the app's own session: the bearer lives in the memory of this page and nowhere
// else, and is renewed through the httpOnly cookie when it has run out. Of the session only its id is
// kept, with this frame's history entry. The other end is `createSessions` of the server half. Spec §5.6.
import { AppKitError, LAUNCH_AGAIN } from './errors.ts'
import { type HeldSession, holdSession, type Start, startsOf } from './held-sessions.ts'
import { forgetSession, recallSession, rememberSession } from './history-entry.ts'
import { type Page, thisPage } from './page.ts'

export interface SessionOptions {
  /** Default `/api/session`, POST. Its JSON answer holds what `StartedSession.respond` wrote. */
  readonly startPath?: string
  /** Default `/api/session/renew`, POST. */
  readonly renewPath?: string
  /** Default `/api/session`, DELETE. */
  readonly endPath?: string
  readonly fetch?: typeof fetch
}

export interface AppSession {
  /**
   * Starts the session: posts `body` as JSON (a code, an ID token) to the app's server and returns
   * its whole answer. A doubled call (React's StrictMode) is one call, because a code works once.
   * @throws AppKitError request_failed, server_unreachable
   */
  start<Reply = unknown>(body: unknown): Promise<Reply>
  /** Takes up the session of this frame after a reload; false when there is none. */
  resume(): Promise<boolean>
  /**
   * `fetch` of the app's own origin with the bearer; renews once, for all who wait, when the server
   * answers 401. The body must be repeatable: text, not a stream.
   * @throws AppKitError session_ended, foreign_address, server_unreachable
   */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /**
   * Sends and reads JSON.
   * @throws AppKitError request_failed with status and body, and what `fetch` throws
   */
  request<Reply = unknown>(method: string, path: string, body?: unknown): Promise<Reply>
  /** Ends the session, even while the frame is being taken away. */
  end(): Promise<void>
}

export function createSession(options: SessionOptions = {}, page: Page = thisPage()): AppSession {
  const startPath = options.startPath ?? '/api/session'
  const renewPath = options.renewPath ?? '/api/session/renew'
  const endPath = options.endPath ?? '/api/session'
  // Read at once: the app may give the entry another state before it resumes.
  const recalled = recallSession(page)
  const starts = startsOf(page)
  let current: HeldSession | undefined
  let startKey = ''

  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const url = new URL(path, page.location.origin)
    if (url.origin !== page.location.origin) throw foreignAddress(url.origin)
    const fetchFrom = options.fetch ?? fetch
    return fetchFrom(url.href, { ...init, credentials: 'same-origin', redirect: 'error' }).catch(
      (cause: unknown) => {
        throw unreachable(cause)
      },
    )
  }

  const take = (reply: unknown): HeldSession | undefined => {
    const credentials = parseCredentials(reply)
    if (!credentials) return undefined
    const session = holdSession(page, credentials.id)
    if (session.isOver) return undefined
    session.bearer = credentials.token
    rememberSession(page, session.id)
    return session
  }

  const drop = (session: HeldSession): void => {
    session.bearer = undefined
    forgetSession(page, session.id)
  }

  const renew = async (session: HeldSession): Promise<boolean> => {
    const headers = { 'x-session-id': session.id }
    const response = await send(renewPath, { method: 'POST', headers })
    // Only a verdict on the session ends it here; a server that is briefly away does not.
    if (response.status !== 401 && take(await readReply(response))) return true
    drop(session)
    return false
  }

  /** One renewal for all who wait in this page: it changes the bearer of every one of them. */
  const renewOnce = (session: HeldSession): Promise<boolean> => {
    session.renewal ??= renew(session).finally(() => {
      session.renewal = undefined
    })
    return session.renewal
  }

  const sendWithBearer = async (path: string, init: RequestInit) => {
    await current?.renewal
    if (!current?.bearer) throw sessionEnded()
    const session = current
    const { id, bearer } = session
    rememberSession(page, id)
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${bearer}`)
    return { response: await send(path, { ...init, headers }), session, bearer }
  }

  const fetchWithSession = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const { response, session, bearer } = await sendWithBearer(path, init)
    if (response.status !== 401) return response
    if (session.bearer === bearer && !(await renewOnce(session))) throw sessionEnded()
    const second = await sendWithBearer(path, init)
    if (second.response.status === 401) throw sessionEnded()
    return second.response
  }

  const begin = async (body: string): Promise<Start> => {
    const reply = await readReply(await send(startPath, asJson('POST', body)))
    const session = take(reply)
    if (session) return { session, reply }
    throw new AppKitError('request_failed', `${startPath} answered without a session.`, {
      fix: 'Answer with sessions.start(identity).respond(…) of @chartside/app-kit/server.',
    })
  }

  return {
    async start<Reply>(body: unknown): Promise<Reply> {
      const text = JSON.stringify(body)
      const key = `${startPath} ${text}`
      const starting = starts.get(key) ?? begin(text)
      starts.set(key, starting)
      startKey = key
      try {
        const { session, reply } = await starting
        current = session
        return reply as Reply
      } catch (error) {
        // Whoever doubled the call shares this outcome; a call after it may try again.
        if (starts.get(key) === starting) starts.delete(key)
        throw error
      }
    },
    async resume() {
      const id = current?.id ?? recallSession(page) ?? recalled
      if (id === undefined) return false
      const session = holdSession(page, id)
      if (session.isOver) return false
      current = session
      return renewOnce(session)
    },
    fetch: fetchWithSession,
    async request<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const response = await fetchWithSession(path, asJson(method, text))
      return (await readReply(response)) as Reply
    },
    async end() {
      starts.delete(startKey)
      if (!current) return
      const { id, bearer } = current
      current.isOver = true
      drop(current)
      current = undefined
      // Not after a renewal that is under way: the frame may be gone by then. The cookie will do.
      const headers = new Headers({ 'x-session-id': id })
      if (bearer) headers.set('authorization', `Bearer ${bearer}`)
      await send(endPath, { method: 'DELETE', headers, keepalive: true })
    },
  }
}

/** `body`: JSON. */
const asJson = (method: string, body: string | undefined): RequestInit =>
  body === undefined
    ? { method }
    : { method, headers: { 'content-type': 'application/json' }, body }

/** The JSON of an answer; an error carries status and body on. */
async function readReply(response: Response): Promise<unknown> {
  const text = await response.text()
  let body: unknown = text
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch {}
  if (response.ok) return body
  throw new AppKitError('request_failed', `The app's server answered ${response.status}.`, {
    fix: `Look at body, which holds what it said. ${LAUNCH_AGAIN}`,
    status: response.status,
    body,
  })
}

function parseCredentials(reply: unknown): { id: string; token: string } | undefined {
  const { session } = (reply ?? {}) as { session?: { id?: unknown; token?: unknown } }
  const { id, token } = session ?? {}
  return typeof id === 'string' && typeof token === 'string' ? { id, token } : undefined
}

const sessionEnded = () =>
  new AppKitError('session_ended', 'This session has ended.', { fix: LAUNCH_AGAIN, status: 401 })

const unreachable = (cause: unknown) =>
  new AppKitError('server_unreachable', "The app's server did not answer.", {
    fix: 'Check the connection and try again.',
    cause,
  })

const foreignAddress = (origin: string) =>
  new AppKitError('foreign_address', `${origin} is not this app's own server.`, {
    fix: 'The bearer of the session goes to the origin of the page only; use fetch for others.',
  })
