// The scripts and style sheets of an app's pages: bundled once, kept in memory. The bundler starts a
// second after the app, or at the first request. Writes no file, and knows no page.
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { respondText } from '../server/pages.ts'
import type { Assets } from '../server/web-app.ts'

/** The file from which each path, such as `/app.js`, is bundled. */
export type Sources = Readonly<Record<string, string>>

/** Makes the text of each path, with what its source imports. */
export type Bundler = (sources: Sources) => Promise<ReadonlyMap<string, string>>

export interface AssetsOptions {
  /** The sources, relative to the file that makes the assets. Default: `DEFAULT_SOURCES`. */
  readonly sources?: Sources
  /** Default: esbuild, which the app installs. */
  readonly bundle?: Bundler
}

interface Asset {
  readonly type: 'text/css' | 'text/javascript'
  readonly text: string
  /** The hash of the text. */
  readonly version: string
}

export interface LoadedAssets extends Assets {
  /** @throws Error for another path, or with what the bundler reports */
  load(path: string): Promise<Asset>
}

/** The files of a new app. */
const DEFAULT_SOURCES: Sources = {
  '/launch.js': './browser/launch-page.ts',
  '/app.js': './browser/main.ts',
  '/app.css': '../public/app.css',
}

/** A browser keeps what has its hash in its address, compiled too; another text has another address. */
const KEEP = { 'cache-control': 'public, max-age=31536000, immutable' }

/**
 * Bundles and serves what the pages of an app load. `from` is `import.meta.url` of the file to which
 * the sources are relative. Its functions reject with an Error for an unknown path, and with what the
 * bundler reports. Never throws itself. Spec §5.5.
 * @example const assets = createAssets(import.meta.url)
 */
export function createAssets(from: string, options: AssetsOptions = {}): LoadedAssets {
  const { sources = DEFAULT_SOURCES, bundle = bundleWithEsbuild } = options
  const files = Object.fromEntries(
    Object.entries(sources).map(([path, source]) => [path, fileURLToPath(new URL(source, from))]),
  )
  let bundled: Promise<ReadonlyMap<string, Asset>> | undefined
  const loadAll = (): Promise<ReadonlyMap<string, Asset>> => {
    bundled ??= bundle(files).then(buildAssets)
    return bundled
  }
  // A failure shows at the first request.
  setTimeout(() => loadAll().catch(() => undefined), 1_000).unref()

  const load = async (path: string): Promise<Asset> => {
    const asset = (await loadAll()).get(path)
    if (asset) return asset
    throw new Error(`${path} is not among the assets of this app.`)
  }
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

const buildAssets = (texts: ReadonlyMap<string, string>): ReadonlyMap<string, Asset> =>
  new Map(
    [...texts].map(([path, text]) => {
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript'
      return [path, { type, text, version: hash(text) }]
    }),
  )

const hash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16)

/** The count of bundles in this process: stopping the bundler would leave the others without an answer. */
let running = 0

const bundleWithEsbuild: Bundler = async (sources) => {
  const { build, stop } = await import('esbuild')
  running += 1
  const { outputFiles } = await build({
    entryPoints: Object.entries(sources).map(([path, source]) => ({
      in: source,
      out: path.replace(/^\/|\.\w+$/g, ''),
    })),
    bundle: true,
    // React has checks for authors; in production its page loads a sixth of the bytes.
    minify: process.env.NODE_ENV === 'production',
    jsx: 'automatic',
    write: false,
    format: 'iife',
    target: 'es2022',
    outdir: '/',
  }).finally(() => {
    running -= 1
    // The bundler is a process of its own and has no more work.
    return running === 0 ? stop() : undefined
  })
  return new Map(outputFiles.map(({ path, text }) => [`/${basename(path)}`, text]))
}
