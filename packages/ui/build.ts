// Bundles a page that is made of these parts: one script and one sheet with a hash of their content
// in their names, so that a server may send them as `immutable`. Writes nothing; the caller serves or
// stores the files.
import { build } from 'esbuild'

export interface PageFile {
  /** The name, such as `main-B7ZQ3KXD.js`. */
  readonly name: string
  readonly type: string
  readonly content: Uint8Array
}

export interface BuiltPage {
  readonly script: string
  readonly sheet: string
  readonly files: readonly PageFile[]
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** The policy that every page of these parts keeps: nothing but its own files, no markup from strings. */
export const STRICT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** `script` and `sheet` are the paths of the entry points. */
export async function buildPage(script: string, sheet: string): Promise<BuiltPage> {
  const { outputFiles } = await build({
    entryPoints: [script, sheet],
    outdir: '/',
    entryNames: '[name]-[hash]',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'chrome125',
    charset: 'utf8',
    jsx: 'automatic',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const files = outputFiles.map(({ path, contents }) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return { name, type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? '', content: contents }
  })
  const find = (ending: string) => files.find(({ name }) => name.endsWith(ending))?.name ?? ''
  return { script: find('.js'), sheet: find('.css'), files }
}
