// Builds the two scripts the service serves: dist/sdk.js (classic, sets window.Chartside) and
// dist/sdk.mjs (ES module). Silent when all is well. Host origins stay a token in the text,
// "__CHARTSIDE_HOST_ORIGINS__" with its quotes, which the service replaces by a JSON array.
// Contract §5; security H06.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export const HOST_ORIGINS_TOKEN = '"__CHARTSIDE_HOST_ORIGINS__"'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export async function buildSDK(): Promise<void> {
  const scripts = [
    { entry: 'src/served.ts', outfile: 'dist/sdk.js', format: 'iife' },
    { entry: 'src/index.ts', outfile: 'dist/sdk.mjs', format: 'esm' },
  ] as const
  for (const { entry, outfile, format } of scripts) {
    await build({
      entryPoints: [at(entry)],
      outfile: at(outfile),
      format,
      bundle: true,
      minify: true,
      target: 'es2020',
      charset: 'utf8',
      logLevel: 'warning',
      define: { __CHARTSIDE_HOST_ORIGINS__: HOST_ORIGINS_TOKEN },
    })
    const pieces = (await readFile(at(outfile), 'utf8')).split(HOST_ORIGINS_TOKEN)
    if (pieces.length !== 2) {
      throw new Error(
        `${outfile} must hold ${HOST_ORIGINS_TOKEN} once, not ${pieces.length - 1} times.`,
      )
    }
  }
}

if (import.meta.main) await buildSDK()
