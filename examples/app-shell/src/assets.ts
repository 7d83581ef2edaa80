// The scripts and style sheets of a sample app, bundled from their sources a moment after the start,
// or when they are first asked for, and kept in memory. Nothing is written to disk.
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Asset {
  /** The media type, without a charset. */
  readonly type: string
  readonly body: string
}

export interface Assets {
  /** Where the browser finds them, such as `/visit-notes.js`. */
  readonly paths: readonly string[]
  /** @throws Error for another path, or with what the bundler found wrong */
  load(path: string): Promise<Asset>
}

/** @param sources the source of each path: TypeScript for `.js`, CSS for `.css`, all side by side */
export function createAssets(sources: Readonly<Record<string, URL>>): Assets {
  let bundled: Promise<ReadonlyMap<string, Asset>> | undefined
  const loadAll = () => {
    bundled ??= bundle(sources)
    return bundled
  }
  // Not at once: in the sandbox several apps start side by side.
  setTimeout(loadAll, 1_000).unref()
  return {
    paths: Object.keys(sources),
    async load(path) {
      const asset = (await loadAll()).get(path)
      if (asset) return asset
      throw new Error(`${path} is not among the assets of this app.`)
    },
  }
}

async function bundle(sources: Readonly<Record<string, URL>>) {
  // Loaded when it has something to do: an app starts without it.
  const { build, stop } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: Object.entries(sources).map(([path, source]) => ({
      in: fileURLToPath(source),
      out: path.replace(/^\/|\.\w+$/g, ''),
    })),
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    target: 'es2022',
    outdir: '/',
  })
  // The bundler is a process of its own, and there is nothing more to do for it.
  await stop()
  return new Map(
    outputFiles.map(({ path, text }): [string, Asset] => {
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript'
      return [`/${basename(path)}`, { type, body: text }]
    }),
  )
}
