// Puts the worker on a port of this machine: node:http outside, Request and Response inside, the
// kit's adapter between them. Knows no route.
import { createServer, type Server } from 'node:http'
import { toExpress } from '@chartside/app-kit/express'
import { type AppSettings, createApp } from './app.ts'

export async function startServer(port: number, settings: AppSettings): Promise<Server> {
  const handle = toExpress(createApp(settings))
  const server = createServer((request, response) => {
    // The app answers its own errors; what is left is a connection that broke.
    void handle(request, response, () => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return server
}
