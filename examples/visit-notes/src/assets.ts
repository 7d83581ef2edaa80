// The app's script and style sheet by path, bundled from src/browser a moment after the start, or
// when they are first asked for, and kept in memory. Nothing is written to disk.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

let assets: Promise<ReadonlyMap<string, string>> | undefined

export function loadAssets(): Promise<ReadonlyMap<string, string>> {
  assets ??= buildAssets()
  return assets
}

// Not at once: in the sandbox several apps start side by side.
setTimeout(loadAssets, 1_000).unref()

async function buildAssets(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: { 'visit-notes': source('./browser/main.tsx') },
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    target: 'es2022',
    outdir: '/',
  })
  // The bundler is a process of its own, and there is nothing more to do for it.
  await stop()
  const style = await readFile(source('../public/visit-notes.css'), 'utf8')
  return new Map([
    ['/visit-notes.js', outputFiles[0]?.text ?? ''],
    ['/visit-notes.css', style],
  ])
}
