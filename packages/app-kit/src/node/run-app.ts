// An app as a process: the environment and .env, servers on ports, one line when it is ready, a clean
// stop. Contains nothing of the app itself.
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { toExpress } from '../adapters/express.ts'
import type { Environment } from '../server/app-settings.ts'
import type { Handler, Log } from '../server/router.ts'

export interface ListenAddress {
  /** The port; 0 stands for any free port. */
  readonly port: number
  readonly host: string
}

export interface RunningApp {
  /** The address of the app in the browser. */
  readonly publicUrl: string
  readonly servers: readonly Server[]
}

/**
 * Starts an app as this process. `envFile` is read when it exists, and a variable that is set already
 * wins over it. `start` gets the environment and a log of lines, and resolves once every server
 * listens; then one line names the address. SIGINT, SIGTERM and the end of a parent process with an IPC
 * channel stop the servers.
 * @throws what `start` throws, such as the Error of `parseAppSettings` that names a setting
 * @example await runApp(new URL('../.env', import.meta.url), async (env, log) => ({ publicUrl, servers }))
 */
export async function runApp(
  envFile: URL,
  start: (env: Environment, log: Log) => Promise<RunningApp>,
): Promise<void> {
  if (existsSync(envFile)) process.loadEnvFile(envFile)
  const { publicUrl, servers } = await start(process.env, (line) => console.log(line))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopApp(servers))
  // A parent process with an IPC channel has ended.
  process.once('disconnect', () => process.exit(0))
  // Last: a process that waits for this line can then stop the app cleanly.
  console.log(`listening on ${publicUrl}`)
}

async function stopApp(servers: readonly Server[]): Promise<void> {
  const closed = servers.map((server) => {
    const closing = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    return closing
  })
  await Promise.all(closed)
  process.exit(0)
}

/**
 * Puts a server of `node:http` on a port. Resolves once it listens.
 * @throws Error of Node.js, such as EADDRINUSE
 * @example const server = await listen(createServer(app), { port: 3000, host: '127.0.0.1' })
 */
export const listen = (server: Server, { port, host }: ListenAddress): Promise<Server> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })

/**
 * Puts a handler on a port, on plain `node:http`: no framework. Resolves once it listens.
 * @throws Error of Node.js, such as EADDRINUSE
 * @example const server = await serveNode(createApp(settings, log), settings)
 */
export function serveNode(handle: Handler, address: ListenAddress): Promise<Server> {
  const listener = toExpress(handle)
  const server = createServer((request, response) => {
    // The app answers its own errors; this is a connection that broke.
    void listener(request, response, () => response.destroy())
  })
  return listen(server, address)
}
