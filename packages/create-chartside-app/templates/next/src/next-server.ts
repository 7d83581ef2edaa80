// Serves the app with Next.js on a port: builds it when it has changed, then answers every request
// with what was built. Contains nothing of the app itself.
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { buildWhenChanged } from './next-build.ts'

const directory = fileURLToPath(new URL('..', import.meta.url))

interface ListenAddress {
  readonly port: number
  readonly host: string
}

/** Port 0: any free port. */
export async function startNext({ port, host }: ListenAddress): Promise<Server> {
  // React and Next.js read it as they load. Their development mode would need a weaker policy.
  Object.assign(process.env, { NODE_ENV: 'production' })
  await buildWhenChanged(directory)
  const { default: next } = await import('next')
  const app = next({ dev: false, dir: directory, hostname: host, port })
  await app.prepare()
  const handle = app.getRequestHandler()
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}
