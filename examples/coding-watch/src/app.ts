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
import { loadAssets } from './assets.ts'
import { callbackPage, launchPage, statusPage } from './pages.ts'
import { WatchLog } from './watch-log.ts'

export interface AppSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly baseUrl: string
  readonly tokenUrl: string
  /** The origin under which the browser sees this app. */
  readonly publicUrl: string
  /** Origins that may frame this app. */
  readonly frameAncestors: readonly string[]
  /** Told one readable line; never holds a code, a token or a secret. */
  readonly log: (line: string) => void
}

export function createApp(settings: AppSettings): (request: Request) => Promise<Response> {
  const { publicUrl, baseUrl, frameAncestors, log } = settings
  const kit = createAppKit({ ...settings, allowedOrigins: [publicUrl] })
  const watch = new WatchLog()
  const headers = {
    ...buildSecurityHeaders(
      buildContentSecurityPolicy({ sdkUrl: baseUrl, extensionOrigins: frameAncestors }),
    ),
    'content-type': 'text/html; charset=utf-8',
  }

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const isFile = /\.(js|css)$/.test(pathname)
    const asset = isFile && (await loadAssets()).get(pathname)
    if (asset) return new Response(asset.body, { headers: { 'content-type': asset.type } })
    switch (`${request.method} ${pathname}`) {
      case 'GET /':
        return new Response(statusPage(watch.list()), { headers })
      case 'GET /launch':
        return new Response(launchPage(settings), { headers })
      case 'GET /callback':
        return new Response(callbackPage(settings, await kit.loadSdkManifest()), { headers })
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
