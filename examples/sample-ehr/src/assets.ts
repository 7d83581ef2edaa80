// The scripts and style sheets of the sandbox page and of the EHR pages: bundled once at start, with the
// panel and the parts that they show, and kept in memory. Writes no file.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export interface Asset {
  readonly type: string
  readonly body: string
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export async function buildAssets(): Promise<ReadonlyMap<string, Asset>> {
  const { outputFiles } = await build({
    entryPoints: [
      source('./browser/sandbox.ts'),
      source('./browser/ehr-routes.ts'),
      source('./browser/faults.tsx'),
      source('../public/sandbox.css'),
      source('../public/ehr.css'),
      source('../public/faults.css'),
    ],
    entryNames: '[name]',
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: '/',
  })
  return new Map(
    outputFiles.map(({ path, text }) => {
      const name = path.replace(/^.*[\\/]/, '/')
      return [name, { type: TYPES[name.replace(/^.*\./, '')] ?? '', body: text }]
    }),
  )
}
