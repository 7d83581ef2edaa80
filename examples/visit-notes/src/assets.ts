// The app's script and style sheet by path, bundled from src/browser when they are first asked for
// and kept in memory. Nothing is written to disk.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

let assets: Promise<ReadonlyMap<string, string>> | undefined

export function loadAssets(): Promise<ReadonlyMap<string, string>> {
  assets ??= buildAssets()
  return assets
}

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
  const style = await readFile(source('../public/visit-notes.css'), 'utf8')
  return new Map([
    ['/visit-notes.js', outputFiles[0]?.text ?? ''],
    ['/visit-notes.css', style],
  ])
}
