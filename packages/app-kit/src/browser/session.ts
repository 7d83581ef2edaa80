// The page's end of the app's own session: the bearer lives in this object and nowhere else, and is
// renewed through the httpOnly cookie when it has run out. Stores the session's id only, which opens
// nothing. The other end is `createSessions` of the server half. Spec §5.6.
import { AppKitError, LAUNCH_AGAIN } from './errors.ts'
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
  /** Takes up the tab's session after a page of the app was left or reloaded; false when there is none. */
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

interface Credentials {
  readonly id: string
  readonly token: string
}

const STORAGE_KEY = 'chartside:session'

export function createSession(options: SessionOptions = {}, page: Page = thisPage()): AppSession {
  const startPath = options.startPath ?? '/api/session'
  const renewPath = options.renewPath ?? '/api/session/renew'
  const endPath = options.endPath ?? '/api/session'
  let current: Credentials | undefined
  let renewal: Promise<boolean> | undefined
  let started: { readonly body: string; readonly reply: Promise<unknown> } | undefined

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

  const take = (reply: unknown): boolean => {
    current = parseCredentials(reply)
    remember(page, current?.id)
    return current !== undefined
  }

  const renew = async (id: string): Promise<boolean> => {
    const response = await send(renewPath, { method: 'POST', headers: { 'x-session-id': id } })
    // Only a verdict on the session ends it here; a server that is briefly away does not.
    if (response.status === 401) return take(undefined)
    return take(await readReply(response))
  }

  /** One renewal for all who wait: a renewal spends the cookie, so a second one would be refused. */
  const renewOnce = (id: string): Promise<boolean> => {
    renewal ??= renew(id).finally(() => {
      renewal = undefined
    })
    return renewal
  }

  const sendWithBearer = async (path: string, init: RequestInit): Promise<Response> => {
    if (renewal) await renewal
    if (!current) throw sessionEnded()
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${current.token}`)
    return send(path, { ...init, headers })
  }

  const fetchWithSession = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const used = current
    const response = await sendWithBearer(path, init)
    if (response.status !== 401) return response
    if (used && used === current && !(await renewOnce(used.id))) throw sessionEnded()
    const second = await sendWithBearer(path, init)
    if (second.status === 401) throw sessionEnded()
    return second
  }

  const begin = async (body: unknown): Promise<unknown> => {
    try {
      const reply = await readReply(await send(startPath, asJson('POST', body)))
      if (take(reply)) return reply
      throw new AppKitError('request_failed', `${startPath} answered without a session.`, {
        fix: 'Answer with sessions.start(identity).respond(…) of @chartside/app-kit/server.',
      })
    } catch (error) {
      // Whoever doubled the call shares this outcome; a call after it may try again.
      started = undefined
      throw error
    }
  }

  return {
    start<Reply>(body: unknown): Promise<Reply> {
      const text = JSON.stringify(body)
      if (started?.body !== text) started = { body: text, reply: begin(body) }
      return started.reply as Promise<Reply>
    },
    async resume() {
      const id = current?.id ?? recall(page)
      return id === undefined ? false : renewOnce(id)
    },
    fetch: fetchWithSession,
    async request<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
      const response = await fetchWithSession(path, asJson(method, body))
      return (await readReply(response)) as Reply
    },
    async end() {
      const ended = current
      started = undefined
      take(undefined)
      if (!ended) return
      const headers = { authorization: `Bearer ${ended.token}`, 'x-session-id': ended.id }
      await send(endPath, { method: 'DELETE', headers, keepalive: true })
    },
  }
}

const asJson = (method: string, body: unknown): RequestInit =>
  body === undefined
    ? { method }
    : {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }

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

function parseCredentials(reply: unknown): Credentials | undefined {
  const { session } = (reply ?? {}) as { session?: { id?: unknown; token?: unknown } }
  const { id, token } = session ?? {}
  return typeof id === 'string' && typeof token === 'string' ? { id, token } : undefined
}

/** Without storage a session works until its page is left; nothing else depends on it. */
function remember(page: Page, id: string | undefined): void {
  try {
    if (id === undefined) page.sessionStorage.removeItem(STORAGE_KEY)
    else page.sessionStorage.setItem(STORAGE_KEY, id)
  } catch {}
}

function recall(page: Page): string | undefined {
  try {
    return page.sessionStorage.getItem(STORAGE_KEY) ?? undefined
  } catch {
    return undefined
  }
}

const sessionEnded = () =>
  new AppKitError('session_ended', 'This session has ended.', { fix: LAUNCH_AGAIN, status: 401 })

const unreachable = (cause: unknown) =>
  new AppKitError('server_unreachable', "The app's server did not answer.", {
    fix: 'Check the connection and try again; the session goes on.',
    cause,
  })

const foreignAddress = (origin: string) =>
  new AppKitError('foreign_address', `${origin} is not this app's own server.`, {
    fix: 'The bearer of the session goes to the origin of the page only; use fetch for others.',
  })
