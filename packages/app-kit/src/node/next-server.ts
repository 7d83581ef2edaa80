// Serves an app with Next.js on a port: runs `next build` when a file of the app is newer than the last
// build, so that a start without a change takes a second, then answers with what was built. In development
// it builds nothing: Next.js brings a saved file into the open page. Writes .next.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ListenAddress, listen } from './run-app.ts'

/**
 * Builds the app in `directory` when it has changed, and puts it on a port, with NODE_ENV production. With
 * `CHARTSIDE_DEVELOPMENT=1`, which the sandbox sets, it is the development server of Next.js, whose pages
 * need the weaker policy that `buildPageHeaders` gives them then.
 * @throws Error when the build fails, with its output in the terminal; Error of Node.js for the port
 * @example const server = await serveNext(fileURLToPath(new URL('..', import.meta.url)), settings)
 */
export async function serveNext(directory: string, address: ListenAddress): Promise<Server> {
  const isDevelopment = process.env.CHARTSIDE_DEVELOPMENT === '1'
  // React and Next.js read them as they load.
  Object.assign(process.env, {
    NODE_ENV: isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  })
  if (!isDevelopment) await buildNext(directory)
  const { default: loaded } = await import(pathToFileURL(resolveFrom(directory, 'next')).href)
  const { port, host } = address
  const app = (loaded.default ?? loaded)({
    dev: isDevelopment,
    dir: directory,
    hostname: host,
    port,
  })
  await app.prepare()
  const handle = app.getRequestHandler()
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  if (isDevelopment) {
    server.on('upgrade', app.getUpgradeHandler())
    await compileRoutes(server, directory)
  }
  return listen(server, address)
}

/**
 * Next.js compiles a page and a route handler at its first request, for seconds. On another port: at its own
 * the app is ready. OPTIONS runs no handler of the app.
 */
async function compileRoutes(server: Server, directory: string): Promise<void> {
  await listen(server, { port: 0, host: '127.0.0.1' })
  const { port } = server.address() as AddressInfo
  const pages = ['/launch', '/callback'].map((path) => [path, 'GET'] as const)
  const routes = (await listRoutes(directory)).map((path) => [path, 'OPTIONS'] as const)
  await Promise.allSettled(
    [...pages, ...routes].map(([path, method]) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method }),
    ),
  )
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

/** An address of each `route.ts`, with some text for its parameters. */
async function listRoutes(directory: string): Promise<string[]> {
  const files = await readdir(join(directory, 'app'), { recursive: true }).catch(() => [])
  return files
    .filter((file) => /^route\.[jt]sx?$/.test(basename(file)))
    .map((file) => dirname(file).replaceAll(sep, '/'))
    .map((path) => `/${path.replaceAll(/\[+[^\]]*\]+/g, 'any')}`)
}

const resolveFrom = (directory: string, name: string): string =>
  createRequire(join(directory, 'package.json')).resolve(name)

/** Folders and files from which Next.js builds. A folder's own time shows a file that was deleted. */
const SOURCES = ['app', 'src', 'public', 'proxy.ts', 'next.config.ts', 'package.json']
const MANIFEST = 'chartside.app.json'

/**
 * Runs `next build` in `directory` when a file of the app is newer than its last build.
 * @throws Error when the build fails; its output is in the terminal
 * @example await buildNext(process.cwd())
 */
export async function buildNext(directory: string): Promise<void> {
  const builtAt = await timeOf(join(directory, '.next/BUILD_ID'))
  const times = await Promise.all(
    [...SOURCES, MANIFEST].map((source) => newestTime(join(directory, source))),
  )
  if (Math.max(...times) < builtAt) return
  const next = resolveFrom(directory, 'next/dist/bin/next')
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const
  const child = spawn(process.execPath, [next, 'build'], { cwd: directory, env, stdio: 'inherit' })
  process.once('exit', () => child.kill())
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`next build failed (${signal ?? `exit code ${code}`}).`)
}

async function newestTime(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true }).catch(() => [])
  return Math.max(...(await Promise.all(['', ...entries].map((each) => timeOf(join(path, each))))))
}

/** Returns the time of the file; 0 when it does not exist. */
const timeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
