// The page's scripts and style sheets: Vite builds them once, with vite.config.ts, and they stay in
// memory. The build starts a second after the app, or at the first request. Writes no file.
import { createHash } from 'node:crypto'
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
  let built: Promise<ReadonlyMap<string, Asset>> | undefined
  const loadAll = (): Promise<ReadonlyMap<string, Asset>> => {
    built ??= buildAll(sources)
    return built
  }
  // A failure shows at the first request.
  setTimeout(() => loadAll().catch(() => undefined), 1_000).unref()

  /** @throws Error for another path, or with what Vite reports */
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

async function buildAll(sources: Readonly<Record<string, string>>) {
  const assets = Object.entries(sources).map(async ([path, source]): Promise<[string, Asset]> => {
    const isStyle = path.endsWith('.css')
    const text = await buildOne(fileURLToPath(new URL(source, import.meta.url)), isStyle)
    const type = isStyle ? 'text/css' : 'text/javascript'
    return [path, { type, text, version: hash(text) }]
  })
  return new Map(await Promise.all(assets))
}

/** One file for each source, because the pages name them. */
async function buildOne(input: string, isStyle: boolean): Promise<string> {
  const { build } = await import('vite')
  const result = await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssMinify: false,
      rolldownOptions: { input, output: { format: isStyle ? 'es' : 'iife' } },
    },
  })
  const outputs = [result].flat().flatMap((each) => ('output' in each ? each.output : []))
  for (const output of outputs) {
    if (isStyle && output.type === 'asset') return String(output.source)
    if (!isStyle && output.type === 'chunk') return output.code
  }
  throw new Error(`Vite built nothing of ${input}.`)
}
