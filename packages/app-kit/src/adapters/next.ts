// An app on Next.js: the kit's routes for one catch-all, and the user, the headers and the errors of the
// app's own route handlers. Next.js may load a module once for each route, so the app is kept for the
// process. Depends on no framework.
import type { AppSettings, ProviderAppSettings } from '../server/app-settings.ts'
import type { LaunchIdentity } from '../server/launch-identity.ts'
import { answerAll, type Handler } from '../server/router.ts'
import { type ChartsideOptions, openWebApp, type WebApp } from '../server/web-app.ts'

type Method = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'

export interface Chartside {
  /** The handlers for the `route.ts` of a catch-all; each answers every address of the kit, and 404 elsewhere. */
  readonly handlers: Readonly<Record<Method, Handler>>
  /**
   * The user of the app's own session; `account.id` is the tenant key. The page sends the session with its
   * requests, and not as it opens: call it in a route handler. Spec §5.6.
   * @throws Problem 401 `session_ended`, which `route` answers
   */
  identity(request: Pick<Request, 'headers'>): Promise<LaunchIdentity>
  /** A route handler whose answers have the security headers, and whose errors cause and fix. */
  route<Rest extends unknown[]>(
    handle: (request: Request, ...rest: Rest) => Promise<Response>,
  ): (request: Request, ...rest: Rest) => Promise<Response>
}

declare global {
  /** The apps by slug. */
  var chartsideApps: Map<string, WebApp> | undefined
}

/**
 * Creates an app that is launched, for the App Router of Next.js, which serves the pages. `load` gives the
 * options at the first request: a build knows no setting. Never throws itself; a request rejects with what
 * `load` throws. Spec §5.5, §5.6.
 * @example export const { GET, POST, PUT, DELETE } = createChartside('ward-notes', loadOptions).handlers
 */
export function createChartside<Settings extends AppSettings | ProviderAppSettings>(
  slug: string,
  load: () => Omit<ChartsideOptions<Settings>, 'slug'>,
): Chartside {
  const open = (): WebApp => {
    globalThis.chartsideApps ??= new Map()
    const app = globalThis.chartsideApps.get(slug) ?? openWebApp({ ...load(), slug })
    globalThis.chartsideApps.set(slug, app)
    return app
  }
  const answer: Handler = async (request) => answerAll(open())(request)
  return {
    handlers: { DELETE: answer, GET: answer, PATCH: answer, POST: answer, PUT: answer },
    identity: async (request) => open().requireIdentity(request),
    route:
      (handle) =>
      async (request, ...rest) =>
        open().guard(handle)(request, ...rest),
  }
}
