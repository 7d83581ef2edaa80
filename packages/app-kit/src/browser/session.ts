// The app's own session in the page: the bearer is in the memory of this page only, and is renewed
// with the httpOnly cookie when it has expired. Only the session's id is stored, in this frame's
// history entry. The server half's `createSessions` answers these requests. Spec §5.6.
import { AppKitError, LAUNCH_AGAIN } from './errors.ts'
import { deleteSessionId, readSessionId, writeSessionId } from './history-entry.ts'
import { asJson, readReply, sendToServer } from './own-server.ts'
import { type Page, thisPage } from './page.ts'
import { reporting } from './report-failure.ts'
import {
  type RegisteredSession,
  registerSession,
  type Start,
  startsOf,
} from './session-registry.ts'

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
   * Starts the session, once the SDK is ready: posts `body` as JSON (an ID token) to the app's server
   * and returns its whole answer. A doubled call (React's StrictMode) is one, because an ID token is
   * accepted once.
   * @throws AppKitError request_failed, server_unreachable
   */
  start<Reply = unknown>(body: unknown): Promise<Reply>
  /** Resumes the session of this frame after a reload; false when there is none. */
  resume(): Promise<boolean>
  /**
   * `fetch` of the app's own origin with the bearer. When the server answers 401, it renews the
   * session once for all waiting requests. The body must be repeatable: text, not a stream.
   * @throws AppKitError session_ended, foreign_address, server_unreachable
   */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /**
   * Sends and reads JSON.
   * @throws AppKitError request_failed with status and body, and what `fetch` throws
   */
  request<Reply = unknown>(method: string, path: string, body?: unknown): Promise<Reply>
  /** Ends the session, after what `beforeEnd` asked for; also while the frame is being removed. */
  end(): Promise<void>
  /** `task` runs before the session ends, such as the last save. The returned function takes it back. */
  beforeEnd(task: () => Promise<unknown>): () => void
}

/**
 * Creates the app's own session in this page; `start` it once the SDK is ready. The server answers with
 * `createSessions`. Never throws itself: its functions reject with AppKitError (`session_ended`,
 * `request_failed`, `server_unreachable`, `foreign_address`). Spec §5.6.
 * @example const session = createSession(); await session.start({ id_token, nonce_proof: nonceProof })
 */
export function createSession(options: SessionOptions = {}, page: Page = thisPage()): AppSession {
  return new PageSession(options, page)
}

class PageSession implements AppSession {
  readonly #page: Page
  readonly #paths: { readonly start: string; readonly renew: string; readonly end: string }
  readonly #fetch: typeof fetch
  /** The id is read at once, because the app may change the state of the entry before it resumes. */
  readonly #storedId: string | undefined
  readonly #starts: Map<string, Promise<Start>>
  #current: RegisteredSession | undefined
  #startKey = ''
  readonly #tasks = new Set<() => Promise<unknown>>()

  constructor(options: SessionOptions, page: Page) {
    this.#page = page
    this.#paths = {
      start: options.startPath ?? '/api/session',
      renew: options.renewPath ?? '/api/session/renew',
      end: options.endPath ?? '/api/session',
    }
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init))
    this.#storedId = readSessionId(page)
    this.#starts = startsOf(page)
  }

  // Arrow functions, because apps pass them on without their object.
  readonly start = async <Reply>(body: unknown): Promise<Reply> => {
    const text = JSON.stringify(body)
    const key = `${this.#paths.start} ${text}`
    const starting = this.#starts.get(key) ?? reporting(this.#page, this.#sendStart(text))
    this.#starts.set(key, starting)
    this.#startKey = key
    try {
      const { session, reply } = await starting
      this.#current = session
      return reply as Reply
    } catch (error) {
      // Concurrent calls share this outcome; a later call may try again.
      if (this.#starts.get(key) === starting) this.#starts.delete(key)
      throw error
    }
  }

  readonly resume = async (): Promise<boolean> => {
    const id = this.#current?.id ?? readSessionId(this.#page) ?? this.#storedId
    if (id === undefined) return false
    const session = registerSession(this.#page, id)
    if (session.hasEnded) return false
    this.#current = session
    return this.#renewOnce(session)
  }

  readonly fetch = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const { response, session, bearer } = await this.#sendWithBearer(path, init)
    if (response.status !== 401) return response
    if (session.bearer === bearer && !(await this.#renewOnce(session))) throw sessionEnded()
    const second = await this.#sendWithBearer(path, init)
    if (second.response.status === 401) throw sessionEnded()
    return second.response
  }

  readonly request = async <Reply>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Reply> => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return (await readReply(await this.fetch(path, asJson(method, text)))) as Reply
  }

  readonly beforeEnd = (task: () => Promise<unknown>): (() => void) => {
    this.#tasks.add(task)
    return () => void this.#tasks.delete(task)
  }

  readonly end = async (): Promise<void> => {
    // Nothing to wait for must cost no turn: the frame may be gone by the next one.
    if (this.#tasks.size > 0) await Promise.allSettled([...this.#tasks].map((task) => task()))
    this.#starts.delete(this.#startKey)
    const session = this.#current
    if (!session) return
    const { id, bearer } = session
    session.hasEnded = true
    this.#drop(session)
    this.#current = undefined
    // It does not wait for a renewal under way, because the frame may be gone by then. The cookie
    // is proof enough.
    const headers = new Headers({ 'x-session-id': id })
    if (bearer) headers.set('authorization', `Bearer ${bearer}`)
    await this.#send(this.#paths.end, { method: 'DELETE', headers, keepalive: true })
  }

  async #sendStart(body: string): Promise<Start> {
    const path = this.#paths.start
    const reply = await readReply(await this.#send(path, asJson('POST', body)))
    const session = this.#accept(reply)
    if (session) return { session, reply }
    throw new AppKitError('request_failed', `${path} answered without a session.`, {
      fix: 'Answer with (await sessions.start(identity, request)).respond(…) of @chartside/app-kit/server.',
    })
  }

  /** Registers the session and the bearer of an answer; undefined when it has none, or has ended. */
  #accept(reply: unknown): RegisteredSession | undefined {
    const credentials = parseCredentials(reply)
    if (!credentials) return undefined
    const session = registerSession(this.#page, credentials.id)
    if (session.hasEnded) return undefined
    session.bearer = credentials.token
    writeSessionId(this.#page, session.id)
    return session
  }

  #drop(session: RegisteredSession): void {
    session.bearer = undefined
    deleteSessionId(this.#page, session.id)
  }

  /** One renewal for all waiting requests of this page, because it replaces the bearer of each. */
  #renewOnce(session: RegisteredSession): Promise<boolean> {
    session.renewal ??= this.#renew(session).finally(() => {
      session.renewal = undefined
    })
    return session.renewal
  }

  async #renew(session: RegisteredSession): Promise<boolean> {
    const headers = { 'x-session-id': session.id }
    const response = await this.#send(this.#paths.renew, { method: 'POST', headers })
    // Only 401 ends the session here; an outage of the server does not.
    if (response.status !== 401 && this.#accept(await readReply(response))) return true
    this.#drop(session)
    return false
  }

  async #sendWithBearer(path: string, init: RequestInit) {
    await this.#current?.renewal
    const session = this.#current
    if (!session?.bearer) throw sessionEnded()
    const { id, bearer } = session
    writeSessionId(this.#page, id)
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${bearer}`)
    return { response: await this.#send(path, { ...init, headers }), session, bearer }
  }

  #send(path: string, init: RequestInit): Promise<Response> {
    return sendToServer(this.#page, path, init, this.#fetch)
  }
}

function parseCredentials(reply: unknown): { id: string; token: string } | undefined {
  const { session } = (reply ?? {}) as { session?: { id?: unknown; token?: unknown } }
  const { id, token } = session ?? {}
  return typeof id === 'string' && typeof token === 'string' ? { id, token } : undefined
}

const sessionEnded = () =>
  new AppKitError('session_ended', 'This session has ended.', { fix: LAUNCH_AGAIN, status: 401 })
