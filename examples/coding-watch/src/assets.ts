// The worker's script, bundled from src/browser a moment after the start or when it is first
// asked for, and its style sheet, by path. Kept in memory; nothing is written to disk.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'

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

// Not at once: in the sandbox several apps start side by side.
setTimeout(loadAssets, 1_000).unref()

async function buildAssets(): Promise<ReadonlyMap<string, Asset>> {
  const { outputFiles } = await build({
    entryPoints: [source('./browser/coding-watch.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    outdir: '/',
  })
  // The bundler is a process of its own, and there is nothing more to do for it.
  await stop()
  const style = await readFile(source('../public/coding-watch.css'), 'utf8')
  return new Map([
    ['/coding-watch.js', { type: 'text/javascript', body: outputFiles[0]?.text ?? '' }],
    ['/coding-watch.css', { type: 'text/css', body: style }],
  ])
}
