// An app on Express: the kit's routes and headers as middleware, the user of the session for the app's own
// routes, and errors with cause and fix. Also lets Connect and plain node:http call a web-standard handler.
// Depends on no framework: the interfaces below are the part of Express that it uses.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AppSettings, ProviderAppSettings } from '../server/app-settings.ts'
import type { LaunchIdentity } from '../server/launch-identity.ts'
import { type ChartsideOptions, openWebApp } from '../server/web-app.ts'
import { appOf, atRootOnly, explainFor, mount } from './mounted-apps.ts'
import { callHandler, type Handler, pathOf, readHeaders, writeResponse } from './node-http.ts'

/** The fields that Express adds to Node's request. */
interface ExpressRequest extends IncomingMessage {
  /** The path at which the middleware is mounted; empty at the root. */
  readonly baseUrl?: string
  readonly originalUrl?: string
  readonly protocol?: string
  /** The body that a body parser has set. */
  readonly body?: unknown
}

/** The response whose `locals` the routes after `requireIdentity` read. */
interface IdentityResponse extends ServerResponse {
  readonly locals: { identity: LaunchIdentity }
}

type Next = (error?: unknown) => void

/**
 * Serves the addresses of an app that is launched, as middleware of Express: pages, launch, session, renewal,
 * drafts and sign-out. Every other request goes on to the app's own routes, whose answers have the security
 * headers too; a header that a route sets wins. Mount it at the root, before them. Spec §5.5, §5.6.
 * @throws TypeError that names a setting which the kit refuses
 * @example app.use(chartside({ name: 'Ward Notes', slug: 'ward-notes', settings, launch: routeExchange, assets, log }))
 */
export function chartside<Settings extends AppSettings | ProviderAppSettings>(
  options: ChartsideOptions<Settings>,
) {
  const app = openWebApp(options)
  return async (request: ExpressRequest, response: ServerResponse, next: Next): Promise<void> => {
    if (request.baseUrl) return next(atRootOnly(request.baseUrl))
    mount(request, app)
    const handle = app.find(request.method ?? '', pathOf(request.originalUrl ?? ''))
    if (handle) return toExpress(handle)(request, response, next)
    for (const [name, value] of Object.entries(app.headers)) response.setHeader(name, value)
    next()
  }
}

/**
 * Puts the user of the app's own session into `response.locals.identity`, as middleware of Express. Its
 * `account.id` is the tenant key. Without a session that is alive the answer is 401 `session_ended`. An Error
 * goes to `next` when `chartside` is not mounted before. Never throws. Spec §5.6.
 * @example app.get('/api/notes/:id', requireIdentity, (request, response) => response.json(find(response.locals.identity.account.id, request.params.id)))
 */
export async function requireIdentity(
  request: IncomingMessage,
  response: IdentityResponse,
  next: Next,
): Promise<void> {
  try {
    const app = appOf(request)
    try {
      response.locals.identity = await app.requireIdentity({ headers: readHeaders(request) })
    } catch (error) {
      return await writeResponse(response, app.explain(error))
    }
  } catch (error) {
    return next(error)
  }
  next()
}

/** The part of Express that is used. It is a method, so that the app of any version fits. */
interface ExpressApp {
  use(...handlers: unknown[]): unknown
}

/**
 * Answers an unknown address with 404 `not_found`, a thrown `Problem` with its status, cause and fix, and any
 * other error with 500 `internal_server_error`, which shows nothing of it. Call it after all routes. Without
 * it Express answers with pages of its own. Never throws. Spec §7.
 * @example explainErrors(app)
 */
export const explainErrors = (app: ExpressApp): void => void app.use(answerMissing, answerError)

async function answerMissing(
  request: IncomingMessage,
  response: ServerResponse,
  next: Next,
): Promise<void> {
  await writeResponse(response, appOf(request).explainMissing()).catch(next)
}

async function answerError(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  next: Next,
): Promise<void> {
  // Part of an answer is sent: Express closes the connection.
  if (response.headersSent) return next(error)
  await writeResponse(response, explainFor(request, error)).catch(next)
}

/**
 * Lets Express, Connect or plain `node:http` call a handler of web-standard Request and Response. The
 * returned function passes a thrown error to `next`, Express's error handler. Never throws.
 * @example app.post('/token', toExpress(kit.handleTokenRequest))
 */
export function toExpress(handler: Handler) {
  return async (request: ExpressRequest, response: ServerResponse, next: Next): Promise<void> => {
    try {
      const url = request.originalUrl ?? request.url ?? '/'
      const { protocol = 'http', body } = request
      const details = { url, protocol, parsedBody: body }
      const answer = await callHandler(handler, request, details)
      await writeResponse(response, answer)
    } catch (error) {
      next(error)
    }
  }
}
