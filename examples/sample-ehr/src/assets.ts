// The page's script (with the host code of @chartside/host) and its style sheets: bundled once at
// start, kept in memory. Writes no file.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export interface Asset {
  readonly type: string
  readonly body: string
}

const SHEETS = ['base.css', 'chart.css', 'sign-in.css', 'panel.css', 'timeline.css']

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export async function buildAssets(): Promise<ReadonlyMap<string, Asset>> {
  const { outputFiles } = await build({
    entryPoints: [source('./browser/ehr.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    outdir: '/',
  })
  const styles = await Promise.all(
    SHEETS.map((name) => readFile(source(`../public/${name}`), 'utf8')),
  )
  const script = outputFiles[0]?.text ?? ''
  return new Map([
    ['/ehr.js', { type: 'text/javascript; charset=utf-8', body: script }],
    ['/ehr.css', { type: 'text/css; charset=utf-8', body: styles.join('\n') }],
  ])
}
