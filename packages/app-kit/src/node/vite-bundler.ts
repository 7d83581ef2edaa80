// Makes the scripts and style sheets of an app's pages with the Vite that the app installs: built once,
// or, in development, by Vite's development server on a port of its own, which brings a saved file into
// the open page. Writes no file. Contract §6.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Bundler, Sources } from './assets.ts'

interface Output {
  readonly type: 'asset' | 'chunk'
  readonly source?: string | Uint8Array
  readonly code?: string
}

interface DevelopmentServer {
  readonly resolvedUrls: { readonly local: readonly string[] } | null
  listen(): Promise<unknown>
  transformIndexHtml(url: string, html: string): Promise<string>
}

/** The part of Vite that is used. Its own types need it installed. */
interface Vite {
  build(options: object): Promise<unknown>
  createServer(options: object): Promise<DevelopmentServer>
}

/**
 * Bundles with Vite and the `vite.config.ts` of `root`, one file for each source, because the pages name
 * them. With `CHARTSIDE_DEVELOPMENT=1`, which the sandbox sets, each script loads its source from Vite's
 * development server. Never throws itself; the bundler rejects with what Vite reports.
 * @example const assets = createAssets(import.meta.url, { sources, bundle: bundleWithVite(new URL('..', import.meta.url)) })
 */
export function bundleWithVite(root: URL): Bundler {
  const directory = fileURLToPath(root)
  return async (sources) => {
    const resolve = createRequire(join(directory, 'package.json')).resolve
    const vite = (await import(pathToFileURL(resolve('vite')).href)) as Vite
    if (process.env.CHARTSIDE_DEVELOPMENT === '1') return serveSources(vite, directory, sources)
    const texts = Object.entries(sources).map(async ([path, source]): Promise<[string, string]> => {
      return [path, await buildOne(vite, directory, source, path.endsWith('.css'))]
    })
    return new Map(await Promise.all(texts))
  }
}

async function buildOne(vite: Vite, root: string, input: string, isStyle: boolean) {
  const result = await vite.build({
    root,
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssMinify: false,
      rolldownOptions: { input, output: { format: isStyle ? 'es' : 'iife' } },
    },
  })
  const outputs = [result].flat().flatMap((each) => (each as { output?: Output[] }).output ?? [])
  for (const { type, source, code } of outputs) {
    if (isStyle && type === 'asset') return String(source)
    if (!isStyle && type === 'chunk') return code ?? ''
  }
  throw new Error(`Vite built nothing of ${input}.`)
}

/** The address of a module that Vite's server makes: what the plugins want first, the style sheets, the script. */
const MODULE = '/@chartside'

/** Each script imports its module from Vite's server. The style sheets come with it, so that they change in place too. */
async function serveSources(vite: Vite, root: string, sources: Sources) {
  const paths = Object.keys(sources)
  const isStyle = (path: string) => path.endsWith('.css')
  const imports = (path: string) => `await import(${JSON.stringify(sources[path])})`
  const styles = paths.filter(isStyle)
  const server = await vite.createServer({
    root,
    appType: 'custom',
    // The pages have another port, and a name below `localhost`.
    server: {
      host: 'localhost',
      port: 0,
      cors: { origin: /^http:\/\/([\w.-]+\.)?localhost(:\d+)?$/ },
    },
    optimizeDeps: { entries: paths.filter((path) => !isStyle(path)).map((path) => sources[path]) },
    plugins: [
      {
        name: 'chartside-pages',
        resolveId: (id: string) => (id.startsWith(`${MODULE}/`) ? `\0${id}` : undefined),
        load: async (id: string) => {
          if (!id.startsWith(`\0${MODULE}/`)) return undefined
          const preamble = await findPreamble(server)
          return [preamble, ...styles.map(imports), imports(id.slice(`\0${MODULE}`.length))].join(
            '\n',
          )
        },
      },
    ],
  })
  await server.listen()
  const [origin] = server.resolvedUrls?.local ?? []
  if (origin === undefined) throw new Error('The development server of Vite has no address.')
  const text = (path: string) =>
    isStyle(path) ? '' : `import(${JSON.stringify(new URL(`${MODULE}${path}`, origin).href)})`
  return new Map(paths.map((path) => [path, text(path)]))
}

/** The inline modules that the plugins add to a page: React's must run before the first component is loaded. */
async function findPreamble(server: DevelopmentServer): Promise<string> {
  const html = await server.transformIndexHtml('/', '<!doctype html><head></head>')
  const modules = html.matchAll(/<script type="module"(?: src="([^"]+)")?>([^<]*)<\/script>/g)
  return [...modules]
    .map(([, src, text]) => (src ? `import ${JSON.stringify(src)}` : text))
    .join('\n')
}
