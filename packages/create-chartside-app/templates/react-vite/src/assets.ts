// The page's scripts and style sheets: Vite builds them once, with vite.config.ts, and they stay in
// memory. The build starts a second after the app, or at the first request. Writes no file.
import { fileURLToPath } from 'node:url'
import { respondText } from './pages.ts'

interface Asset {
  readonly type: 'text/css' | 'text/javascript'
  readonly text: string
}

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
  const respond = async ({ url }: Request): Promise<Response> => {
    const { type, text } = await load(new URL(url).pathname)
    return respondText(text, type)
  }
  return { load, respond }
}

async function buildAll(sources: Readonly<Record<string, string>>) {
  const assets = Object.entries(sources).map(async ([path, source]): Promise<[string, Asset]> => {
    const isStyle = path.endsWith('.css')
    const text = await buildOne(fileURLToPath(new URL(source, import.meta.url)), isStyle)
    return [path, { type: isStyle ? 'text/css' : 'text/javascript', text }]
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
