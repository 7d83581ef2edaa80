// Puts the Express app on a port. Contains nothing of the app itself; app.ts has its addresses.
// start.ts calls it once.
import type { Server } from 'node:http'
import type { Express } from 'express'

interface ListenAddress {
  readonly port: number
  readonly host: string
}

/** Port 0: any free port. */
export function startServer(app: Express, { port, host }: ListenAddress): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = app.listen(port, host, (error) => (error ? reject(error) : resolve(server)))
  })
}
