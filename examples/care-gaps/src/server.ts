// Puts the app on a port, with Fastify: the only file that uses the framework. No body parser: the
// app reads bodies itself. Routes of your own go beside the app's.
import type { Server } from 'node:http'
import { toFastify } from '@chartside/app-kit/fastify'
import fastify from 'fastify'
import type { Handler } from './app.ts'

interface ListenAddress {
  readonly port: number
  readonly host: string
}

/** Port 0: any free port. */
export async function startServer(handle: Handler, address: ListenAddress): Promise<Server> {
  const app = fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.all('/*', toFastify(handle))
  await app.listen(address)
  return app.server
}
