// The worker's two scripts, bundled from src/browser once at start, and its style sheet.
// Kept in memory; nothing is written to disk.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export interface Asset {
  readonly type: string
  readonly body: string
}

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export async function buildAssets(): Promise<ReadonlyMap<string, Asset>> {
  const { outputFiles } = await build({
    entryPoints: [source('./browser/launch.ts'), source('./browser/callback.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    outdir: '/',
  })
  const assets = new Map<string, Asset>(
    outputFiles.map(({ path, text }) => [path, { type: 'text/javascript', body: text }]),
  )
  const style = await readFile(source('../public/coding-watch.css'), 'utf8')
  return assets.set('/coding-watch.css', { type: 'text/css', body: style })
}
