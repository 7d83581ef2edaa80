// Puts the app on a port, with Fastify: the only file that uses the framework. Routes of your own go
// beside the app's.
import type { Server } from 'node:http'
import { mountFastify } from '@chartside/app-kit/fastify'
import type { ListenAddress } from '@chartside/app-kit/node'
import type { Handler } from '@chartside/app-kit/server'
import fastify from 'fastify'

/** Port 0: any free port. */
export async function startServer(handle: Handler, { port, host }: ListenAddress): Promise<Server> {
  const app = fastify()
  mountFastify(app, handle)
  await app.listen({ port, host })
  return app.server
}
