// The app's HTTP surface: launch and callback pages, their files, and the small API behind them.
// Owns routing, headers and error replies; the rules live in exchange, id-token and app-session.
// Spec §5.1 (option 1), §5.5 (framing and script policy), §5.6 (the app owns its session).
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from './api.ts'
import { AppError } from './app-error.ts'
import { buildAssets } from './assets.ts'
import { createDiscovery, type Service } from './discovery.ts'
import { callbackPage, launchPage, startPage } from './pages.ts'
import type { Settings } from './settings.ts'

export interface VisitNotesOptions {
  readonly settings: Settings
  /** One readable line; never holds a code, a token or a secret. */
  readonly log?: (line: string) => void
}

export interface RunningApp {
  readonly url: string
  readonly port: number
  stop(): Promise<void>
}

export async function startVisitNotes(options: VisitNotesOptions): Promise<RunningApp> {
  const { settings, log = () => {} } = options
  const assets = await buildAssets()
  const discover = createDiscovery(settings.serviceUrl)
  const api = createApi({ settings, discover, log })

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://app.invalid').pathname
    const asset = request.method === 'GET' ? assets.get(path) : undefined
    if (asset) return send(response, 200, asset.type, asset.body)
    const page = request.method === 'GET' ? pages[path] : undefined
    if (page) return sendPage(response, page(await discover(), settings), await discover())
    if (path.startsWith('/api/')) return api(request, response, path)
    throw new AppError(404, {
      error: 'not_found',
      cause: `Visit Notes has nothing at ${request.method} ${path}.`,
      fix: 'Open the app from the panel beside the chart.',
    })
  }

  const sendPage = (response: ServerResponse, html: string, service: Service): void => {
    response.setHeader('content-security-policy', contentSecurityPolicy(settings, service))
    send(response, 200, 'text/html; charset=utf-8', html)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => sendError(response, error, log))
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

const pages: Readonly<Record<string, (service: Service, settings: Settings) => string>> = {
  '/': () => startPage(),
  '/launch': launchPage,
  '/callback': callbackPage,
}

/** Spec §5.5: the SDK host in script-src, the panel's origin in frame-ancestors, nothing to connect to. */
function contentSecurityPolicy(settings: Settings, service: Service): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${new URL(service.sdkUrl).origin}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${settings.frameAncestors.join(' ') || "'none'"}`,
  ].join('; ')
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}

function sendError(response: ServerResponse, error: unknown, log: (line: string) => void): void {
  const known =
    error instanceof AppError
      ? error
      : new AppError(500, {
          error: 'internal_server_error',
          cause: 'Visit Notes met a mistake of its own.',
          fix: 'Look at the terminal in which it runs.',
        })
  const trace = known.view.trace_id ? ` (trace ${known.view.trace_id})` : ''
  log(`failed: ${known.view.error}${trace}`)
  if (known !== error) log(error instanceof Error ? (error.stack ?? error.message) : String(error))
  send(response, known.status, 'application/json', JSON.stringify(known.view))
}
