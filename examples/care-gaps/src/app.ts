// The app's HTTP surface on Fastify: the page and its files, the registered token endpoint, and an
// API that stands on the app's own session. Owns routing and headers; exchange, verification and
// sessions are the kit's. Spec §4.3, §5.2 (option 2), §5.4, §5.5, §5.6.
import { toFastify } from '@chartside/app-kit/fastify'
import {
  buildContentSecurityPolicy,
  buildSecurityHeaders,
  createAppKit,
  createSessions,
  type LaunchIdentity,
  readJson,
} from '@chartside/app-kit/server'
import { createAssets } from '@chartside/example-app-shell/assets'
import { requireText } from '@chartside/example-app-shell/fields'
import { explain } from '@chartside/example-app-shell/problem'
import type { AppSettings } from '@chartside/example-app-shell/process'
import fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { GapBoard } from './gaps.ts'
import { buildPage, START_PAGE, TITLE } from './pages.ts'

const assets = createAssets({
  '/care-gaps.js': new URL('./browser/care-gaps.ts', import.meta.url),
  '/care-gaps.css': new URL('../public/care-gaps.css', import.meta.url),
})

export function createApp(settings: AppSettings): FastifyInstance {
  const { clientId, baseUrl, publicUrl, frameAncestors, log } = settings
  const kit = createAppKit({ ...settings, allowedOrigins: [publicUrl] })
  const sessions = createSessions({ cookieName: 'care-gaps', allowedOrigins: [publicUrl] })
  const board = new GapBoard()
  const headers = buildSecurityHeaders(
    buildContentSecurityPolicy({ sdkUrl: baseUrl, hostOrigins: frameAncestors }),
  )

  /** The ID token is good for one session; afterwards only that counts (spec §5.4). */
  const startSession = async (request: Request): Promise<Response> => {
    const idToken = requireText(await readJson(request), 'id_token')
    const identity = await kit.verifyIdToken(idToken)
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
    const body = await readJson(request)
    return { gaps: board.change(account.id, requireText(body, 'id'), body?.closed === true) }
  })

  const app = fastify({ bodyLimit: 16_384, forceCloseConnections: true })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
  const html = 'text/html; charset=utf-8'
  const page = buildPage({ clientId, baseUrl, redirectUri: `${publicUrl}/callback` })
  app.get('/', (_request, reply) => reply.type(html).send(START_PAGE))
  for (const path of ['/launch', '/callback']) {
    app.get(path, (_request, reply) => reply.type(html).send(page))
  }
  for (const path of assets.paths) {
    app.get(path, async (_request, reply) => {
      const { type, body } = await assets.load(path)
      return reply.type(type).send(body)
    })
  }
  app.post('/token', toFastify(kit.handleTokenRequest))
  app.post('/api/session', toFastify(startSession))
  app.post('/api/session/renew', toFastify(sessions.renew))
  app.delete('/api/session', toFastify(sessions.end))
  app.get('/api/gaps', toFastify(showBoard))
  app.put('/api/gaps', toFastify(changeGap))

  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const { status, problem } = explain(error, TITLE)
    log(`failed: ${problem.error}`)
    return reply.code(status).send(problem)
  })
  return app
}
