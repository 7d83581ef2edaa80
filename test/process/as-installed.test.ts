// The repository with what `npm ci --omit=dev` installs, in a folder of its own: it is complete, and a start
// of the service installs and builds nothing, but says what is missing and which command brings it. The
// packages are hard links to those of this repository, chosen by the lock file as npm does.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadLockFile } from '../../scripts/supply-chain/lock-file.ts'
import { environmentWithoutSettings, findFreePort, startService } from './service-process.ts'
import { send } from './story-verbs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** On the same file system as the packages. */
mkdirSync(join(root, '.chartside'), { recursive: true })
const copy = mkdtempSync(join(root, '.chartside/as-installed-'))
after(() => rmSync(copy, { recursive: true, force: true }))

/** Nothing can be fetched: a command that tries fails and is seen. The copy has no bundle of the service. */
const OFFLINE = {
  npm_config_registry: 'http://127.0.0.1:9',
  npm_config_offline: 'true',
  BUILT_PROGRAMS: '',
}

before(() => {
  const paths = [
    'packages',
    'examples',
    'docs',
    'scripts',
    'LICENSE',
    'package.json',
    'package-lock.json',
    '.npmrc',
    'tsconfig.base.json',
  ]
  for (const path of paths) {
    const isKept = (from: string) => !/\/(node_modules|dist)$/.test(from)
    cpSync(join(root, path), join(copy, path), { recursive: true, filter: isKept })
  }
  const lock = loadLockFile(root)
  const places = Object.keys(lock).filter((place) => place.includes('node_modules/'))
  const installed: Record<string, object> = {}
  link('node_modules/.bin')
  // Those above first: a folder comes with the folders in it.
  for (const place of places.sort()) {
    const entry = lock[place] ?? {}
    if (entry.dev || entry.link || !existsSync(join(root, place))) continue
    installed[place] = entry
    link(place)
  }
  for (const [place, { link: isLink, resolved = '' }] of Object.entries(lock)) {
    if (!isLink || !existsSync(join(copy, resolved))) continue
    mkdirSync(dirname(join(copy, place)), { recursive: true })
    symlinkSync(join(copy, resolved), join(copy, place))
  }
  writeFileSync(
    join(copy, 'node_modules/.package-lock.json'),
    JSON.stringify({ packages: installed }),
  )
})

/** Without the packages below it, which have a place of their own. */
function link(place: string): void {
  const to = join(copy, place)
  if (existsSync(to)) return
  mkdirSync(dirname(to), { recursive: true })
  execFileSync('cp', ['-al', '--no-target-directory', join(root, place), to])
}

const run = (program: string, args: string[], extra: Record<string, string> = {}) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const env = { ...environmentWithoutSettings(), ...OFFLINE, ...extra }
    execFile(program, args, { cwd: copy, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    )
  })
const runNpm = (args: string[]) => run('npm', args)

test('a start without the builds says so and builds nothing', async () => {
  const { code, text } = await runNpm(['run', 'serve'])
  assert.equal(code, 1, text)
  assert.match(text, /packages\/sdk\/dist\/sdk\.mjs is missing[\s\S]*npm run build/)
})

test('what npm ci --omit=dev installs is complete: it builds, serves SDK and console', async () => {
  const { scripts } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))
  assert.equal(scripts.prepare, scripts.build, 'npm ci builds')
  const { code, text } = await runNpm(['run', 'build'])
  assert.equal(code, 0, text)
  const port = await findFreePort()
  const service = await startService({
    port,
    command: ['npm', 'run', 'serve'],
    cwd: copy,
    environment: OFFLINE,
  })
  try {
    for (const path of ['/sdk/manifest.json', '/sdk/v1/sdk.js', '/console', '/doc']) {
      assert.equal((await send(service.baseUrl, path)).status, 200, path)
    }
  } finally {
    await service.end('SIGTERM')
    await service.discard()
  }
})

test('a start with a package away names it, installs nothing and removes nothing', async () => {
  const place = join(copy, 'node_modules/pino')
  renameSync(place, `${place}-away`)
  const { code, text } = await runNpm(['run', 'serve'])
  renameSync(`${place}-away`, place)
  assert.equal(code, 1, text)
  assert.match(text, /node_modules\/pino is missing[\s\S]*npm ci --omit=dev/)
  assert.equal(
    (await runNpm(['run', 'chartside', '--', '--version'])).code,
    0,
    'nothing was removed',
  )
})

test('what npm ci --omit=dev installs is enough to create an app', async () => {
  const app = join(copy, 'own-app')
  const { code, text } = await runNpm(['run', 'tool', '--', 'create-app', app, '--yes'])
  assert.equal(code, 0, text)
  assert.doesNotMatch(text, /Installing packages/)
  assert.ok(existsSync(join(app, 'chartside.app.json')))
})

test('npm start and create-app fetch no packages for changing this repository', async () => {
  const npm = join(copy, 'npm-says.cjs')
  writeFileSync(npm, 'console.log("npm", process.argv.slice(2, 4).join(" ")); process.exit(1)')
  const place = join(copy, 'node_modules/pino')
  renameSync(place, `${place}-away`)
  const installs = async (...args: string[]) => {
    const front = join(copy, 'scripts/run.mjs')
    const { text } = await run(process.execPath, [front, ...args], { npm_execpath: npm })
    return /^npm .+$/m.exec(text)?.[0]
  }
  const asked = {
    start: await installs('examples/sandbox/src/main.ts', '--app', '../own-app'),
    'create-app': await installs('scripts/tool.ts', 'create-app', '../own-app'),
    numbers: await installs('scripts/tool.ts', 'numbers'),
    test: await installs('scripts/test.ts'),
  }
  renameSync(`${place}-away`, place)
  assert.deepEqual(asked, {
    start: 'npm ci --omit=dev',
    'create-app': 'npm ci --omit=dev',
    numbers: 'npm ci --no-audit',
    test: 'npm ci --no-audit',
  })
})
