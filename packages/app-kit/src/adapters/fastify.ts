// An app on Fastify: the kit's routes and headers as a plugin, the user of the session for the app's own
// routes, and errors with cause and fix. Depends on no framework: the interfaces below are the parts of
// Fastify that it uses.
import type { IncomingMessage } from 'node:http'
import type { AppSettings, ProviderAppSettings } from '../server/app-settings.ts'
import type { LaunchIdentity } from '../server/launch-identity.ts'
import { type ChartsideOptions, openWebApp, type WebApp } from '../server/web-app.ts'
import { appOf, atRootOnly, explainFor, mount } from './mounted-apps.ts'
import { callHandler, type Handler, readHeaders } from './node-http.ts'

interface KitRequest {
  readonly raw: IncomingMessage
  readonly url: string
  readonly protocol: string
  readonly body: unknown
}

interface KitReply {
  code(status: number): unknown
  header(name: string, value: string | string[]): unknown
  send(payload: unknown): unknown
}

// Methods, so that the instance of any version of Fastify fits.
interface KitInstance {
  readonly prefix: string
  decorateRequest(name: 'identity', value: null): unknown
  addHook(name: 'onRequest', hook: (request: KitRequest, reply: KitReply) => Promise<void>): unknown
  /** A plugin: the types of its instance differ from version to version. */
  register(plugin: unknown): unknown
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, body: unknown, done: (error: null) => void) => void,
  ): unknown
  route(route: { method: string; url: string; handler: ReturnType<typeof toFastify> }): unknown
}

interface KitPluginOptions {
  readonly prefix?: string
}

/** The mark by which Fastify gives hook and decorated property to the instance that registers the plugin. */
const ON_THE_INSTANCE = { [Symbol.for('skip-override')]: true }

/**
 * Serves the addresses of an app that is launched, as a plugin of Fastify: pages, launch, session, renewal,
 * drafts and sign-out. Every answer of the instance has the security headers; a header that a route sets
 * wins. Register it without a prefix, and wait for it before other routes. Spec §5.5, §5.6.
 * @throws TypeError that names a setting which the kit refuses
 * @example await app.register(chartside({ name: 'Ward Notes', slug: 'ward-notes', settings, launch: routeExchange, assets, log }))
 */
export function chartside<Settings extends AppSettings | ProviderAppSettings>(
  options: ChartsideOptions<Settings>,
) {
  const app = openWebApp(options)
  const plugin = async (instance: KitInstance, { prefix = '' }: KitPluginOptions) => {
    const path = instance.prefix + prefix
    if (path) throw atRootOnly(path)
    instance.decorateRequest('identity', null)
    instance.addHook('onRequest', async ({ raw }, reply) => {
      mount(raw, app)
      for (const [name, value] of Object.entries(app.headers)) reply.header(name, value)
    })
    // In a scope of their own: the kit reads bodies itself, and the app's routes keep their parsers.
    instance.register(async (own: KitInstance) => addRoutes(own, app))
  }
  return Object.assign(plugin, ON_THE_INSTANCE)
}

function addRoutes(own: KitInstance, { addresses, find }: WebApp): void {
  own.removeAllContentTypeParsers()
  own.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const address of addresses) {
    const [method = '', url = ''] = address.split(' ')
    const handle = find(method, url)
    if (handle) own.route({ method, url, handler: toFastify(handle) })
  }
}

/**
 * Puts the user of the app's own session into `request.identity`, as a `preHandler` of Fastify. Its
 * `account.id` is the tenant key. Without a session that is alive the answer is 401 `session_ended`. The app
 * declares `identity: LaunchIdentity` of `FastifyRequest` in a `declare module 'fastify'`. Spec §5.6.
 * @throws Error when `chartside` is not registered
 * @example app.get<{ Params: { id: string } }>('/api/notes/:id', { preHandler: requireIdentity }, async ({ identity, params }) => find(identity.account.id, params.id))
 */
export async function requireIdentity(
  request: { readonly raw: IncomingMessage; identity?: LaunchIdentity },
  reply: KitReply,
): Promise<unknown> {
  const app = appOf(request.raw)
  try {
    request.identity = await app.requireIdentity({ headers: readHeaders(request.raw) })
    return undefined
  } catch (error) {
    return sendResponse(reply, app.explain(error))
  }
}

interface FastifyApp {
  setErrorHandler(handler: unknown): unknown
  setNotFoundHandler(handler: unknown): unknown
}

/**
 * Answers an unknown address with 404 `not_found`, a thrown `Problem` with its status, cause and fix, and any
 * other error with 500 `internal_server_error`, which shows nothing of it. Without it Fastify answers in its
 * own way. Never throws. Spec §7.
 * @example explainErrors(app)
 */
export function explainErrors(app: FastifyApp): void {
  app.setNotFoundHandler(({ raw }: Pick<KitRequest, 'raw'>, reply: KitReply) =>
    sendResponse(reply, appOf(raw).explainMissing()),
  )
  app.setErrorHandler((error: unknown, { raw }: Pick<KitRequest, 'raw'>, reply: KitReply) =>
    sendResponse(reply, explainFor(raw, error)),
  )
}

/**
 * Lets Fastify call a handler of web-standard Request and Response.
 * The returned function rejects with what the handler throws, for Fastify's error handler. Never throws
 * itself.
 * @example app.post('/token', toFastify(kit.handleTokenRequest))
 */
export function toFastify(handler: Handler) {
  return async (request: KitRequest, reply: KitReply): Promise<unknown> => {
    const { raw, url, protocol, body } = request
    // A parsed JSON string must be written as JSON again.
    const parsedBody = typeof body === 'string' && isJson(raw) ? JSON.stringify(body) : body
    return sendResponse(reply, await callHandler(handler, raw, { url, protocol, parsedBody }))
  }
}

async function sendResponse(reply: KitReply, response: Response): Promise<unknown> {
  reply.code(response.status)
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') reply.header(name, value)
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  reply.send(response.body ? Buffer.from(await response.arrayBuffer()) : undefined)
  return reply
}

const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/(.+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')
