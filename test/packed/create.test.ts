// New apps as authors get them: written from the packed packages in every combination, installed,
// type-checked, tested by their own tests, started. All of them share one installation.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { loadManifest } from '../../examples/sandbox/src/manifest.ts'
import { FRAMEWORKS, KINDS, OPTIONS } from '../../packages/create-chartside-app/src/choices.ts'
import { installAlone, installTogether } from './installation.ts'
import { copyArchives } from './packed-archives.ts'

const run = promisify(execFile)

interface Combination {
  readonly option: string
  readonly framework: string
  readonly kind: string
}

const COMBINATIONS: readonly Combination[] = Object.keys(OPTIONS).flatMap((option) =>
  Object.keys(FRAMEWORKS).flatMap((framework) =>
    Object.keys(KINDS)
      .filter((kind) => kind === 'ui' || (framework !== 'react-vite' && framework !== 'next'))
      .map((kind) => ({ option, framework, kind })),
  ),
)
const nameOf = ({ option, framework, kind }: Combination): string =>
  `option-${option}-${framework}-${kind}`

/** Children use the Node.js of this test, and do not report to its test runner. */
const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
const env = {
  ...inherited,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
}
const limits = { env, timeout: 120_000 }

let folder: string
const appDirectory = (combination: Combination): string => join(folder, 'apps', nameOf(combination))

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartside-create-'))
  const archives = await copyArchives(join(folder, 'packed'))
  await installCommand(archives.get('create-chartside-app') ?? '')
  await Promise.all(COMBINATIONS.map(createApp))
  // Next.js is large: npm test -- --release .next installs it.
  await installTogether(folder, COMBINATIONS.map(appDirectory), { leaveOut: ['next'], ...limits })
})
after(() => rm(folder, { recursive: true, force: true }))

/** In a project of its own, so that the apps cannot resolve its dependencies. */
async function installCommand(archive: string): Promise<void> {
  const project = join(folder, 'command')
  await mkdir(project)
  const dependencies = { 'create-chartside-app': `file:${archive}` }
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, dependencies }))
  await installAlone(project, limits)
}

async function createApp(combination: Combination): Promise<void> {
  const command = join(folder, 'command/node_modules/.bin/create-chartside-app')
  const flags = Object.entries(combination).map(([flag, value]) => `--${flag}=${value}`)
  const args = [join('apps', nameOf(combination)), ...flags, '--packages=packed']
  const { stdout } = await run(command, args, { cwd: folder, ...limits })
  assert.match(stdout, /npm run dev/)
}

/** The output of a command in the folder of an app when it failed. */
const failureOf = (
  combination: Combination,
  command: string,
  args: readonly string[],
): Promise<string | undefined> =>
  run(command, args, { cwd: appDirectory(combination), ...limits }).then(
    () => undefined,
    ({ stdout, stderr }) => `${nameOf(combination)}\n${stdout}${stderr}`,
  )

const failureOfScript = (combination: Combination, script: string) =>
  failureOf(combination, 'npm', ['run', script])

/** What `npm test` runs, in one process instead of one for npm, the runner and each file. */
const failureOfTests = (combination: Combination, files = 'test/*.test.ts') =>
  failureOf(combination, process.execPath, ['--test', '--test-isolation=none', files])

test('type-checks every combination of option, framework and kind', async () => {
  const others = COMBINATIONS.filter(({ framework }) => framework !== 'next')
  assert.equal(others.length, 21)
  // With JSX; without it the settings are the same.
  const inReact = COMBINATIONS.find(({ framework }) => framework === 'react-vite')
  assert.ok(inReact)
  const include = ['apps/*/src', 'apps/*/test']
  const exclude = ['apps/*-next-*']
  await checkTypes(others, { extends: tsconfigOf(inReact), include, exclude })
})

test('type-checks what apps with Next.js have without it', async () => {
  const inNext = COMBINATIONS.filter(({ framework }) => framework === 'next')
  const [first] = inNext
  assert.ok(first && inNext.length === 3)
  // The pages and the proxy import Next.js: npm test -- --release .next checks all.
  const include = ['src', 'test', 'app/**/route.ts'].map((path) => `apps/*-next-*/${path}`)
  const compilerOptions = {
    types: ['node'],
    allowJs: false,
    incremental: false,
    tsBuildInfoFile: null,
  }
  await checkTypes(inNext, { extends: tsconfigOf(first), compilerOptions, include })
})

const tsconfigOf = (combination: Combination) => `./apps/${nameOf(combination)}/tsconfig.json`

async function checkTypes(combinations: readonly Combination[], config: object): Promise<void> {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(folder, 'node_modules/.bin/tsc')
  const output = await run(tsc, ['--listFiles'], { cwd: folder, ...limits }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  )
  const lines = output.trim().split('\n')
  assert.deepEqual(
    lines.filter((line: string) => !/^\/.*\.(ts|tsx|mts|cts|json)$/.test(line)),
    [],
  )
  for (const each of combinations) {
    const server = each.framework === 'next' ? 'chartside' : 'app'
    assert.ok(lines.some((line: string) => line.endsWith(`${nameOf(each)}/src/${server}.ts`)))
  }
}

test('accepts the manifest of every combination in the sandbox', async () => {
  for (const each of COMBINATIONS) {
    const manifest = await loadManifest(appDirectory(each))
    assert.deepEqual(manifest.kinds, [each.kind])
    assert.equal(manifest.slug, nameOf(each))
    const text = await readFile(join(appDirectory(each), 'chartside.app.json'), 'utf8')
    // The packages are installed in the folder above the apps.
    const schema = JSON.parse(await readFile(join(folder, JSON.parse(text).$schema), 'utf8'))
    assert.equal(schema.title, 'chartside.app.json')
  }
})

/**
 * One app of each option; the samples run the same tests on the other frameworks. Those with Next.js start
 * without it: their tests are of the route handlers, and npm test -- --release .next builds the pages.
 */
const TESTED: readonly Combination[] = [
  { option: '1', framework: 'react-vite', kind: 'ui' },
  { option: '2', framework: 'hono', kind: 'worker' },
  { option: '3', framework: 'fastify', kind: 'ui' },
  ...Object.keys(OPTIONS).map((option) => ({ option, framework: 'next', kind: 'ui' })),
]

// The first passes its tests by npm test, below.
for (const combination of TESTED.slice(1)) {
  test(`${nameOf(combination)} passes its own tests`, async () => {
    assert.equal(await failureOfTests(combination), undefined)
  })
}

test('passes the tests of an app as its npm test', async () => {
  const [first] = TESTED
  assert.ok(first)
  const { scripts } = JSON.parse(await readFile(join(appDirectory(first), 'package.json'), 'utf8'))
  assert.equal(scripts.test, 'node --test "test/*.test.ts"')
  assert.equal(await failureOfScript(first, 'test'), undefined)
})

test('runs the compiler as the check of an app', async () => {
  const [first] = TESTED
  assert.ok(first)
  assert.equal(await failureOfScript(first, 'check'), undefined)
  const wrong = join(appDirectory(first), 'src/wrong.ts')
  await writeFile(wrong, "export const wrong: number = ''\n")
  assert.match((await failureOfScript(first, 'check')) ?? '', /wrong\.ts/)
  await rm(wrong)
})

const FAKE_IDENTITY = "(await import('@chartside/test-kit/app')).sampleIdentity"

/** Per option, one line of the packed kit with a security check, and the same without the check. */
const REMOVED_CHECKS: Record<string, readonly [line: string, without: string]> = {
  1: ['await kit.verifyIdToken(idToken, { nonceProof })', FAKE_IDENTITY],
  2: ['await kit.verifyIdToken(idToken, { nonceProof })', FAKE_IDENTITY],
  3: ['identity.launchId !== launchId', 'false'],
}

for (const [option, [line, without]] of Object.entries(REMOVED_CHECKS)) {
  test(`fails the tests of an option ${option} app without its security check`, async () => {
    const combination = { option, framework: 'hono', kind: 'ui' }
    // The installation is shared, so this app gets a kit of its own.
    const own = join(appDirectory(combination), 'node_modules')
    const kit = join(own, '@chartside/app-kit')
    await cp(join(folder, 'node_modules/@chartside/app-kit'), kit, COPY)
    const { path, text } = await findInKit(kit, line)
    await writeFile(path, text.replace(line, without))
    const failure = await failureOfTests(combination, 'test/app.test.ts')
    await rm(own, { recursive: true })
    assert.match(failure ?? '', /fail [1-9]/)
  })
}

const COPY = { recursive: true, dereference: true } as const

/** The one file of an app kit that has a line. */
async function findInKit(kit: string, line: string): Promise<{ path: string; text: string }> {
  const modules = join(kit, 'dist/esm')
  const names = (await readdir(modules, { recursive: true })).filter((name) => /\.js$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(modules, name)
      return { path, text: await readFile(path, 'utf8') }
    }),
  )
  const [found, other] = files.filter(({ text }) => text.includes(line))
  assert.ok(found && !other, line)
  return found
}

test('starts an app from .env, prints its address, and stops on SIGTERM', async () => {
  const cwd = appDirectory({ option: '1', framework: 'express', kind: 'ui' })
  const settings = ['CLIENT_ID=cli_1', 'CLIENT_SECRET=cs_1', 'PORT=0', 'PUBLIC_URL=http://app.test']
  await writeFile(join(cwd, '.env'), settings.join('\n'))
  const child = spawn(process.execPath, ['src/main.mjs'], { cwd, env, stdio: 'pipe' })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  assert.equal(line, 'listening on http://app.test')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  await rm(join(cwd, '.env'))
})

test('names the variables to set when an app has no credentials', async () => {
  for (const option of Object.keys(OPTIONS)) {
    const cwd = appDirectory({ option, framework: 'hono', kind: 'worker' })
    const { code, stderr } = await run(process.execPath, ['src/main.mjs'], {
      cwd,
      ...limits,
    }).catch((error) => error)
    assert.equal(code, 1)
    assert.match(stderr, /Set CLIENT_ID and CLIENT_SECRET \(see \.env\.example\)/)
  }
})

test('names the needed version when an app runs on an older Node.js', async () => {
  const cwd = appDirectory({ option: '2', framework: 'fastify', kind: 'ui' })
  const older = "Object.defineProperty(process, 'versions', { value: { node: '22.17.1' } })"
  const { code, stderr } = await run(
    process.execPath,
    ['--import', `data:text/javascript,${older}`, 'src/main.mjs'],
    { cwd, ...limits },
  ).catch((error) => error)
  assert.equal(code, 1)
  assert.match(stderr, /^This app needs Node\.js 22\.18 or newer/)
})
