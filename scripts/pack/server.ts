// Packs @chartside/server: the service and its command line as one bundle of JavaScript, the files that
// they read (console, documentation, SDK, page styles) beside it, and the exact versions of all that they need.
// What a source file names by `new URL(…, import.meta.url)` is copied and its address rewritten; nothing else
// of the repository comes along.
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { buildConsole } from '../../packages/console/build.ts'
import { buildSDK } from '../../packages/sdk/build.ts'
import { buildDocs } from '../docs-site/build.ts'
import { listInstalled, listThirdParties, loadLockFile } from '../supply-chain/lock-file.ts'
import { buildNotices, NOTICES } from '../supply-chain/notices.ts'
import { buildSbom } from '../supply-chain/sbom.ts'
import { SERVER_PARTS } from '../supply-chain/shipped.ts'
import { listDirect, type ServerManifest, serverManifest, shrinkwrap } from './server-manifest.ts'

const ENTRY = 'packages/operator/src/package-main.mjs'
const ASSETS = 'assets'

/** Writes what is published into `staged`; npm pack makes the archive. Gives the name of the package. */
export async function stageServer(root: string, staged: string): Promise<string> {
  const read = (path: string) => readFile(join(root, path), 'utf8')
  const manifests: ServerManifest[] = []
  for (const part of ['server', 'operator']) {
    manifests.push(JSON.parse(await read(`packages/${part}/package.json`)))
  }
  const manifest = serverManifest(manifests)
  await mkdir(staged, { recursive: true })
  const dist = join(staged, 'dist')
  await bundle(root, dist, Object.keys(listDirect(manifests)))
  const lock = loadLockFile(root)
  const installed = listInstalled(lock, ['packages/server', 'packages/operator'])
  const texts: Readonly<Record<string, string>> = {
    'package.json': toJson(manifest),
    'npm-shrinkwrap.json': toJson(shrinkwrap(manifest, installed)),
    'README.md': await read('packages/operator/INSTALL.md'),
    LICENSE: await read('LICENSE'),
    [NOTICES]: buildNotices(root, listThirdParties(lock, SERVER_PARTS)),
    'sbom.cdx.json': buildSbom(lock, 'packages/server', SERVER_PARTS).text,
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(join(staged, name), text)
  return manifest.name
}

const toJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`

async function bundle(root: string, outdir: string, external: string[]): Promise<void> {
  const files = new Set<string>()
  await build({
    entryPoints: [{ in: join(root, ENTRY), out: 'chartside' }],
    outdir,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    bundle: true,
    // The service and each command are loaded when they are asked for.
    splitting: true,
    chunkNames: '[name]-[hash]',
    external,
    define: { 'process.env.CHARTSIDE_PACKAGED': '"1"' },
    plugins: [assetAddresses(join(root, 'packages'), files)],
    legalComments: 'inline',
    logLevel: 'warning',
  })
  for (const file of files) await copyAsset(root, join(outdir, ASSETS), file)
}

const ADDRESS = /new URL\(\s*(['`])(\.[^'`$]*)/g

/** Rewrites the addresses of files: all output is flat in one folder, so each address has the same start. */
const assetAddresses = (packages: string, files: Set<string>): Plugin => ({
  name: 'asset-addresses',
  setup(builder) {
    builder.onLoad({ filter: /packages\/[\w-]+\/src\/.*\.(ts|mjs)$/ }, async ({ path }) => {
      const contents = await readFile(path, 'utf8')
      const loader = path.endsWith('.ts') ? 'ts' : 'js'
      if (!contents.includes('import.meta.url')) return { contents, loader }
      const rewritten = contents.replace(ADDRESS, (_found, quote: string, address: string) => {
        const target = relative(packages, resolve(dirname(path), address))
        if (/\.ts$/.test(target)) throw new Error(`${path} starts ${target}, which is not bundled`)
        files.add(target)
        return `new URL(${quote}./${ASSETS}/${target}${address.endsWith('/') ? '/' : ''}`
      })
      return { contents: rewritten, loader }
    })
  },
})

/** The builds are made anew: what lies in a dist folder may be old. */
const BUILDS: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  'console/dist': buildConsole,
  'docs-site/dist': buildDocs,
  'sdk/dist': buildSDK,
}

/** The files that are not served: the loader is published with @chartside/sdk. */
const NOT_SERVED = ['loader.js', 'loader.cjs']

async function copyAsset(root: string, assets: string, file: string): Promise<void> {
  const to = join(assets, file)
  const make = BUILDS[file]
  if (make) {
    await make(to)
    for (const name of NOT_SERVED) await rm(join(to, name), { force: true })
    return
  }
  const from = join(root, 'packages', file)
  if ((await stat(from)).isDirectory()) throw new Error(`${file} is a folder that no build makes`)
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to)
}
