// The servers of the browser tests of the handshake: one process behind several *.localhost names,
// which are distinct origins (host page, app, SDK, service, foreign page). The app pages use the
// built SDK under the CSP of the specification; the host page uses the bundled host package. Spec
// §5.5.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buildSDK, HOST_ORIGINS_TOKEN } from '../../packages/sdk/build.ts'
import {
  buildAppPage,
  buildAppPolicy,
  buildAppScripts,
  type SDKSource,
} from './handshake-app-pages.ts'
import { bundleHost, readBuilt } from './handshake-bundles.ts'
import { FakeService } from './handshake-service.ts'

export interface HandshakeFixture {
  readonly origins: { readonly [Name in keyof typeof HOSTNAMES]: string }
  service: FakeService
  /** An app's page is served once this has resolved. */
  pageGate: Promise<void>
  /** How the app's pages load the SDK. */
  sdkSource: SDKSource
  /** The scripts of both ends. The SDK's still has the placeholder for the host origins. */
  scripts: { host: string; sdk: string }
  /** Gives the pages a new service; every test starts with one. */
  reset(): void
  close(): Promise<void>
}

/**
 * Distinct origins. Host and app are one site, so that the app has storage even in a browser that
 * denies it to third parties; the service and the foreign page are other sites and other processes.
 */
const HOSTNAMES = {
  host: 'host.handshake.localhost',
  app: 'app.handshake.localhost',
  sdk: 'sdk.handshake.localhost',
  service: 'service.localhost',
  foreign: 'foreign.localhost',
} as const

export async function startFixture(): Promise<HandshakeFixture> {
  await buildSDK()
  const scripts = { host: await bundleHost(), sdk: await readBuilt('sdk.js') }
  const module = await readBuilt('sdk.mjs')
  const loader = await readBuilt('loader.js')

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const origins = mapValues(HOSTNAMES, (hostname) => `http://${hostname}:${address.port}`)
  const withHosts = (text: string) =>
    text.replace(HOST_ORIGINS_TOKEN, JSON.stringify([origins.host]))
  const appScripts = buildAppScripts(origins.sdk, loader)

  const createService = () =>
    new FakeService(
      {
        exchange: `${origins.app}/launch?mode=exchange`,
        'token-endpoint': `${origins.app}/launch?mode=token-endpoint`,
        cleaned: `${origins.app}/launch?mode=cleaned`,
        manual: `${origins.app}/manual`,
        'without-sdk': `${origins.app}/without-sdk`,
      },
      `${origins.app}/token`,
    )

  const fixture: HandshakeFixture = {
    origins,
    service: createService(),
    pageGate: Promise.resolve(),
    sdkSource: 'tag',
    scripts,
    reset: () => {
      fixture.pageGate = Promise.resolve()
      fixture.sdkSource = 'tag'
      fixture.scripts = scripts
      fixture.service = createService()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const name = url.hostname.split('.')[0]
    if (name === 'service') return serveService(fixture.service, request, response, url)
    if (name === 'app') return serveApp(request, response, url)
    if (name === 'sdk') return serveSDK(response, url.pathname)
    if (url.pathname === '/host.js') return reply(response, 'text/javascript', fixture.scripts.host)
    const script = name === 'host' ? '<script src="/host.js"></script>' : ''
    reply(response, 'text/html', `<!doctype html>${script}<div id="mount"></div>`)
  }

  async function serveSDK(response: ServerResponse, path: string) {
    const served: { readonly [path: string]: () => string | Promise<string> } = {
      '/sdk.js': () => withHosts(fixture.scripts.sdk),
      '/sdk/v1/sdk.js': () => withHosts(fixture.scripts.sdk),
      // As the service has it; the other ones change in a test.
      '/kept/sdk.js': () => withHosts(fixture.scripts.sdk),
      '/slow/sdk.js': () => fixture.pageGate.then(() => withHosts(fixture.scripts.sdk)),
      '/sdk.mjs': () => withHosts(module),
      '/other.js': () => 'globalThis.other = true',
      '/never.js': () => new Promise(() => {}),
    }
    const text = await served[path]?.()
    const cors = {
      'access-control-allow-origin': '*',
      ...(path.startsWith('/kept/') ? { 'cache-control': 'public, max-age=300' } : {}),
    }
    if (text === undefined) response.writeHead(404, cors).end()
    else reply(response, 'text/javascript', text, cors)
  }

  async function serveApp(request: IncomingMessage, response: ServerResponse, url: URL) {
    const { pathname, searchParams } = url
    if (pathname === '/launch') {
      const launch = searchParams.get('launch_id') ?? ''
      const authorize = new URL('/app-auth/authorize', origins.service)
      const redirectUri = `${origins.app}/callback/${searchParams.get('mode')}`
      authorize.search = `${new URLSearchParams({ launch, state: `${launch}:csrf`, redirect_uri: redirectUri })}`
      response.writeHead(302, { location: authorize.href }).end()
    } else if (pathname === '/token' || pathname === '/exchange') {
      const answer = fixture.service.exchange(JSON.parse(await read(request)).code)
      replyJson(response, answer ?? { error: 'invalid_grant' }, answer ? 200 : 400)
    } else if (pathname.endsWith('.js')) {
      reply(response, 'text/javascript', appScripts[pathname] ?? '')
    } else {
      await fixture.pageGate
      reply(response, 'text/html', buildAppPage(url, fixture.sdkSource, origins.sdk), {
        'content-security-policy': buildAppPolicy(url, origins),
      })
    }
  }

  return fixture
}

async function serveService(
  service: FakeService,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  if (request.method === 'OPTIONS') {
    const headers = 'authorization, content-type'
    response
      .writeHead(204, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': headers,
        // As the service: one preflight for many requests.
        'access-control-max-age': '600',
      })
      .end()
    return
  }
  const [, , room, id, verb] = url.pathname.split('/')
  if (url.pathname === '/app-auth/authorize') {
    const target = new URL(url.searchParams.get('redirect_uri') ?? '')
    target.searchParams.set('code', service.authorize(url.searchParams.get('launch') ?? ''))
    target.searchParams.set('state', url.searchParams.get('state') ?? '')
    response.writeHead(302, { location: target.href }).end()
  } else if (url.pathname === '/app-auth/introspect') {
    replyJson(
      response,
      service.introspect(new URLSearchParams(await read(request)).get('token') ?? ''),
    )
  } else if (room === 'sessions' && verb === 'events') {
    service.follow(response)
  } else if (room === 'sessions' && verb === 'launches') {
    replyJson(response, service.createLaunch(JSON.parse(await read(request)).appId))
  } else if (room === 'launches' && verb === 'steps' && id) {
    service.steps.push({ launch: id, ...JSON.parse(await read(request)) })
    response.writeHead(204, { 'access-control-allow-origin': '*' }).end()
  } else {
    response.writeHead(404).end()
  }
}

function mapValues<K extends string>(
  of: Readonly<Record<K, string>>,
  change: (value: string) => string,
) {
  const entries = Object.entries<string>(of).map(([key, value]) => [key, change(value)])
  return Object.fromEntries(entries) as Record<K, string>
}

function reply(response: ServerResponse, type: string, body: string, headers = {}): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)
}

function replyJson(response: ServerResponse, body: object, status = 200): void {
  const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
  response.writeHead(status, headers).end(JSON.stringify(body))
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
