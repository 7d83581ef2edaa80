// One function from Request to Response for all addresses of an app: finds the handler by method and
// path, answers every error with cause and fix, and puts the security headers on every response.
// Knows no address of its own. Spec §5.5, §7.
import { explainError, Problem } from './problem.ts'
import { buildContentSecurityPolicy, buildSecurityHeaders } from './security-headers.ts'

export type Handler = (request: Request) => Promise<Response>

/** The handlers by method and path, such as `GET /api/me`. */
export type Routes = Readonly<Record<string, Handler>>

/** Gets one readable line without codes, tokens and secrets. */
export type Log = (line: string) => void

export interface RouterOptions {
  readonly routes: Routes
  /** The headers of `buildSecurityHeaders`; a handler's own `cache-control` stays. */
  readonly headers: Readonly<Record<string, string>>
  readonly log: Log
  /** The advice at an address without a route: what its visitor does. */
  readonly notFoundFix?: string
}

/** The handler also gets what a framework adds to the request, such as the parameters of its address. */
type RestHandler<Rest extends unknown[]> = (request: Request, ...rest: Rest) => Promise<Response>

/** Routes that answer under their headers, for a server that has other routes too. */
export interface OpenedRoutes {
  readonly headers: Readonly<Record<string, string>>
  /** The addresses, such as `GET /launch`. */
  readonly addresses: readonly string[]
  /** Returns the handler; undefined at an address that is not among the routes. Answers HEAD as GET. Never throws. */
  find(method: string, pathname: string): Handler | undefined
  /** A handler under the same headers, whose errors become error responses. */
  guard<Rest extends unknown[]>(handle: RestHandler<Rest>): RestHandler<Rest>
  /** The error response for anything that was thrown; the log gets its code. */
  explain(thrown: unknown): Response
  /** Returns 404 `not_found`. */
  explainMissing(): Response
}

/** The parts of `createRouter`. Never throws. */
export function openRoutes({ routes, headers, log, notFoundFix }: RouterOptions): OpenedRoutes {
  const fix = notFoundFix ?? 'Open the app from the panel beside the chart.'
  const cause = 'There is nothing at this address.'
  const addHeaders = (response: Response): Response => {
    for (const [name, value] of Object.entries(headers)) {
      if (name !== 'cache-control' || !response.headers.has(name)) response.headers.set(name, value)
    }
    return response
  }
  const explain = (thrown: unknown): Response => {
    const { status, problem } = explainError(thrown)
    log(`failed: ${problem.error}${problem.trace_id ? ` (trace ${problem.trace_id})` : ''}`)
    if (status === 500) console.error(thrown)
    return addHeaders(Response.json(problem, { status }))
  }
  const guard: OpenedRoutes['guard'] =
    (handle) =>
    async (request, ...rest) => {
      try {
        return addHeaders(await handle(request, ...rest))
      } catch (error) {
        return explain(error)
      }
    }
  const find = (method: string, pathname: string): Handler | undefined => {
    const handle = routes[`${method === 'HEAD' ? 'GET' : method} ${pathname}`]
    return handle && guard(handle)
  }
  const explainMissing = () => explain(new Problem(404, { error: 'not_found', cause, fix }))
  return { headers, addresses: Object.keys(routes), find, guard, explain, explainMissing }
}

/**
 * Serves routes under one set of headers. A thrown error becomes an error response: 404 `not_found`
 * for an unknown address, 500 `internal_server_error` for an unexpected error. The returned function
 * never throws. Spec §5.5, §7.
 * @example const app = createRouter({ routes: { 'GET /api/me': showMe }, headers, log: console.log })
 */
export const createRouter = (options: RouterOptions): Handler => answerAll(openRoutes(options))

/** A handler of every address. */
export const answerAll =
  ({ find, explainMissing }: OpenedRoutes): Handler =>
  async (request) => {
    const handle = find(request.method, new URL(request.url).pathname)
    const response = handle ? await handle(request) : explainMissing()
    return request.method === 'HEAD' ? new Response(null, response) : response
  }

interface PolicySettings {
  readonly baseUrl: string
  readonly frameAncestors: readonly string[]
  readonly isDevelopment?: boolean
}

/** The sources that a development server needs: its own port, a connection that stays open, and its error page. */
const DEVELOPMENT_SOURCES = {
  'script-src': ['http://localhost:*'],
  'style-src': ["'unsafe-inline'"],
  'connect-src': ['http://localhost:*', 'ws://localhost:*'],
  'img-src': ['http://localhost:*'],
  'font-src': ['http://localhost:*'],
}
/**
 * A framework that writes the pages runs inline scripts and evaluates modules there. A nonce would switch both off.
 */
const FRAMEWORK_SOURCES = {
  ...DEVELOPMENT_SOURCES,
  'script-src': ["'unsafe-inline'", "'unsafe-eval'"],
}

/**
 * Builds the security headers of an app's pages from its settings. With `nonce`, of `mintNonce`, scripts and
 * styles with that nonce run too. Spec §5.5.
 * @throws TypeError when a frame ancestor would break out of its directive
 * @example const headers = buildPageHeaders(settings)
 */
export const buildPageHeaders = (
  { baseUrl, frameAncestors, isDevelopment = false }: PolicySettings,
  nonce?: string,
): Record<string, string> =>
  buildSecurityHeaders(
    buildContentSecurityPolicy({
      sdkUrl: baseUrl,
      hostOrigins: frameAncestors,
      ...(isDevelopment
        ? { extra: nonce === undefined ? DEVELOPMENT_SOURCES : FRAMEWORK_SOURCES }
        : nonce === undefined
          ? {}
          : { nonce }),
    }),
  )

/**
 * Returns a nonce of 128 random bits in base64, for one response. Never throws. Content Security Policy Level
 * 3 §8.
 * @example const headers = buildPageHeaders(settings, mintNonce())
 */
export const mintNonce = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
