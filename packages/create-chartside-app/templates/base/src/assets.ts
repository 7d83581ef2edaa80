// The page's script and style sheet, bundled when they are first asked for and kept in memory.
// Nothing is written to disk.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

interface Assets {
  readonly script: string
  readonly style: string
}

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

let assets: Promise<Assets> | undefined

export function loadAssets(): Promise<Assets> {
  assets ??= buildAssets()
  return assets
}

async function buildAssets(): Promise<Assets> {
  const { outputFiles } = await build({
    entryPoints: [source('./browser/main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  })
  const style = await readFile(source('../public/app.css'), 'utf8')
  return { script: outputFiles[0]?.text ?? '', style }
}
