// Bundles the service and its command line, with all packages that they use, into packages/server/dist:
// a start then loads one file in place of a thousand. `programs.json` names the file of each program
// for packages/server/src/built.mjs. Made for tests and benchmarks, which ask for it.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, 'packages/server/dist')

const PROGRAMS = {
  service: 'packages/server/src/main.ts',
  commands: 'packages/operator/src/main.ts',
  health: 'packages/operator/src/health-command.ts',
} as const

/** A process may load a part of the build that it began with long after its start. */
const KEPT_BUILDS = 3

export async function buildPrograms(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: Object.entries(PROGRAMS).map(([out, path]) => ({ in: join(ROOT, path), out })),
    absWorkingDir: ROOT,
    outdir: '/',
    write: false,
    legalComments: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    bundle: true,
    splitting: true,
    outExtension: { '.js': '.mjs' },
    // A third less to read at each start; names stay, and lines are short, for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 200,
    chunkNames: '[name]-[hash]',
    // Asked for by pg and used when it is there, which it is not.
    external: ['pg-native'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    plugins: [ownAddresses, lazyPackages, lazyParts],
    logLevel: 'warning',
  })
  const hash = createHash('sha256')
  for (const { path, contents } of outputFiles) hash.update(path).update(contents)
  const id = hash.digest('hex').slice(0, 12)
  await mkdir(join(FOLDER, id), { recursive: true })
  for (const { path, contents } of outputFiles) {
    await replace(join(FOLDER, id), basename(path), contents)
  }
  const programs = Object.keys(PROGRAMS).map((name) => [name, `${id}/${name}.mjs`])
  await replace(FOLDER, 'programs.json', JSON.stringify(Object.fromEntries(programs)))
  await removeEarlier()
}

/** The files that a source names by its own address stay where they are. */
const ownAddresses: Plugin = {
  name: 'own-addresses',
  setup(builder) {
    builder.onLoad({ filter: /\/packages\/[\w-]+\/src\/.*\.(ts|mjs)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const address = JSON.stringify(pathToFileURL(path).href)
      const loader = path.endsWith('.ts') ? 'ts' : 'js'
      return { contents: text.replaceAll('import.meta.url', address), loader }
    })
  },
}

/**
 * A package that is loaded when it is first needed costs no start. It stays a package: bundled, one in
 * CommonJS would give `import()` its default export and no other.
 */
const lazyPackages: Plugin = {
  name: 'lazy-packages',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && !path.startsWith('@chartside/')
        ? { path, external: true }
        : undefined,
    )
  },
}

/**
 * Parts of Node.js that a start loads for nothing. An `import` of node:http reads all that it exports, and so loads
 * its WebSocket with all of undici; `require` reads nothing. Fastify needs node:http2 for servers of HTTP/2 only,
 * of which the service has none.
 */
const LAZY_PARTS: Readonly<Record<string, string>> = {
  'node:http': "module.exports = require('node:http')",
  'node:http2': `exports.createServer = (...options) => require('node:http2').createServer(...options)
    exports.createSecureServer = (...options) => require('node:http2').createSecureServer(...options)`,
}

const lazyParts: Plugin = {
  name: 'lazy-parts',
  setup(builder) {
    builder.onResolve({ filter: /^node:http2?$/ }, ({ path, namespace }) =>
      namespace === 'lazy-parts' ? { path, external: true } : { path, namespace: 'lazy-parts' },
    )
    builder.onLoad({ filter: /.*/, namespace: 'lazy-parts' }, ({ path }) => ({
      contents: LAZY_PARTS[path] ?? '',
    }))
  },
}

/** A start during a build gets a complete file. */
async function replace(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  const unfinished = join(folder, `.${name}.${process.pid}`)
  await writeFile(unfinished, content)
  await rename(unfinished, join(folder, name))
}

async function removeEarlier(): Promise<void> {
  const entries = await readdir(FOLDER, { withFileTypes: true })
  const builds = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const aged = await Promise.all(
    builds.map(async (name) => ({ name, at: (await stat(join(FOLDER, name))).mtimeMs })),
  )
  for (const { name } of aged.sort((a, b) => b.at - a.at).slice(KEPT_BUILDS)) {
    await rm(join(FOLDER, name), { recursive: true, force: true })
  }
}
