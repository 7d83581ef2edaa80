// The app as one function from Request to Response, on any framework: pages and assets, the launch
// (launch.ts), the app's own session, its API (api.ts). Owns routing, headers and error responses.
// Spec §5.5 (framing and script policy), §5.6.
import {
  buildContentSecurityPolicy,
  buildSecurityHeaders,
  createSessions,
} from '@chartside/app-kit/server'
import { createApi } from './api.ts'
import { createAssets } from './assets.ts'
import { createLaunch } from './launch.ts'
import { launchPage, respondText } from './pages.ts'
import { explain, Problem } from './problem.ts'
import { buildPageSettings, type Settings } from './settings.ts'

export type Handler = (request: Request) => Promise<Response>

/** By method and path, such as `GET /api/me`. */
export type Routes = Readonly<Record<string, Handler>>

const assets = createAssets({
  '/launch.js': './browser/launch-page.ts',
  '/app.js': './browser/main.ts',
  '/app.css': '../public/app.css',
})

/** `log` gets one readable line without codes, tokens and secrets. */
export function createApp(settings: Settings, log: (line: string) => void): Handler {
  const { baseUrl, publicUrl, frameAncestors } = settings
  const sessions = createSessions({ cookieName: '{{slug}}', allowedOrigins: [publicUrl] })
  const page = buildPageSettings(settings)
  const showLaunch = async () => {
    const paths = ['/launch.js', '/app.js', '/app.css'] as const
    const [src, appScript, styleSheet] = await assets.findAddresses(...paths)
    const scripts = [{ src, isAsync: true }]
    return respondText(launchPage({ ...page, appScript }, scripts, { styleSheet }), 'text/html')
  }
  /** The SDK loads while the code is exchanged. */
  const preload = `${baseUrl}/sdk/v1/sdk.js`
  const showApp = async () => {
    const [src, styleSheet] = await assets.findAddresses('/app.js', '/app.css')
    return respondText(launchPage(page, [{ src }], { styleSheet, preload }), 'text/html')
  }
  const routes: Routes = {
    'GET /launch': showLaunch,
    'GET /callback': showApp,
    'GET /launch.js': assets.respond,
    'GET /app.js': assets.respond,
    'GET /app.css': assets.respond,
    ...createLaunch({ settings, sessions, log }),
    'POST /api/session/renew': sessions.renew,
    'DELETE /api/session': sessions.end,
    ...createApi(sessions),
  }
  const headers = buildSecurityHeaders(
    buildContentSecurityPolicy({ sdkUrl: baseUrl, hostOrigins: frameAncestors }),
  )

  const respond = async (request: Request): Promise<Response> => {
    try {
      const handle = routes[`${request.method} ${new URL(request.url).pathname}`]
      if (handle) return await handle(request)
      throw new Problem(404, {
        error: 'not_found',
        cause: 'There is nothing at this address.',
        fix: 'Open the app from the panel beside the chart.',
      })
    } catch (error) {
      const { status, problem } = explain(error)
      log(`failed: ${problem.error}${problem.trace_id ? ` (trace ${problem.trace_id})` : ''}`)
      if (status === 500) console.error(error)
      return Response.json(problem, { status })
    }
  }
  return async (request) => {
    const response = await respond(request)
    for (const [name, value] of Object.entries(headers)) {
      if (name !== 'cache-control' || !response.headers.has(name)) response.headers.set(name, value)
    }
    return response
  }
}
