// What the command writes, and when it writes nothing: refusals, missing packages.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CommanderError } from 'commander'
import { Cancelled, Refusal } from '../src/choices.ts'
import { writeApp } from '../src/write-app.ts'
import { openFixture } from './command-fixture.ts'

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

test('asks nothing when the flags answer every question', async (t) => {
  const { cwd, run, output } = openFixture(t)
  await run('../my-app --option 2 --framework hono --kind worker --name Ward-Watch --yes')
  const app = join(cwd, '../my-app')
  assert.deepEqual(readJson(join(app, 'chartside.app.json')), {
    $schema: './node_modules/@chartside/sandbox/chartside.app.schema.json',
    name: 'Ward-Watch',
    kinds: ['worker'],
    workerLaunchUrl: '{origin}/launch',
    redirectUris: ['{origin}/callback'],
    tokenEndpoint: '{origin}/token',
    exchange: 'token_endpoint',
    start: 'npm start',
  })
  const { name, dependencies, devDependencies } = readJson(join(app, 'package.json'))
  assert.equal(name, 'ward-watch')
  assert.deepEqual(Object.keys(dependencies), [
    '@chartside/app-kit',
    '@chartside/sdk',
    '@hono/node-server',
    'esbuild',
    'hono',
  ])
  assert.equal(dependencies['@chartside/sdk'], '^1.0.0')
  const { '@chartside/sandbox': sandbox, '@chartside/test-kit': testKit } = devDependencies
  assert.deepEqual([sandbox, testKit], ['^1.0.0', '^1.0.0'])
  assert.ok(!('@chartside/server' in devDependencies))
  assert.ok(!readdirSync(app).includes('vendor'))
  assert.match(output(), /cd \.\.\/my-app\n {2}npm install\n {2}npm test/)
})

test('uses defaults without flags: option 1, Express, UI, the directory’s name', async (t) => {
  const { cwd, run } = openFixture(t)
  await run('ward-round_2')
  const app = join(cwd, 'ward-round_2')
  const { name, exchange, kinds } = readJson(join(app, 'chartside.app.json'))
  assert.deepEqual([name, exchange, kinds], ['Ward Round 2', 'app', ['ui']])
  assert.ok('express' in readJson(join(app, 'package.json')).dependencies)
  assert.ok(readdirSync(app).includes('.gitignore'))
})

for (const [what, args, message] of [
  ['no directory', '', /Say where the app goes, such as: npm create chartside-app my-app/],
  ['a directory name that is no app name', '___', /give up to 60 characters/],
  [
    'a name without a character from a to z or a digit',
    'a --name ÄÖ',
    /character from a to z or a digit/,
  ],
  ['a name with braces', 'a --name {{slug}}', /no braces/],
  [
    'an archive folder that is empty',
    'a --packages .',
    /no chartside-protocol-….tgz in .*npm run pack/,
  ],
] as const) {
  test(`refuses ${what}, and writes nothing`, async (t) => {
    const { run, list } = openFixture(t)
    const error = await run(args).catch((error) => error)
    assert.ok(error instanceof Refusal || error instanceof CommanderError)
    assert.match(error.message, message)
    assert.deepEqual(list(), ['here'])
  })
}

for (const [flag, allowed] of [
  ['--option 4', /Allowed choices are 1, 2, 3/],
  ['--framework koa', /Allowed choices are express, fastify, hono, react-vite, next/],
  ['--kind both', /Allowed choices are ui, worker/],
  ['--colour red', /unknown option '--colour'[\s\S]*--help/],
  ['another-directory', /too many arguments/],
] as const) {
  test(`refuses ${flag}, names the allowed values, and writes nothing`, async (t) => {
    const { run, list, output } = openFixture(t)
    await assert.rejects(run(`my-app ${flag}`), CommanderError)
    assert.match(output(), allowed)
    assert.deepEqual(list(), ['here'])
  })
}

for (const [version, isWarned] of [
  ['v20.19.4', true],
  ['v22.17.1', true],
  ['v22.18.0', false],
  ['v24.0.0', false],
] as const) {
  test(`${isWarned ? 'warns of' : 'says nothing of'} Node.js ${version} after writing`, async (t) => {
    const { cwd, run, output } = openFixture(t)
    await run('my-app', { nodeVersion: version })
    assert.equal(output().includes(`your Node.js is ${version}`), isWarned)
    assert.ok(readdirSync(cwd).includes('my-app'))
  })
}

test('--help names every flag and every choice, and exits with 0', async (t) => {
  const { run, output } = openFixture(t)
  await assert.rejects(run('--help'), { exitCode: 0 })
  for (const word of ['--name', '--option', '--framework', '--kind', '--packages', '--yes']) {
    assert.ok(output().includes(word), word)
  }
  assert.match(
    output(),
    /registered token endpoint[\s\S]*"express",\s+"fastify",\s+"hono",\s+"react-vite",\s+"next"/,
  )
})

test('refuses a directory that is not empty, before any question or packing', async (t) => {
  const { cwd, run, list } = openFixture(t)
  writeFileSync(join(cwd, 'notes.txt'), 'mine')
  const never = () => assert.fail('must not come to this')
  const error = await run('.', { ask: never, pack: never }).catch((error) => error)
  assert.match(error.message, /here is not empty \(it holds notes\.txt\)\. Name another/)
  await assert.rejects(run('notes.txt'), /is a file\. Name a directory/)
  assert.deepEqual(list(), ['here', 'here/notes.txt'])
})

test('refuses a dangling link', async (t) => {
  const { cwd, run } = openFixture(t)
  symlinkSync(join(cwd, 'gone'), join(cwd, 'link'))
  await assert.rejects(run('link'), /is a dangling link/)
})

test('writes into an empty directory without replacing it, also beside .git', async (t) => {
  const { cwd, run, output } = openFixture(t)
  mkdirSync(join(cwd, '.git'))
  const { ino } = statSync(cwd)
  await run('. --name Ward')
  assert.equal(statSync(cwd).ino, ino)
  assert.ok(readdirSync(cwd).includes('.git'))
  assert.ok(readdirSync(cwd).includes('package.json'))
  assert.doesNotMatch(output(), /^ {2}cd/m)
})

test('leaves nothing beside the app, and gives it default permissions', async (t) => {
  const { cwd, run } = openFixture(t)
  await run('deep/down/my-app')
  assert.deepEqual(readdirSync(join(cwd, 'deep/down')), ['my-app'])
  mkdirSync(join(cwd, 'any'))
  const modeOf = (name: string) => statSync(join(cwd, name)).mode
  assert.equal(modeOf('deep/down/my-app'), modeOf('any'))
})

test('leaves nothing after Ctrl-C during writing, not even parent folders', async (t) => {
  const { cwd, list } = openFixture(t)
  const stopping = new AbortController()
  const files = new Map([['a.txt', 'a']])
  files[Symbol.iterator] = function* () {
    yield ['a.txt', 'a']
    assert.ok(list().some((path) => String(path).endsWith('a.txt')))
    stopping.abort(new Cancelled())
    yield ['b.txt', 'b']
    return undefined
  } as () => MapIterator<[string, string]>
  const writing = writeApp(join(cwd, 'deep/down/my-app'), files, stopping.signal)
  await assert.rejects(writing, Cancelled)
  assert.deepEqual(list(), ['here'])
})

test('writes nothing after Ctrl-C at a question', async (t) => {
  const { run, list } = openFixture(t)
  const ask = async () => {
    throw new Cancelled()
  }
  await assert.rejects(run('my-app', { ask }), Cancelled)
  assert.deepEqual(list(), ['here'])
})

const AT_HOME = ['test-kit', 'faults', 'server', 'sandbox']
const archiveOf = (name: string) => `chartside-${name}-1.0.0.tgz`
const ARCHIVES = ['protocol', 'sdk', 'app-kit', ...AT_HOME].map(archiveOf)
const writeArchives = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  for (const name of ARCHIVES) writeFileSync(join(folder, name), name)
}

test('copies the packages of a folder to vendor/, and names them in package.json', async (t) => {
  const { cwd, run } = openFixture(t)
  writeArchives(join(cwd, 'packed'))
  await run('my-app --packages packed', { pack: () => assert.fail('must not pack') })
  const app = join(cwd, 'my-app')
  assert.deepEqual(readdirSync(join(app, 'vendor')).sort(), [...ARCHIVES].sort())
  const { dependencies, devDependencies } = readJson(join(app, 'package.json'))
  for (const name of ['protocol', 'sdk', 'app-kit']) {
    assert.equal(dependencies[`@chartside/${name}`], `file:vendor/${archiveOf(name)}`)
  }
  for (const name of AT_HOME) {
    assert.equal(devDependencies[`@chartside/${name}`], `file:vendor/${archiveOf(name)}`)
  }
  assert.match(
    readFileSync(join(app, 'README.md'), 'utf8'),
    /`vendor\/` holds the Chartside packages/,
  )
})

test('refuses a folder with two versions of a package', async (t) => {
  const { cwd, run } = openFixture(t)
  writeArchives(join(cwd, 'packed'))
  writeFileSync(join(cwd, 'packed/chartside-sdk-1.0.1.tgz'), '')
  await assert.rejects(run('my-app --packages packed'), /both chartside-sdk-1\.0\.[01]\.tgz and/)
  assert.ok(!readdirSync(cwd).includes('my-app'))
})

test('packs the packages of a checkout first, and prints that', async (t) => {
  const { cwd, run, output } = openFixture(t)
  let packed = ''
  const pack = async (folder: string) => {
    packed = folder
    writeArchives(folder)
  }
  await run('my-app', { pack })
  assert.match(output(), /^Packing the Chartside packages of this checkout/)
  assert.equal(readdirSync(join(cwd, 'my-app/vendor')).length, ARCHIVES.length)
  assert.throws(() => statSync(packed), { code: 'ENOENT' })
})
