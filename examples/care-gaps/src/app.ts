// The app's HTTP surface on Fastify: the page and its files, the registered token endpoint, and an
// API that stands on the app's own session. Owns routing and headers; exchange, verification and
// sessions are the kit's. Spec §4.3, §5.2 (option 2), §5.4, §5.5, §5.6.
import { toFastify } from '@chartside/app-kit/fastify'
import {
  buildContentSecurityPolicy,
  buildSecurityHeaders,
  createAppKit,
  createSessions,
  IdTokenError,
  type LaunchIdentity,
} from '@chartside/app-kit/server'
import fastify, { type FastifyInstance } from 'fastify'
import { loadAssets } from './assets.ts'
import { GapBoard } from './gaps.ts'
import { page, startPage } from './pages.ts'

export interface AppSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly baseUrl: string
  readonly tokenUrl: string
  /** The origin under which the browser sees this app. */
  readonly publicUrl: string
  /** Origins that may frame this app (spec §5.5). */
  readonly frameAncestors: readonly string[]
  /** Told one readable line; never holds a code, a token or a secret. */
  readonly log: (line: string) => void
}

export function createApp(settings: AppSettings): FastifyInstance {
  const { baseUrl, publicUrl, frameAncestors, log } = settings
  const kit = createAppKit({ ...settings, allowedOrigins: [publicUrl] })
  const sessions = createSessions({ cookieName: 'care-gaps', allowedOrigins: [publicUrl] })
  const board = new GapBoard()
  const headers = buildSecurityHeaders(
    buildContentSecurityPolicy({ sdkUrl: baseUrl, extensionOrigins: frameAncestors }),
  )

  /** The ID token is good for one session; afterwards only that counts (spec §5.4). */
  const startSession = async (request: Request): Promise<Response> => {
    const { id_token: idToken } = (await request.json()) as { id_token?: unknown }
    const identity = await kit.verifyIdToken(String(idToken ?? ''))
    log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
    const session = await sessions.start(identity)
    return session.respond()
  }

  /** A handler that is told who asks; the practice is never what the page says. */
  const withIdentity =
    (handle: (identity: LaunchIdentity, request: Request) => object | Promise<object>) =>
    async (request: Request): Promise<Response> => {
      const identity = await sessions.authenticate(request)
      if (!identity) return Response.json({ error: 'session_ended' }, { status: 401 })
      return Response.json(await handle(identity, request))
    }

  const showBoard = withIdentity(({ name, userId, account }) => ({
    name: name ?? userId,
    practice: account.name,
    gaps: board.list(account.id),
  }))

  const changeGap = withIdentity(async ({ account }, request) => {
    const { id, closed } = (await request.json()) as { id?: unknown; closed?: unknown }
    return { gaps: board.change(account.id, String(id), closed === true) }
  })

  const app = fastify({ bodyLimit: 16_384, forceCloseConnections: true })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
  const html = 'text/html; charset=utf-8'
  app.get('/', (_request, reply) => reply.type(html).send(startPage()))
  for (const path of ['/launch', '/callback']) {
    app.get(path, (_request, reply) => reply.type(html).send(page(settings)))
  }
  for (const [path, type] of [
    ['/care-gaps.js', 'text/javascript'],
    ['/care-gaps.css', 'text/css'],
  ] as const) {
    app.get(path, async (_request, reply) => reply.type(type).send((await loadAssets()).get(path)))
  }
  app.post('/token', toFastify(kit.relay))
  app.post('/api/session', toFastify(startSession))
  app.post('/api/session/renew', toFastify(sessions.renew))
  app.delete('/api/session', toFastify(sessions.end))
  app.get('/api/gaps', toFastify(showBoard))
  app.put('/api/gaps', toFastify(changeGap))

  app.setErrorHandler((error: unknown, _request, reply) => {
    const { code, message, fix, status } = describe(error)
    log(`failed: ${code}`)
    return reply.code(status).send({ error: code, cause: message, fix })
  })
  return app
}

function describe(error: unknown) {
  if (error instanceof IdTokenError) return error
  const { statusCode, message } = error as { statusCode?: number; message?: string }
  if (statusCode !== undefined && statusCode < 500) {
    const fix = 'Send a small JSON object.'
    return { status: statusCode, code: 'invalid_request', message: message ?? '', fix }
  }
  return {
    status: 500,
    code: 'internal_server_error',
    message: 'Care Gaps met a mistake of its own.',
    fix: 'Look at the terminal in which it runs.',
  }
}
