// The app's server, on Fastify. `chartside` answers the launch and the session; the routes below it are
// yours. The user of a route is that of the verified launch: take no user and no practice from a page.
import type { Server } from 'node:http'
import { chartside, explainErrors, requireIdentity } from '@chartside/app-kit/fastify'
import { createAssets } from '@chartside/app-kit/node'
import {
  type AppSettings,
  type LaunchIdentity,
  type Log,
  routeExchange,
} from '@chartside/app-kit/server'
import { openFileStores } from '@chartside/app-kit/sqlite'
import fastify from 'fastify'
import manifest from '../chartside.app.json' with { type: 'json' }
import { addPresence, buildStatusPage, type Presence } from './status-page.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The user, whom `requireIdentity` sets. */
    identity: LaunchIdentity
  }
}

const assets = createAssets(import.meta.url)

/** Starts the app. Port 0 stands for any free port. */
export async function startApp(settings: AppSettings, log: Log): Promise<Server> {
  const app = fastify()
  await app.register(
    chartside({
      ...{ name: manifest.name, slug: '{{slug}}', settings, assets, log, hasStartPage: false },
      launch: routeExchange,
      ...openFileStores(settings.sessionsFile),
    }),
  )
  explainErrors(app)
  let presences: readonly Presence[] = []

  app.get('/', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(buildStatusPage(presences)),
  )

  app.post('/api/presence', { preHandler: requireIdentity }, async ({ identity }) => {
    presences = addPresence(presences, identity)
    return { recorded: true }
  })

  const { port, host } = settings
  await app.listen({ port, host })
  return app.server
}
