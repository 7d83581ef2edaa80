// Puts a handler on a port, with plain node:http: for the tests, which need no build of Next.js, and
// for the identity provider of option 3. next-server.ts serves the app itself.
import { createServer, type Server } from 'node:http'
import { toExpress } from '@chartside/app-kit/express'
import type { Handler } from './app.ts'

interface ListenAddress {
  readonly port: number
  readonly host: string
}

/** Port 0: any free port. */
export function startServer(handle: Handler, { port, host }: ListenAddress): Promise<Server> {
  const listener = toExpress(handle)
  const server = createServer((request, response) => {
    // The app answers its own errors; this is a connection that broke.
    void listener(request, response, () => response.destroy())
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}
