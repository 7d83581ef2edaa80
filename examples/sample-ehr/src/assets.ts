// The scripts and style sheets of the sandbox page and of the EHR pages: bundled once at start, with the
// panel and the parts that they show, and kept in memory. The published sandbox has them as files.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Asset {
  readonly type: string
  readonly body: string
}

/** The assets by the path under which each is served, such as `/ehr.css`. */
export type Assets = ReadonlyMap<string, Asset>

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const entryOf = (name: string, body: string): [path: string, asset: Asset] => [
  `/${name}`,
  { type: TYPES[name.replace(/^.*\./, '')] ?? '', body },
]

/** Reads the assets of {@link buildAssets} that were written into a folder. */
export async function readAssets(folder: string): Promise<Assets> {
  const names = await readdir(folder)
  const bodies = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return new Map(names.map((name, index) => entryOf(name, bodies[index] ?? '')))
}

export async function buildAssets(): Promise<Assets> {
  const { build } = await import('esbuild')
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
  return new Map(outputFiles.map(({ path, text }) => entryOf(path.replace(/^.*[\\/]/, ''), text)))
}
