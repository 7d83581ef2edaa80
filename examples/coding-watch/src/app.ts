// The worker as one function from Request to Response: launch and callback pages, the registered
// token endpoint, the backend that learns who is there, and a status page. Owns routing and headers.
// Spec §4.3, §5.2 (option 2), §5.4, §5.5.
import {
  buildContentSecurityPolicy,
  buildSecurityHeaders,
  createAppKit,
  readJson,
} from '@chartside/app-kit/server'
import { createAssets } from '@chartside/example-app-shell/assets'
import { requireText } from '@chartside/example-app-shell/fields'
import { explain } from '@chartside/example-app-shell/problem'
import type { AppSettings } from '@chartside/example-app-shell/process'
import {
  buildCallbackPage,
  buildLaunchPage,
  buildStatusPage,
  type PageSettings,
  TITLE,
} from './pages.ts'
import { WatchLog } from './watch-log.ts'

const assets = createAssets({
  '/coding-watch.js': new URL('./browser/coding-watch.ts', import.meta.url),
  '/coding-watch.css': new URL('../public/coding-watch.css', import.meta.url),
})

export function createApp(settings: AppSettings): (request: Request) => Promise<Response> {
  const { clientId, publicUrl, baseUrl, frameAncestors, log } = settings
  const kit = createAppKit({ ...settings, allowedOrigins: [publicUrl] })
  const watch = new WatchLog()
  const page: PageSettings = { clientId, baseUrl, redirectUri: `${publicUrl}/callback` }
  const headers = buildSecurityHeaders(
    buildContentSecurityPolicy({ sdkUrl: baseUrl, hostOrigins: frameAncestors }),
  )
  const html = (text: string): Response =>
    new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } })

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (assets.paths.includes(pathname)) {
      const { type, body } = await assets.load(pathname)
      return new Response(body, { headers: { 'content-type': type } })
    }
    switch (`${request.method} ${pathname}`) {
      case 'GET /':
        return html(buildStatusPage(watch.list()))
      case 'GET /launch':
        return html(buildLaunchPage(page))
      case 'GET /callback':
        return html(buildCallbackPage(page, await kit.loadSdkManifest()))
      case 'POST /token':
        return kit.handleTokenRequest(request)
      case 'POST /presence':
        return meet(request)
      default:
        return Response.json({ error: 'not_found' }, { status: 404 })
    }
  }

  /** The page presents its ID token; only what its signature proves is written down. */
  const meet = async (request: Request): Promise<Response> => {
    const idToken = requireText(await readJson(request), 'id_token')
    const identity = await kit.verifyIdToken(idToken)
    watch.add(identity)
    const { name, userId, account, ehrType } = identity
    log(`watching for ${name ?? userId} of ${account.name} (${ehrType})`)
    return Response.json({ watching: true })
  }

  return async (request) => {
    const response = await handle(request).catch((error: unknown) => {
      // 401 when the token is at fault, 503 when the service is: nobody must hunt for bad credentials.
      const { status, problem } = explain(error, TITLE)
      log(`failed: ${problem.error}`)
      return Response.json(problem, { status })
    })
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  }
}
