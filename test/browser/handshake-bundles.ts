// The scripts of the two ends of the handshake, from their sources: as they are, or made to speak
// other versions of the handshake, which is how an older and a newer end are shown. Only the list of
// versions is another; everything else is the real code. Security X07.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { HOST_ORIGINS_TOKEN } from '../../packages/sdk/build.ts'

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Puts `ChartsideHost` on the page. */
export const bundleHost = (versions?: readonly number[]) =>
  bundle('packages/host/src/index.ts', 'ChartsideHost', versions)

/** Puts `Chartside` on the page; the token for the hosts is still in it. */
export const bundleSDK = (versions: readonly number[]) =>
  bundle('packages/sdk/src/served.ts', 'OlderOrNewer', versions)

/** A script as the build of the SDK left it. */
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
    plugins: versions ? [speaking(versions)] : [],
  })
  return outputFiles[0]?.text ?? ''
}

const speaking = (versions: readonly number[]): Plugin => ({
  name: 'speaking other versions',
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
