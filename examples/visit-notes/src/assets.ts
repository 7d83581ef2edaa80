// The page's scripts and style sheets: esbuild bundles them once and they stay in memory. The
// bundler starts a second after the app, or at the first request. Writes no file.
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { respondText } from './pages.ts'

interface Asset {
  readonly type: 'text/css' | 'text/javascript'
  readonly text: string
  /** The hash of the text. */
  readonly version: string
}

/** A browser keeps what has its hash in its address, compiled too; another text has another address. */
const KEEP = { 'cache-control': 'public, max-age=31536000, immutable' }

/** `sources`: the source of each path, relative to this folder; TypeScript for `.js`. */
export function createAssets(sources: Readonly<Record<string, string>>) {
  let bundled: Promise<ReadonlyMap<string, Asset>> | undefined
  const loadAll = (): Promise<ReadonlyMap<string, Asset>> => {
    bundled ??= bundle(sources)
    return bundled
  }
  // A failure shows at the first request.
  setTimeout(() => loadAll().catch(() => undefined), 1_000).unref()

  /** @throws Error for another path, or with what the bundler reports */
  const load = async (path: string): Promise<Asset> => {
    const asset = (await loadAll()).get(path)
    if (asset) return asset
    throw new Error(`${path} is not among the assets of this app.`)
  }
  /** For the pages: each path with the hash of its text. */
  const findAddresses = <const Paths extends readonly string[]>(...paths: Paths) =>
    Promise.all(paths.map(async (path) => `${path}?v=${(await load(path)).version}`)) as Promise<{
      [Index in keyof Paths]: string
    }>
  const respond = async ({ url }: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(url)
    const { type, text, version } = await load(pathname)
    return respondText(text, type, searchParams.get('v') === version ? KEEP : {})
  }
  return { load, findAddresses, respond }
}

const hash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16)

/** Of this process: stopping the bundler would leave the others without an answer. */
let running = 0

async function bundle(sources: Readonly<Record<string, string>>) {
  const { build, stop } = await import('esbuild')
  running += 1
  const { outputFiles } = await build({
    entryPoints: Object.entries(sources).map(([path, source]) => ({
      in: fileURLToPath(new URL(source, import.meta.url)),
      out: path.replace(/^\/|\.\w+$/g, ''),
    })),
    bundle: true,
    // React has checks for authors; in production its page loads a sixth of the bytes.
    minify: process.env.NODE_ENV === 'production',
    write: false,
    format: 'iife',
    target: 'es2022',
    outdir: '/',
  }).finally(() => {
    running -= 1
    // The bundler is a process of its own and has no more work.
    return running === 0 ? stop() : undefined
  })
  return new Map(
    outputFiles.map(({ path, text }): [string, Asset] => {
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript'
      return [`/${basename(path)}`, { type, text, version: hash(text) }]
    }),
  )
}
