// A browser at one app, for tests of its API: signs a user in as a page does, keeps the session, and
// reads JSON. The app is a function of web-standard Request and Response, or an address. For tests only.
import { createHash } from 'node:crypto'
import type { FakeIssuer } from '../fake-issuer.ts'
import type { FakeLaunch } from '../launch.ts'
import { json, keepCookies, type Send, type StartedSession } from './browser-client.ts'

/** The handler that `createWebApp` of the app kit makes. */
export type AppHandler = (request: Request) => Response | Promise<Response>

/** The answer of the app, when a test names no type. */
type Json = Record<string, unknown>

export interface AppCalls {
  /** A request as the page sends it, with origin and cookies alone. */
  readonly send: Send
  /** The JSON of an answer, with the session. @throws AppAnswerError for a status other than 2xx */
  get<Body = Json>(path: string): Promise<Body>
  post<Body = Json>(path: string, body?: object): Promise<Body>
  put<Body = Json>(path: string, body?: object): Promise<Body>
  delete<Body = Json>(path: string): Promise<Body>
}

export interface AppBrowser extends AppCalls {
  /** Goes from the code of a launch to the app's own session, with option 1 or 2. Default: any launch. */
  signIn(issuer: FakeIssuer, launch?: FakeLaunch): Promise<FakeLaunch>
}

/**
 * The error when the app answers with another status than 2xx; it has `status` and `body`. Never throws
 * itself.
 * @example await assert.rejects(app.get('/api/me'), { name: 'AppAnswerError', status: 401 })
 */
export class AppAnswerError extends Error {
  override readonly name = 'AppAnswerError'
  readonly status: number
  /** The text of the answer. */
  readonly body: string

  constructor(what: string, status: number, body: string) {
    super(`${what} answered ${status}: ${body.slice(0, 300)}`)
    this.status = status
    this.body = body
  }
}

/** The origin of an app that listens on no port. */
const SAMPLE_ORIGIN = 'http://app.chartside.localhost'

/**
 * Creates a browser for tests of one app: `app` is its function from Request to Response, or its address.
 * Requests name `origin`, by default that of the address. Never throws itself; `get`, `post`, `put`, `delete`
 * and `signIn` reject with AppAnswerError.
 * @example const app = createAppBrowser(createApp(settings, console.log))
 */
export function createAppBrowser(
  app: AppHandler | string,
  { origin = typeof app === 'string' ? new URL(app).origin : SAMPLE_ORIGIN } = {},
): AppBrowser {
  const send = keepCookies(origin, new Map(), async (request) =>
    typeof app === 'string'
      ? fetch(new Request(localUrl(request.url.replace(origin, new URL(app).origin)), request))
      : app(request),
  )
  let bearer = ''
  const calls = callsOf(send, () => bearer)
  return {
    ...calls,
    async signIn(issuer, launch = issuer.mintLaunch()) {
      const proof = await exchange(calls, issuer, launch)
      const { session } = await calls.post<StartedSession>('/api/session', proof)
      bearer = `Bearer ${session.token}`
      return launch
    },
  }
}

/** The requests of a page. `bearer` is of its session, empty without one. */
export function callsOf(send: Send, bearer: () => string): AppCalls {
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await send(path, body, bearer() ? { authorization: bearer() } : {}, method)
    if (!response.ok) {
      throw new AppAnswerError(`${method} ${path}`, response.status, await response.text())
    }
    return response.status === 204 ? (undefined as Body) : json<Body>(response)
  }
  return {
    send,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  }
}

/**
 * Exchanges the code with option 1, or with option 2 where the app has no `/api/exchange`. Returns what
 * begins the app's session.
 */
async function exchange(
  { send, post }: AppCalls,
  issuer: FakeIssuer,
  launch: FakeLaunch,
): Promise<object> {
  const { code, codeVerifier, nonceProof } = issuer.mintCallback(launch)
  const path = '/api/exchange'
  const first = await send(path, { code, code_verifier: codeVerifier })
  if (first.ok) return { ...(await idTokenOf(first)), nonce_proof: nonceProof }
  if (first.status !== 404) {
    throw new AppAnswerError(`POST ${path}`, first.status, await first.text())
  }
  // The SDK of option 2 sends the code alone.
  const nonce = createHash('sha256').update(nonceProof).digest('base64url')
  const tokens = await post<{ id_token: string }>('/token', {
    code: issuer.mintCode(launch, { nonce }),
  })
  return { id_token: tokens.id_token, nonce_proof: nonceProof }
}

const idTokenOf = async (response: Response) => {
  const { id_token } = await json<{ id_token: string }>(response)
  return { id_token }
}

/** Browsers resolve every name below localhost; Node leaves it to the machine. */
const localUrl = (address: string): string =>
  address.replace(/^(https?:\/\/)[\w.-]+\.localhost(?=[:/])/, '$1127.0.0.1')
