// Bundles both ends of the handshake from their sources, optionally with another list of handshake
// versions, as an older or newer end. Everything but that list is the real code. Security X07.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { HOST_ORIGINS_TOKEN } from '../../packages/sdk/build.ts'

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Puts `ChartsideHost` on the page. */
export const bundleHost = (versions?: readonly number[]) =>
  bundle('packages/host/src/index.ts', 'ChartsideHost', versions)

/** Puts `Chartside` on the page; it still has the placeholder for the host origins. */
export const bundleSDK = (versions: readonly number[]) =>
  bundle('packages/sdk/src/served.ts', 'OlderOrNewer', versions)

/** A script from the build of the SDK. */
export const readBuilt = (name: 'sdk.js' | 'sdk.mjs' | 'loader.js') =>
  readFile(fromRoot(`packages/sdk/dist/${name}`), 'utf8')

async function bundle(entry: string, globalName: string, versions?: readonly number[]) {
  const { outputFiles } = await build({
    entryPoints: [fromRoot(entry)],
    bundle: true,
    write: false,
    format: 'iife',
    globalName,
    target: 'chrome120',
    define: { __CHARTSIDE_HOST_ORIGINS__: HOST_ORIGINS_TOKEN },
    plugins: versions ? [replaceVersions(versions)] : [],
  })
  return outputFiles[0]?.text ?? ''
}

const replaceVersions = (versions: readonly number[]): Plugin => ({
  name: 'replace the handshake versions',
  setup({ onLoad }) {
    onLoad({ filter: /protocol\/src\/handshake\.ts$/ }, async ({ path }) => {
      const [before, after, ...more] = (await readFile(path, 'utf8')).split(
        ': readonly number[] = [1]',
      )
      if (after === undefined || more.length > 0) throw new Error(`No list of versions in ${path}.`)
      return { contents: `${before} = ${JSON.stringify(versions)}${after}`, loader: 'ts' }
    })
  },
})
