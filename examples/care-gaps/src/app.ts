// Care Gaps on Fastify. Option 2: the registered token endpoint exchanges the code for the SDK; the page
// then presents the ID token. The practice of its API is the account of the verified launch, never a value
// that the page sends. Spec §2.5, §4.3, §5.2, §5.6.
import type { Server } from 'node:http'
import { chartside, explainErrors, requireIdentity } from '@chartside/app-kit/fastify'
import { createAssets } from '@chartside/app-kit/node'
import {
  type AppSettings,
  type LaunchIdentity,
  type Log,
  routeTokenEndpoint,
} from '@chartside/app-kit/server'
import fastify from 'fastify'
import manifest from '../chartside.app.json' with { type: 'json' }
import { GapList } from './gaps.ts'

const assets = createAssets(import.meta.url)

declare module 'fastify' {
  interface FastifyRequest {
    identity: LaunchIdentity
  }
}

/** Starts the app. Port 0 stands for any free port. */
export async function startApp(settings: AppSettings, log: Log): Promise<Server> {
  const app = fastify()
  const launch = routeTokenEndpoint
  await app.register(
    chartside({ name: manifest.name, slug: 'care-gaps', settings, launch, assets, log }),
  )
  explainErrors(app)
  const gaps = new GapList()

  app.get('/api/gaps', { preHandler: requireIdentity }, async ({ identity }) => {
    const { name, userId, account } = identity
    return { user: { name: name ?? userId, practice: account.name }, gaps: gaps.list(account.id) }
  })

  app.put<{ Params: { id: string }; Body: { closed?: boolean } }>(
    '/api/gaps/:id',
    { preHandler: requireIdentity },
    async ({ identity, params, body }) => ({
      gaps: gaps.update(identity.account.id, params.id, body.closed === true),
    }),
  )

  const { port, host } = settings
  await app.listen({ port, host })
  return app.server
}
