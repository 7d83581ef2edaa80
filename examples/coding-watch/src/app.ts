// The worker as one function from Request to Response: launch and callback pages, the registered
// token endpoint, the backend that learns who is there, and a status page. Owns routing and headers.
// Spec §4.3, §5.2 (option 2), §5.4, §5.5.
import {
  buildContentSecurityPolicy,
  buildSecurityHeaders,
  createAppKit,
  IdTokenError,
  ServiceError,
} from '@chartside/app-kit/server'
import { createAssets } from '@chartside/example-app-shell/assets'
import type { AppSettings } from '@chartside/example-app-shell/process'
import { buildCallbackPage, buildLaunchPage, buildStatusPage, type PageSettings } from './pages.ts'
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
  const headers = {
    ...buildSecurityHeaders(
      buildContentSecurityPolicy({ sdkUrl: baseUrl, extensionOrigins: frameAncestors }),
    ),
    'content-type': 'text/html; charset=utf-8',
  }

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (assets.paths.includes(pathname)) {
      const { type, body } = await assets.load(pathname)
      return new Response(body, { headers: { 'content-type': type } })
    }
    switch (`${request.method} ${pathname}`) {
      case 'GET /':
        return new Response(buildStatusPage(watch.list()), { headers })
      case 'GET /launch':
        return new Response(buildLaunchPage(page), { headers })
      case 'GET /callback':
        return new Response(buildCallbackPage(page, await kit.loadSdkManifest()), { headers })
      case 'POST /token':
        return kit.relay(request)
      case 'POST /presence':
        return meet(request)
      default:
        return Response.json({ error: 'not_found' }, { status: 404 })
    }
  }

  /** The page presents its ID token; only what its signature proves is written down. */
  const meet = async (request: Request): Promise<Response> => {
    const body = (await request.json().catch(() => ({}))) as { id_token?: unknown }
    const identity = await kit.verifyIdToken(String(body?.id_token ?? ''))
    watch.add(identity)
    const { name, userId, account, ehrType } = identity
    log(`watching for ${name ?? userId} of ${account.name} (${ehrType})`)
    return Response.json({ watching: true })
  }

  return (request) =>
    handle(request).catch((error: unknown) => {
      // 401 when the token is at fault, 503 when the service is: nobody must hunt for bad credentials.
      if (error instanceof IdTokenError || error instanceof ServiceError) {
        const { code, message, fix, status } = error
        log(`failed: ${code}`)
        return Response.json({ error: code, cause: message, fix }, { status })
      }
      log(`failed: ${error instanceof Error ? error.message : 'unknown error'}`)
      return Response.json({ error: 'internal_server_error' }, { status: 500 })
    })
}
