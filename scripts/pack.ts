// Packs the server (pack/server.ts), the sandbox (pack/sandbox.ts) and the public packages as they would be
// published: types by the compiler, JavaScript by the bundler, for `import` and for `require`; one .tgz each in .chartside/packages or the given folder.
// Publishes nothing.
// Usage: npm run pack [-- folder]
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { defineScript } from './command-line.ts'
import {
  buildManifest,
  buildReadme,
  builtName,
  listEntries,
  PUBLIC_PACKAGES,
  type PublicPackage,
  type SourceManifest,
} from './pack/packages.ts'
import { stageSandbox } from './pack/sandbox.ts'
import { stageServer } from './pack/server.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const sourceOf = (name: PublicPackage) => join(root, 'packages', name)

/** Packs into `folder`. Gives the paths of the archives by package name. */
export async function packAll(folder: string): Promise<Map<string, string>> {
  const work = await mkdtemp(join(tmpdir(), 'chartside-pack-'))
  try {
    await declareTypes(work)
    await mkdir(folder, { recursive: true })
    const staged = [
      stageServerIn(work),
      stageSandboxIn(work),
      ...PUBLIC_PACKAGES.map((name) => stage(name, work)),
    ]
    return await archive(await Promise.all(staged), folder)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Declares all packages at once into `work/types`, because they import each other's sources. */
async function declareTypes(work: string): Promise<void> {
  const config = join(work, 'tsconfig.json')
  const include = PUBLIC_PACKAGES.map((name) => `${sourceOf(name)}/src`)
  const options = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      lib: ['es2024', 'dom', 'dom.iterable'],
      jsx: 'react-jsx',
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(root, 'packages'),
      outDir: join(work, 'types'),
    },
    include,
    // Tests, and the fixtures that only they use.
    exclude: include.flatMap((folder) => [`${folder}/**/*.test.ts`, `${folder}/**/*-fixture.ts`]),
  }
  await writeFile(config, JSON.stringify(options))
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', config]).catch(({ stdout, message }) => {
    throw new Error(`The packages do not compile:\n${stdout || message}`)
  })
}

/** Writes what is published of a package. Gives its folder. */
async function stage(name: PublicPackage, work: string): Promise<string> {
  const staged = join(work, 'staged', name)
  const manifest: SourceManifest = JSON.parse(
    await readFile(join(sourceOf(name), 'package.json'), 'utf8'),
  )
  const types = join(work, 'types', name, 'src')
  await bundle(name, listEntries(manifest), join(staged, 'dist'), types)
  for (const extra of ['README.md', 'assets', 'vectors', 'templates']) {
    const filter = (path: string) => extra !== 'vectors' || !path.endsWith('.ts')
    const from = join(sourceOf(name), extra)
    await cp(from, join(staged, extra), { recursive: true, filter }).catch(ignore)
  }
  // The served script, for the fixture of the test kit.
  if (name === 'sdk') await cp(join(sourceOf(name), 'dist/sdk.js'), join(staged, 'dist/sdk.js'))
  if (name === 'create-chartside-app') {
    // The templates of a checkout take it from the sample.
    const provider = join(root, 'examples/referral-desk/src/provider')
    await cp(provider, join(staged, 'templates/option-3/src/provider'), { recursive: true })
  }
  await cp(join(root, 'LICENSE'), join(staged, 'LICENSE'))
  const readme = join(staged, 'README.md')
  await writeFile(readme, buildReadme(await readFile(readme, 'utf8')))
  await writeFile(
    join(staged, 'package.json'),
    `${JSON.stringify(buildManifest(manifest), null, 2)}\n`,
  )
  return staged
}

/** The service alone, for those who run it. */
export async function packServer(folder: string): Promise<[name: string, archive: string]> {
  const work = await mkdtemp(join(tmpdir(), 'chartside-pack-'))
  try {
    await mkdir(folder, { recursive: true })
    const [packed] = await archive([await stageServerIn(work)], folder)
    if (!packed) throw new Error('npm pack made no archive.')
    return packed
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function stageServerIn(work: string): Promise<string> {
  const staged = join(work, 'staged/server')
  await stageServer(root, staged)
  return staged
}

async function stageSandboxIn(work: string): Promise<string> {
  const staged = join(work, 'staged/sandbox')
  await stageSandbox(root, staged)
  return staged
}

/** Gives the paths of the archives by package name. npm starts once for all. */
async function archive(staged: readonly string[], folder: string): Promise<Map<string, string>> {
  const args = ['pack', '--json', '--pack-destination', resolve(folder), ...staged]
  const { stdout } = await run('npm', args)
  const packed: readonly { name: string; filename: string }[] = JSON.parse(stdout)
  return new Map(packed.map(({ name, filename }) => [name, join(resolve(folder), filename)]))
}

const FILE_ADDRESS = {
  define: { 'import.meta.url': 'fileAddress' },
  inject: [fileURLToPath(new URL('./pack/file-address.mjs', import.meta.url))],
}

/** The types are the same in both halves; a package.json in each folder sets its module type. */
async function bundle(
  name: PublicPackage,
  files: readonly string[],
  dist: string,
  types: string,
): Promise<void> {
  for (const [format, type] of [
    ['esm', 'module'],
    ['cjs', 'commonjs'],
  ] as const) {
    // A command is started, never required.
    if (format === 'cjs' && name === 'create-chartside-app') continue
    const outdir = join(dist, format)
    await copyTypes(types, outdir)
    await writeFile(join(outdir, 'package.json'), `{ "type": "${type}" }\n`)
    await build({
      entryPoints: files.map((file) => ({
        in: join(sourceOf(name), file),
        out: builtName(file).replace(/\.js$/, ''),
      })),
      outdir,
      format,
      bundle: true,
      // A module of two entries is in one file, so that its classes exist once.
      splitting: format === 'esm',
      packages: 'external',
      // For CommonJS, so that Node finds the names that a file exports.
      platform: format === 'cjs' ? 'node' : 'neutral',
      // A CommonJS file knows its own address by another name.
      ...(format === 'cjs' ? FILE_ADDRESS : {}),
      target: 'es2022',
      jsx: 'automatic',
      logLevel: 'warning',
    })
  }
}

/** Copies the types with the new file names: the compiler leaves `.ts` in declarations. */
async function copyTypes(from: string, to: string): Promise<void> {
  for (const path of await readdir(from, { recursive: true })) {
    if (!path.endsWith('.d.ts')) continue
    const text = await readFile(join(from, path), 'utf8')
    await mkdir(dirname(join(to, path)), { recursive: true })
    await writeFile(join(to, path), text.replace(/(['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g, '$1.js'))
  }
}

const ignore = ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'ENOENT') throw new Error(`Could not copy: ${code}`)
}

if (import.meta.main) {
  const [folder = join(root, '.chartside/packages')] = defineScript(
    'pack',
    'Packs what app authors and operators install: one archive for each package. Publishes nothing.',
  )
    .argument('[folder]', 'where the archives go (default: .chartside/packages)')
    .parse().args
  const archives = await packAll(folder)
  for (const archive of archives.values()) process.stdout.write(`${archive}\n`)
  const others = (await readdir(folder)).length - archives.size
  if (others > 0) process.stdout.write(`(${others} other file(s) in that folder)\n`)
}
