// The front door of every npm script: makes sure what the project needs is installed, then runs a
// TypeScript file on the Node.js that package.json pins. With --as-installed, for production, it installs
// and builds nothing: it says what is missing. It runs on whatever Node.js the machine has (20 or
// newer), so it is plain JavaScript and imports nothing but Node's own modules.
// It never runs application code itself.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explainMissingNode, findPinnedNode } from './pinned-node.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * `node:sqlite` still calls itself experimental. The young generation of the heap is halved: under
 * load that saves 35 MB of memory and costs no speed. After a collection the heap may grow by 40 %:
 * V8 alone lets it triple when requests come fast, which is 70 MB and no speed
 * (docs/inside/performance.md).
 */
const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--heap-growing-percent=40',
]
/**
 * With the first glibc hands back the 19 MB of a password hash, which else every thread keeps that has
 * hashed. The first alone makes it give the end of the heap back, and take it again, several times a
 * launch; the second prevents that. The third keeps what a start allocates in one heap in place of one
 * for each thread, which saves 4 to 10 MB (docs/inside/performance.md).
 */
const MALLOC = {
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '8388608',
  MALLOC_ARENA_MAX: '1',
}

/** The packages of a lock file by their place, or none when there is no such file. */
function packagesOf(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

/**
 * Whether npm's own record of what it installed agrees with the lock file, and every package is
 * there: a workspace may have a node_modules folder of its own, which can be removed by itself.
 */
function listMissing({ isProduction = false } = {}) {
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  const missing = Object.entries(packagesOf(join(root, 'package-lock.json')))
    .filter(
      ([place, { version, optional, link, dev, devOptional }]) =>
        place.includes('node_modules/') &&
        !(optional || link || (isProduction && (dev || devOptional))) &&
        !(installed[place]?.version === version && existsSync(join(root, place, 'package.json'))),
    )
    .map(([place]) => place)
  return findPinnedNode() ? missing : [explainMissingNode(), ...missing]
}

/** What a newcomer runs first. It needs none of the packages that only a change of this repository needs. */
const FOR_NEWCOMERS = ['examples/sandbox/src/main.ts', 'scripts/tool.ts create-app']

/** @param {{ isProduction: boolean }} what */
function install({ isProduction }) {
  const args = ['ci', ...(isProduction ? ['--omit=dev'] : [])]
  process.stderr.write(
    `Installing packages (npm ${args.join(' ')}); the first time takes half a minute.\n`,
  )
  const npm = process.env.npm_execpath
  const [command, before] =
    npm && /\.c?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', /** @type {string[]} */ ([])]
  const started = Date.now()
  const result = spawnSync(
    command,
    [...before, ...args, '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  if (result.status !== 0 || !findPinnedNode()) {
    process.stderr.write(
      (result.status === 0 ? `Without ${explainMissingNode()} nothing runs. ` : '') +
        'Installing failed. Check that the npm registry can be reached, that it hands out what ' +
        'package-lock.json pins, and that there is free disk space. Then run the same command again.\n',
    )
    process.exit(1)
  }
  process.stderr.write(`Installed in ${Math.round((Date.now() - started) / 1000)} s.\n`)
}

/** What the service serves and a bundler makes: the last file of each build, and what it is made of. */
const BUILDS = [
  {
    build: 'packages/sdk/build.ts',
    built: 'packages/sdk/dist/sdk.mjs',
    sources: ['packages/sdk/src', 'packages/protocol/src'],
  },
  {
    build: 'packages/console/build.ts',
    built: 'packages/console/dist/bundle.json',
    sources: ['packages/console/src', 'packages/ui/src', 'packages/protocol/src'],
  },
  {
    build: 'scripts/docs-site/build.ts',
    built: 'packages/docs-site/dist/bundle.json',
    sources: ['docs', 'packages/docs-site/src', 'packages/protocol/src', 'scripts/docs-site'],
  },
]

/** @param {{ built: string, sources: string[] }} build */
function isStale({ built, sources }) {
  if (!existsSync(join(root, built))) return true
  const builtAt = statSync(join(root, built)).mtimeMs
  return sources.some((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).some(
      (file) => file.isFile() && statSync(join(file.parentPath, file.name)).mtimeMs > builtAt,
    ),
  )
}

/** A restart of the service must not depend on a registry, and must not change what it runs. */
function requireInstalled(/** @type {string} */ script) {
  const missing = listMissing({ isProduction: true })
  if (missing.length > 0) {
    const others = missing.length > 1 ? ` and ${missing.length - 1} more` : ''
    fail(`${missing[0]}${others} is missing or of another version.`, 'npm ci --omit=dev')
  }
  if (script === 'scripts/build.ts') return
  for (const { built } of BUILDS) {
    if (!existsSync(join(root, built))) fail(`${built} is missing.`, 'npm run build')
  }
}

function fail(/** @type {string} */ problem, /** @type {string} */ fix) {
  process.stderr.write(
    `${problem} This command installs and builds nothing by itself. Run this first:\n\n  ${fix}\n\n`,
  )
  process.exit(1)
}

/** After the installation, or the check that there is one. */
const pinned = () => findPinnedNode() ?? fail(`${explainMissingNode()} is missing.`, 'npm ci')

const isAsInstalled = process.argv[2] === '--as-installed'
const [script = '', ...rest] = process.argv.slice(isAsInstalled ? 3 : 2)
if (isAsInstalled) {
  requireInstalled(script)
} else {
  const isProduction = FOR_NEWCOMERS.some((one) => [script, rest[0]].join(' ').startsWith(one))
  if (listMissing({ isProduction }).length > 0) install({ isProduction })
  for (const { build } of BUILDS.filter(isStale)) {
    const { status } = spawnSync(pinned(), [join(root, build)], { stdio: 'inherit' })
    if (status !== 0) process.exit(1)
  }
}

const pinnedNode = pinned()
const child = spawn(pinnedNode, [...NODE_FLAGS, join(root, script), ...rest], {
  stdio: 'inherit',
  env: { ...MALLOC, ...process.env, PATH: `${dirname(pinnedNode)}:${process.env.PATH ?? ''}` },
})
// A terminal sends Ctrl-C to the whole group; a supervisor sends SIGTERM to this process alone.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
// npm passes SIGTERM to the shell that it started and no further: this process is left without its parent.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 200)
}
child.on('exit', (code, signal) => {
  process.exit(signal ? 128 + (constants.signals[signal] ?? 1) : (code ?? 1))
})
