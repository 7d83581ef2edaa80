// Builds what leaves this package, into dist: the two scripts that the service serves, sdk.js
// (classic) and sdk.mjs (module), and the npm package's loader, loader.js (module) and loader.cjs.
// Prints nothing on success. In the served scripts the host origins are a placeholder,
// "__CHARTSIDE_HOST_ORIGINS__" with its quotes, which the service replaces by a JSON array.
// Contract §5; security H06.
import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export const HOST_ORIGINS_TOKEN = '"__CHARTSIDE_HOST_ORIGINS__"'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const FILES = [
  { name: 'sdk.js', entry: 'src/served.ts', format: 'iife', holdsHosts: true },
  { name: 'sdk.mjs', entry: 'src/served.ts', format: 'esm', holdsHosts: true },
  { name: 'loader.js', entry: 'src/index.ts', format: 'esm', holdsHosts: false },
  { name: 'loader.cjs', entry: 'src/index.ts', format: 'cjs', holdsHosts: false },
] as const

/** Writes into `folder`, which is made when it is missing; by default the package's own dist. */
export async function buildSDK(folder: string = at('dist')): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { name, entry, format, holdsHosts } of FILES) {
    const text = await bundle(at(entry), format)
    const tokens = text.split(HOST_ORIGINS_TOKEN).length - 1
    if (tokens !== (holdsHosts ? 1 : 0)) {
      throw new Error(`${name} holds ${HOST_ORIGINS_TOKEN} ${tokens} times.`)
    }
    // A reader during two concurrent builds gets a complete file.
    const unfinished = `${folder}/.${name}.${randomUUID()}`
    await writeFile(unfinished, text)
    await rename(unfinished, `${folder}/${name}`)
  }
}

async function bundle(entry: string, format: 'iife' | 'esm' | 'cjs'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    write: false,
    format,
    // Only so that Node finds the names that a CommonJS file exports; the code uses nothing of
    // Node.
    platform: format === 'cjs' ? 'node' : 'browser',
    bundle: true,
    minify: true,
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
    define: { __CHARTSIDE_HOST_ORIGINS__: HOST_ORIGINS_TOKEN },
  })
  return outputFiles[0]?.text ?? ''
}

// Without a top-level await, so that what imports this file is evaluated at once.
if (import.meta.main) void buildSDK()
