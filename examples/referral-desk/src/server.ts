// Puts the app on a port, with Hono: the only file that uses the framework. Routes of your own go
// before the app's.
import { createServer, type Server } from 'node:http'
import { type ListenAddress, listen } from '@chartside/app-kit/node'
import type { Handler } from '@chartside/app-kit/server'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'

/** Port 0: any free port. */
export function startServer(handle: Handler, address: ListenAddress): Promise<Server> {
  const app = new Hono()
  app.all('*', ({ req }) => handle(req.raw))
  return listen(createServer(getRequestListener(app.fetch)), address)
}
