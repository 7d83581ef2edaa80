// Puts the app on a port, with Express: the only file that uses the framework. No body parser: the
// app reads bodies itself. Routes of your own go before the app's.
import type { Server } from 'node:http'
import { toExpress } from '@chartside/app-kit/express'
import express from 'express'
import type { Handler } from './app.ts'

interface ListenAddress {
  readonly port: number
  readonly host: string
}

/** Port 0: any free port. */
export function startServer(handle: Handler, { port, host }: ListenAddress): Promise<Server> {
  const app = express()
  app.disable('x-powered-by')
  app.use(toExpress(handle))
  return new Promise((resolve, reject) => {
    const server = app.listen(port, host, (error) => (error ? reject(error) : resolve(server)))
  })
}
