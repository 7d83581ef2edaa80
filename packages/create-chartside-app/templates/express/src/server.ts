// Puts the app on a port, with Express: the only file that uses the framework. No body parser: the
// app reads bodies itself. Routes of your own go before the app's.
import { createServer, type Server } from 'node:http'
import { toExpress } from '@chartside/app-kit/express'
import { type ListenAddress, listen } from '@chartside/app-kit/node'
import type { Handler } from '@chartside/app-kit/server'
import express from 'express'

/** Port 0: any free port. */
export function startServer(handle: Handler, address: ListenAddress): Promise<Server> {
  const app = express()
  app.disable('x-powered-by')
  app.use(toExpress(handle))
  return listen(createServer(app), address)
}
