// An app on Hono: the kit's routes and headers as middleware, the user of the session for the app's own
// routes, and errors with cause and fix. Depends on no framework: the interface below is the part of Hono
// that it uses.
import type { AppSettings, ProviderAppSettings } from '../server/app-settings.ts'
import type { LaunchIdentity } from '../server/launch-identity.ts'
import { type ChartsideOptions, openWebApp } from '../server/web-app.ts'
import { appOf, explainFor, mount } from './mounted-apps.ts'

/** The types of `new Hono<ChartsideEnv>()`, which knows that of `context.get('identity')`. */
export interface ChartsideEnv {
  Variables: { identity: LaunchIdentity }
}

interface RequestContext {
  readonly req: { readonly raw: Request; text(): Promise<string> }
}

interface ResponseContext extends RequestContext {
  readonly res: Response
  header(name: string, value: string): void
  newResponse(body: Response['body'], init: Response): Response
}

interface IdentityContext extends RequestContext {
  set(name: 'identity', value: LaunchIdentity): void
}

type Next = () => Promise<void>

/**
 * Serves the addresses of an app that is launched, as middleware of Hono: pages, launch, session, renewal,
 * drafts and sign-out. Every other request goes on to the app's own routes, whose answers have the security
 * headers too; a header that a route sets wins. Mount it at the root, before them. Spec §5.5, §5.6.
 * @throws TypeError that names a setting which the kit refuses
 * @example app.use(chartside({ name: 'Ward Notes', slug: 'ward-notes', settings, launch: routeExchange, assets, log }))
 */
export function chartside<Settings extends AppSettings | ProviderAppSettings>(
  options: ChartsideOptions<Settings>,
) {
  const app = openWebApp(options)
  return async (context: ResponseContext, next: Next): Promise<Response | undefined> => {
    const { raw } = context.req
    mount(raw, app)
    const handle = app.find(raw.method, new URL(raw.url).pathname)
    // A parser that was mounted before has the body.
    if (handle) {
      const response = await handle(raw.bodyUsed ? await copyRequest(context) : raw)
      // With the cookies that the app has set before.
      return context.newResponse(response.body, response)
    }
    await next()
    for (const [name, value] of Object.entries(app.headers)) {
      if (!context.res.headers.has(name)) context.header(name, value)
    }
    return undefined
  }
}

const copyRequest = async ({ req }: RequestContext): Promise<Request> => {
  const { url, method, headers } = req.raw
  return new Request(url, { method, headers, body: await req.text() })
}

/**
 * Gives the user of the app's own session to `context.get('identity')`, as middleware of Hono. Its
 * `account.id` is the tenant key. Without a session that is alive the answer is 401 `session_ended`. Spec
 * §5.6.
 * @throws Error when `chartside` is not mounted before
 * @example app.get('/api/notes/:id', requireIdentity, (context) => context.json(find(context.get('identity').account.id, context.req.param('id'))))
 */
export async function requireIdentity(
  context: IdentityContext,
  next: Next,
): Promise<Response | undefined> {
  const app = appOf(context.req.raw)
  try {
    context.set('identity', await app.requireIdentity(context.req.raw))
  } catch (error) {
    return app.explain(error)
  }
  await next()
  return undefined
}

/** The part of Hono that is used. It has methods, so that the app of any version fits. */
interface HonoApp {
  notFound(handler: unknown): unknown
  onError(handler: unknown): unknown
}

/**
 * Answers an unknown address with 404 `not_found`, a thrown `Problem` with its status, cause and fix, and any
 * other error with 500 `internal_server_error`, which shows nothing of it. Without it Hono answers with texts
 * of its own. Never throws. Spec §7.
 * @example explainErrors(app)
 */
export function explainErrors(app: HonoApp): void {
  app.notFound(({ req }: RequestContext) => appOf(req.raw).explainMissing())
  app.onError((error: unknown, { req }: RequestContext) => explainFor(req.raw, error))
}
