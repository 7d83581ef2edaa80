// The worker's HTTP surface, written on web-standard Request and Response: launch and callback pages,
// the registered token endpoint, the backend that learns who is there, and a status page.
// Owns routing and headers; the exchange is in relay.ts. Spec §4.3, §5.2, §5.4, §5.5.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildAssets } from './assets.ts'
import { createIdentityCheck, type Presence } from './identity.ts'
import { answer, toRequest } from './node-http.ts'
import { callbackPage, launchPage, statusPage } from './pages.ts'
import { relayExchange } from './relay.ts'
import { loadService, type Service } from './service.ts'
import type { Settings } from './settings.ts'
import { WatchLog } from './watch-log.ts'

export interface CodingWatchOptions {
  readonly settings: Settings
  /** One readable line; never holds a code, a token or a secret. */
  readonly log?: (line: string) => void
}

export interface RunningApp {
  readonly url: string
  readonly port: number
  stop(): Promise<void>
}

export async function startCodingWatch(options: CodingWatchOptions): Promise<RunningApp> {
  const { settings, log = () => {} } = options
  const assets = await buildAssets()
  const watch = new WatchLog()
  const relay = { ...settings, fetch, log }
  let service: Service | undefined
  let check: ((idToken: string) => Promise<Presence>) | undefined

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const asset = assets.get(pathname)
    if (asset) return new Response(asset.body, { headers: { 'content-type': asset.type } })
    switch (`${request.method} ${pathname}`) {
      case 'GET /':
        return page(statusPage(watch.list()), settings)
      case 'GET /launch':
        service ??= await loadService(settings.serviceUrl)
        return page(launchPage(service, settings), settings, service)
      case 'GET /callback':
        service ??= await loadService(settings.serviceUrl)
        return page(callbackPage(service), settings, service)
      case 'POST /token':
        return relayExchange(request, relay)
      case 'POST /presence':
        return meet(request)
      default:
        return Response.json({ error: 'not_found' }, { status: 404 })
    }
  }

  /** The page presents its ID token; only what its signature proves is written down. */
  const meet = async (request: Request): Promise<Response> => {
    try {
      const body = (await request.json()) as { id_token?: unknown }
      service ??= await loadService(settings.serviceUrl)
      check ??= createIdentityCheck(service, settings.clientId)
      const presence = await check(String(body.id_token ?? ''))
      watch.add(presence)
      log(`watching for ${presence.provider} of ${presence.practice} (${presence.ehrType})`)
      return Response.json({ watching: true })
    } catch (error) {
      log(`refused a presence: ${error instanceof Error ? error.message : 'unknown error'}`)
      return Response.json({ error: 'id_token_rejected' }, { status: 401 })
    }
  }

  const server = createServer(async (incoming, outgoing) => {
    const response = await toRequest(incoming, settings.publicUrl)
      .then(handle)
      .catch((error: unknown) => {
        log(`failed: ${error instanceof Error ? error.message : 'unknown error'}`)
        return Response.json({ error: 'internal_server_error' }, { status: 500 })
      })
    await answer(outgoing, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, '127.0.0.1', resolve)
  })
  return {
    url: settings.publicUrl,
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function page(html: string, settings: Settings, service?: Service): Response {
  const sdkOrigin = service ? ` ${new URL(service.sdkUrl).origin}` : ''
  const policy = [
    "default-src 'none'",
    `script-src 'self'${sdkOrigin}`,
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${settings.frameAncestors.join(' ') || "'none'"}`,
  ].join('; ')
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    },
  })
}
