// Packs @chartside/sandbox: the sandbox and the sample EHR as one bundle of JavaScript, the scripts and style
// sheets of their pages beside it. It starts the published server, so it needs that of the same version.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { buildAssets } from '../../examples/sample-ehr/src/assets.ts'
import { MANIFEST_SCHEMA } from '../docs-site/downloads.ts'
import { listThirdParties, loadLockFile } from '../supply-chain/lock-file.ts'
import { buildNotices, NOTICES } from '../supply-chain/notices.ts'
import { buildReadme, type SourceManifest } from './packages.ts'

const SOURCE = 'examples/sandbox'
const NAME = '@chartside/sandbox'

/** The parts that have what the pages use of others; the rest is installed beside the bundle. */
const PARTS = ['packages/host', 'packages/protocol', 'packages/ui']

/** The packages that are installed beside it, in the same version. */
const BESIDE = ['@chartside/faults', '@chartside/server']

/** Writes what is published into `staged`; npm pack makes the archive. */
export async function stageSandbox(root: string, staged: string): Promise<void> {
  const read = (path: string) => readFile(join(root, path), 'utf8')
  const { version, dependencies = {} }: SourceManifest = JSON.parse(
    await read(`${SOURCE}/package.json`),
  )
  const needed = Object.entries(dependencies).filter(
    ([name]) => BESIDE.includes(name) || !name.startsWith('@chartside/'),
  )
  const manifest = {
    name: NAME,
    version,
    description: 'Opens a Chartside app beside a sample chart, on the machine of its developer.',
    keywords: ['chartside', 'ehr', 'sandbox', 'smart-on-fhir'],
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=24' },
    // The only one, so that `npx @chartside/sandbox` finds it.
    bin: { 'chartside-sandbox': 'dist/chartside-sandbox.js' },
    dependencies: Object.fromEntries(needed),
  }
  const dist = join(staged, 'dist')
  await bundle(root, dist, Object.keys(manifest.dependencies))
  const assets = join(dist, 'assets')
  await mkdir(assets)
  for (const [path, { body }] of await buildAssets()) await writeFile(join(assets, path), body)
  const thirdParties = listThirdParties(loadLockFile(root), PARTS)
  const texts: Readonly<Record<string, string>> = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'README.md': buildReadme(await read(`${SOURCE}/README.md`)),
    LICENSE: await read('LICENSE'),
    [NOTICES]: buildNotices(root, thirdParties),
    // Named by the chartside.app.json of a new app.
    [MANIFEST_SCHEMA.name]: await MANIFEST_SCHEMA.build(),
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(join(staged, name), text)
}

async function bundle(root: string, outdir: string, needed: readonly string[]): Promise<void> {
  await build({
    entryPoints: [{ in: join(root, SOURCE, 'src/package-main.mjs'), out: 'chartside-sandbox' }],
    outdir,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    bundle: true,
    // --help loads nothing of the rest.
    splitting: true,
    chunkNames: '[name]-[hash]',
    // Of the server only the sample data are bundled: its program is started by its path.
    external: [...needed.filter((name) => name !== '@chartside/server'), 'esbuild'],
    define: { 'process.env.CHARTSIDE_PACKAGED': '"1"' },
    legalComments: 'inline',
    logLevel: 'warning',
  })
}
