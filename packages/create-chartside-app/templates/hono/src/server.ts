// Puts the app on a port, with Hono: the only file that uses the framework. Routes of your own go
// before the app's.
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { Handler } from './app.ts'

interface ListenAddress {
  readonly port: number
  readonly host: string
}

/** Port 0: any free port. */
export function startServer(handle: Handler, { port, host }: ListenAddress): Promise<Server> {
  const app = new Hono()
  app.all('*', ({ req }) => handle(req.raw))
  const server = createServer(getRequestListener(app.fetch))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}
