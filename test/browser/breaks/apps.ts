// Serves the apps of all breaks on one port, a host name each: pages, exchange, token endpoint and
// session by the app kit, with the mistakes of each break. Keeps what it saw of each launch.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { toExpress } from '@chartside/app-kit/express'
import {
  createAppKit,
  createSessions,
  explainError,
  readJson,
  type Tokens,
} from '@chartside/app-kit/server'
import { build } from 'esbuild'
import { HOST_ORIGINS_TOKEN } from '../../../packages/sdk/build.ts'
import { bundleSDK } from '../handshake-bundles.ts'
import type { AppSetup, Bench, BrokenApp } from './break.ts'

type Handler = (request: Request) => Promise<Response>

export interface RunningApps {
  readonly port: number
  /** Serves an app from now on. */
  serve(app: BrokenApp, setup: AppSetup, bench: Bench): void
  stop(): void
}

export async function startApps(): Promise<RunningApps> {
  const script = await bundlePage()
  const otherSdk = await bundleSDK([9])
  const handlers = new Map<string, Handler>()
  const handle: Handler = async (request) => {
    const [slug = ''] = new URL(request.url).hostname.split('.')
    const handler = handlers.get(slug)
    return handler ? handler(request) : new Response('no such app', { status: 404 })
  }
  const respond = toExpress(handle)
  const server: Server = createServer((request, response) => {
    // A break may cut the connection in place of an answer.
    void respond(request, response, () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    serve: (app, setup, bench) =>
      handlers.set(app.slug, createApp(app, setup, bench, { script, otherSdk })),
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('app-page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome120',
  })
  return outputFiles[0]?.text ?? ''
}

interface Scripts {
  readonly script: string
  /** Speaks another version of the handshake. */
  readonly otherSdk: string
}

function createApp(app: BrokenApp, setup: AppSetup, bench: Bench, scripts: Scripts): Handler {
  const { clientId, clientSecret, service, origin } = app
  const kit = createAppKit({
    ...{ baseUrl: service, clientId, clientSecret, allowedOrigins: [origin] },
    ...setup.kit?.(app, bench),
  })
  const sessions = createSessions({ cookieName: app.slug, allowedOrigins: [origin] })
  const exchange = setup.exchange ?? ((_kit, code) => kit.exchange(code))
  const routes: Readonly<Record<string, Handler>> = {
    'GET /app.js': async () => reply(scripts.script, 'text/javascript'),
    'GET /other-sdk.js': async () => {
      const hosts = JSON.stringify([bench.host])
      return reply(scripts.otherSdk.replaceAll(HOST_ORIGINS_TOKEN, hosts), 'text/javascript')
    },
    'GET /launch': async ({ url }) => {
      app.launchIds.push(new URL(url).searchParams.get('launch_id') ?? '')
      return reply(buildPage(app, setup), 'text/html', setup.headers)
    },
    'GET /app-auth/authorize': async ({ url }) => {
      const { searchParams } = new URL(url)
      await setup.authorize?.(searchParams, app, bench)
      return Response.redirect(`${service}/app-auth/authorize?${searchParams}`)
    },
    'GET /callback': async ({ url }) => {
      const { searchParams } = new URL(url)
      if (!setup.callback) return reply(buildPage(app, setup), 'text/html', setup.headers)
      setup.callback(searchParams)
      return Response.redirect(`${origin}/changed?${searchParams}`)
    },
    'GET /changed': async () => reply(buildPage(app, setup), 'text/html', setup.headers),
    'POST /api/exchange': async (request) => {
      const { code } = (await readJson(request)) as { code: string }
      const done = await exchange(kit, code, app, bench)
      return done instanceof Response ? done : keep(app, done)
    },
    'POST /token': kit.handleTokenRequest,
    'POST /api/session': async (request) => {
      const { id_token } = (await readJson(request)) as { id_token: unknown }
      const session = await sessions.start(await kit.verifyIdToken(id_token), request)
      const answer = session.respond()
      answer.headers.append('set-cookie', 'lax=1; SameSite=Lax')
      return answer
    },
    'POST /api/cookie': async ({ headers }) =>
      headers.get('cookie')?.includes('lax=1')
        ? Response.json({})
        : Response.json(COOKIE_MISSING, { status: 401 }),
  }
  return async (request) => {
    const { pathname } = new URL(request.url)
    try {
      const instead = await setup.answer?.(new URL(request.url), app, request)
      const route = routes[`${request.method} ${pathname}`]
      return instead ?? (await route?.(request)) ?? reply('', 'text/html', {}, 404)
    } catch (error) {
      if (error instanceof Cut) throw error
      const { status, problem } = explainError(error)
      return Response.json(problem, { status })
    }
  }
}

/** In place of an answer: the process of the app ends. */
export class Cut extends Error {}

const COOKIE_MISSING = {
  error: 'cookie_missing',
  cause:
    'The cookie of the session did not arrive: it is SameSite=Lax, and the panel is another site.',
  fix: 'Set it with SameSite=None; Secure; Partitioned, or send the bearer of the session.',
}

function keep(app: BrokenApp, tokens: Tokens): Response {
  app.tokens.push(tokens)
  return Response.json({ access_token: tokens.accessToken, id_token: tokens.idToken })
}

function buildPage(
  app: BrokenApp,
  { mode = 'standard', authorize, registration, hasOtherSdk }: AppSetup,
) {
  const { name, clientId, service, origin } = app
  const { exchange: option = 'app' } = (registration?.(origin) ?? {}) as { exchange?: string }
  const settings = {
    ...{ name, mode, option, clientId, service, foreignToken: app.foreignToken },
    baseUrl: authorize ? origin : service,
    redirectUri: `${origin}/callback`,
  }
  const data = JSON.stringify(settings).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html><title>${name}</title><body data-settings="${data}"><main></main>${hasOtherSdk ? '<script src="/other-sdk.js"></script>' : ''}<script src="/app.js"></script>`
}

const reply = (
  text: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): Response =>
  new Response(text, { status, headers: { 'content-type': `${type}; charset=utf-8`, ...headers } })
