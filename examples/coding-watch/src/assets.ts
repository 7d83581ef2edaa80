// The worker's script, bundled from src/browser when it is first asked for, and its style
// sheet, by path. Kept in memory; nothing is written to disk.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export interface Asset {
  readonly type: string
  readonly body: string
}

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

let assets: Promise<ReadonlyMap<string, Asset>> | undefined

export function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  assets ??= buildAssets()
  return assets
}

async function buildAssets(): Promise<ReadonlyMap<string, Asset>> {
  const { outputFiles } = await build({
    entryPoints: [source('./browser/coding-watch.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    outdir: '/',
  })
  const style = await readFile(source('../public/coding-watch.css'), 'utf8')
  return new Map([
    ['/coding-watch.js', { type: 'text/javascript', body: outputFiles[0]?.text ?? '' }],
    ['/coding-watch.css', { type: 'text/css', body: style }],
  ])
}
