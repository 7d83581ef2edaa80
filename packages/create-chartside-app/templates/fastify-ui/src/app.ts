// The app's server, on Fastify. `chartside` answers the pages, the launch and the session; the routes below
// it are yours. The user of a route is that of the verified launch: take no user and no practice from a page.
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

/** The facts of the user that the page shows. */
export interface Me {
  readonly name: string
  readonly practice: string
  readonly ehrType: string
}

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
      ...{ name: manifest.name, slug: '{{slug}}', settings, assets, log },
      launch: routeExchange,
      ...openFileStores(settings.sessionsFile),
    }),
  )
  explainErrors(app)

  app.get('/api/me', { preHandler: requireIdentity }, async ({ identity }): Promise<Me> => {
    const { name, userId, account, ehrType } = identity
    return { name: name ?? userId, practice: account.name, ehrType }
  })

  const { port, host } = settings
  await app.listen({ port, host })
  return app.server
}
