// What every app that is launched serves, on web-standard Request and Response: its pages and assets,
// the launch of its token option, its own session, the drafts of its users. An app has its own routes in
// a framework (../adapters), or beside these in one function. Spec §5.5, §5.6.
import { type AppSettings, buildPageSettings, type ProviderAppSettings } from './app-settings.ts'
import type { DraftStore } from './draft-store.ts'
import { createDrafts } from './drafts.ts'
import type { LaunchIdentity } from './launch-identity.ts'
import type { LaunchParts } from './launch-routes.ts'
import { buildLaunchPage, buildStartPage, respondText } from './pages.ts'
import type { ReplayStore } from './replay-store.ts'
import { requireIdentity } from './require-identity.ts'
import {
  answerAll,
  buildPageHeaders,
  type Handler,
  type Log,
  type OpenedRoutes,
  openRoutes,
  type Routes,
} from './router.ts'
import type { SessionsOptions } from './session-settings.ts'
import { createSessions, type Sessions } from './sessions.ts'

/** The scripts and style sheets of the pages: `createAssets` of `/node`, or your own. */
export interface Assets {
  /** Each path with the hash of its text, such as `/app.js?v=…`. */
  findAddresses<const Paths extends readonly string[]>(
    ...paths: Paths
  ): Promise<{ [Index in keyof Paths]: string }>
  respond: Handler
}

/** The options of `chartside` in a framework; `createWebApp` takes the app's own routes as well. */
export interface ChartsideOptions<Settings extends AppSettings | ProviderAppSettings> {
  /** The app's name, as its registration has it. */
  readonly name: string
  /** The name in cookies, such as `ward-notes`. */
  readonly slug: string
  readonly settings: Settings
  /** Gives the routes that make a session of a launch: `routeExchange`, `routeTokenEndpoint` or `routeProvider`. */
  readonly launch: (parts: LaunchParts<Settings>) => Routes
  /** The store of the sessions, for several processes, and their lifetimes. */
  readonly sessions?: Omit<SessionsOptions, 'cookieName' | 'allowedOrigins'>
  /** The store of drafts, for several processes. */
  readonly drafts?: DraftStore
  /** The ID tokens that were accepted, for several processes. */
  readonly replays?: ReplayStore
  /** The files of the pages. Without them the app serves no page: a framework does, such as Next.js. */
  readonly assets?: Assets
  /** False: `GET /` is a route of the app's own. Default true, a page that says where the app opens. */
  readonly hasStartPage?: boolean
  readonly log: Log
}

export interface WebAppOptions<Settings extends AppSettings | ProviderAppSettings>
  extends ChartsideOptions<Settings> {
  /** The app's own routes; one of them may take the place of `GET /`. */
  readonly api?: (sessions: Sessions) => Routes
}

/** The app that an adapter puts into a framework. */
export interface WebApp extends OpenedRoutes {
  /** The user of the app's own session. @throws Problem 401 `session_ended` */
  requireIdentity(request: Pick<Request, 'headers'>): Promise<LaunchIdentity>
}

/**
 * Creates an app that is launched: `GET /launch`, `GET /callback`, the routes of the launch, `POST
 * /api/session/renew`, `DELETE /api/session`, `GET` and `PUT /api/drafts`, and yours. The returned function
 * never throws: an error becomes an error response. Spec §5.5, §5.6.
 * @throws TypeError that names a setting which the kit refuses
 * @example createWebApp({ name: 'Ward Notes', slug: 'ward-notes', settings, launch: routeExchange, api, assets, log })
 */
export const createWebApp = <Settings extends AppSettings | ProviderAppSettings>(
  options: WebAppOptions<Settings>,
): Handler => answerAll(openWebApp(options, options.api))

/** The routes of `createWebApp`, with no route of the app's own. @throws as `createWebApp` */
export function openWebApp<Settings extends AppSettings | ProviderAppSettings>(
  options: ChartsideOptions<Settings>,
  api: (sessions: Sessions) => Routes = () => ({}),
): WebApp {
  const { slug, settings, launch, assets, replays, log } = options
  const sessions = createSessions({
    ...options.sessions,
    ...{ cookieName: slug, allowedOrigins: [settings.publicUrl] },
  })
  const drafts = createDrafts({ sessions, ...(options.drafts ? { store: options.drafts } : {}) })
  const routes = {
    ...(assets ? routePages(options, assets) : {}),
    ...launch({ settings, sessions, log, ...(replays ? { replays } : {}) }),
    'POST /api/session/renew': sessions.renew,
    'DELETE /api/session': sessions.end,
    'GET /api/drafts': drafts.load,
    'PUT /api/drafts': drafts.save,
    ...api(sessions),
  }
  return {
    ...openRoutes({ routes, headers: buildPageHeaders(settings), log }),
    requireIdentity: (request) => requireIdentity(sessions, request),
  }
}

/** The pages name their scripts by content, so that a browser may keep them. */
function routePages<Settings extends AppSettings | ProviderAppSettings>(
  { name, settings, hasStartPage = true }: ChartsideOptions<Settings>,
  assets: Assets,
): Routes {
  const page = buildPageSettings(settings)
  /** The SDK loads while the code is exchanged. */
  const preload = `${settings.baseUrl}/sdk/v1/sdk.js`
  return {
    ...(hasStartPage
      ? { 'GET /': async () => respondText(buildStartPage({ name }), 'text/html') }
      : {}),
    'GET /launch': async () => {
      const paths = ['/launch.js', '/app.js', '/app.css'] as const
      const [src, appScript, styleSheet] = await assets.findAddresses(...paths)
      const scripts = [{ src, isAsync: true }]
      const parts = { name, settings: { ...page, appScript }, scripts, styleSheet }
      return respondText(buildLaunchPage(parts), 'text/html')
    },
    'GET /callback': async () => {
      const [src, styleSheet] = await assets.findAddresses('/app.js', '/app.css')
      const parts = { name, settings: page, scripts: [{ src }], styleSheet, preload }
      return respondText(buildLaunchPage(parts), 'text/html')
    },
    'GET /launch.js': assets.respond,
    'GET /app.js': assets.respond,
    'GET /app.css': assets.respond,
  }
}
