// The panel document for browser tests: the built page under the policy of the extension, a background
// that the test plays, a fake service, and app pages with the real SDK. Distinct *.localhost origins;
// asserts nothing.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildSDK, HOST_ORIGINS_TOKEN } from '../../packages/sdk/build.ts'
import { readBuilt } from './handshake-bundles.ts'
import { FakeService } from './handshake-service.ts'
import { APP_STYLE, buildAppScript, buildNotePage } from './panel-app-pages.ts'

export interface PanelFixture {
  readonly origins: { readonly panel: string; readonly app: string; readonly service: string }
  service: FakeService
  /** An app's page is served once its gate has resolved. */
  readonly gates: Map<string, Promise<void>>
  /** Apps that the service does not launch any more. */
  readonly switchedOff: Set<string>
  reset(): void
  close(): Promise<void>
}

/** What an app of the fixture does, by its id. */
export const APPS = [
  { id: 'app_notes', name: 'Visit Notes' },
  { id: 'app_gaps', name: 'Care Gaps' },
  { id: 'app_desk', name: 'Referral Desk' },
  { id: 'app_growth', name: 'Growth Chart' },
] as const

const at = (path: string) =>
  fileURLToPath(new URL(`../../packages/extension/src/panel/${path}`, import.meta.url))

/** The moment at which every page of these tests stands: 6:21:24 PM in New York. */
export const NOW = Date.UTC(2026, 10, 21, 23, 21, 24)

class PanelService extends FakeService {
  override createLaunch(appId: string) {
    const opened = super.createLaunch(appId)
    const name = APPS.find(({ id }) => id === appId)?.name ?? appId
    return { ...opened, app: { ...opened.app, name } }
  }

  /** By the clock of the page, which stands still. */
  override introspect(token: string) {
    const exp = Math.floor(NOW / 1000) + this.tokenLifetimeSeconds
    return { ...super.introspect(token), exp }
  }
}

export async function startPanelFixture(): Promise<PanelFixture> {
  await buildSDK()
  const sdk = await readBuilt('sdk.js')
  const page = await readFile(at('panel.html'), 'utf8')
  const { outputFiles } = await build({
    entryPoints: [at('panel.ts'), at('panel.css')],
    outdir: '/',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'chrome126',
    jsx: 'automatic',
    logLevel: 'warning',
  })
  const assets = new Map(outputFiles.map(({ path, text }) => [path, text]))

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origins = {
    panel: `http://panel.test.localhost:${port}`,
    app: `http://app.test.localhost:${port}`,
    service: `http://service.localhost:${port}`,
  }
  const createService = () =>
    new PanelService(
      Object.fromEntries(APPS.map(({ id }) => [id, `${origins.app}/launch?app=${id}`])),
      `${origins.app}/token`,
    )
  const fixture: PanelFixture = {
    origins,
    service: createService(),
    gates: new Map(),
    switchedOff: new Set(),
    reset() {
      fixture.service = createService()
      fixture.gates.clear()
      fixture.switchedOff.clear()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${origins.service}`,
    `frame-src ${origins.app}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const name = url.hostname.split('.')[0]
    if (name === 'service') return serveService(request, response, url)
    if (name === 'app') return serveApp(response, url)
    const asset = assets.get(url.pathname)
    const type = url.pathname.endsWith('.css') ? 'text/css' : 'text/javascript'
    if (asset !== undefined) return reply(response, type, asset)
    reply(response, 'text/html', page, { 'content-security-policy': policy })
  }

  async function serveApp(response: ServerResponse, url: URL): Promise<void> {
    if (url.pathname === '/sdk.js') {
      const hosts = JSON.stringify([origins.panel])
      return reply(response, 'text/javascript', sdk.replace(HOST_ORIGINS_TOKEN, hosts))
    }
    if (url.pathname === '/app.css') return reply(response, 'text/css', APP_STYLE)
    if (url.pathname === '/app.js') return reply(response, 'text/javascript', buildAppScript())
    const appId = url.searchParams.get('app') ?? ''
    await fixture.gates.get(appId)
    reply(response, 'text/html', buildNotePage(appId))
  }

  async function serveService(request: IncomingMessage, response: ServerResponse, url: URL) {
    const [, , room, id, verb] = url.pathname.split('/')
    const { service } = fixture
    if (request.method === 'OPTIONS') {
      response.writeHead(204, CORS).end()
    } else if (url.pathname === '/app-auth/introspect') {
      const token = new URLSearchParams(await read(request)).get('token') ?? ''
      reply(response, 'application/json', JSON.stringify(service.introspect(token)), CORS)
    } else if (room === 'sessions' && verb === 'events') {
      service.follow(response)
    } else if (room === 'sessions' && verb === 'launches') {
      const { appId } = JSON.parse(await read(request))
      if (fixture.switchedOff.has(appId)) return replyRefusal(response)
      const launch = service.createLaunch(appId)
      reply(response, 'application/json', JSON.stringify(launch), CORS)
    } else if (room === 'launches' && verb === 'steps' && id) {
      service.steps.push({ launch: id, ...JSON.parse(await read(request)) })
      response.writeHead(204, CORS).end()
    } else {
      response.writeHead(404, CORS).end()
    }
  }

  return fixture
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-methods': 'GET, POST, DELETE',
}

function reply(response: ServerResponse, type: string, body: string, headers = {}): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)
}

function replyRefusal(response: ServerResponse): void {
  const problem = { code: 'app_not_available', detail: 'The app is disabled.', traceId: 'a81c03f7' }
  response
    .writeHead(409, { 'content-type': 'application/problem+json', ...CORS })
    .end(JSON.stringify(problem))
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
