// The packed packages: checked by publint and arethetypeswrong, installed into an empty project,
// and used there by ES modules and by CommonJS, in JavaScript and in types. Uses npm's cache first,
// then the registry.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installAlone } from './installation.ts'
import { makePackedProject } from './packed-project.ts'

/** What a new project gets today; the packages are built with those of Node.js 24. */
const NEWER_NODE_TYPES = '26.6.6'

const run = promisify(execFile)
const tool = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url))

let project: string
let archives: Map<string, string>
before(async () => {
  project = await mkdtemp(join(tmpdir(), 'chartside-packed-'))
  archives = await makePackedProject(project)
})
after(() => rm(project, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFile(join(project, name), text)

/** Runs a command; its output when it fails. */
async function failureOf(command: string, args: readonly string[]): Promise<string | undefined> {
  return run(command, args, { cwd: project }).then(
    () => undefined,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}

test('passes publint and arethetypeswrong', async () => {
  assert.ok(archives.size >= 4)
  for (const [name, archive] of archives) {
    assert.equal(await failureOf(tool('publint'), [archive, '--strict']), undefined, name)
    // A style sheet has no types, and a compiler that knows no exports reads no JSON by them.
    const vectors = ['chart', 'id-token', 'state'].map((vector) => `vectors/${vector}.json`)
    const noTypes = ['--exclude-entrypoints', 'base.css', 'tsconfig.json', 'sdk.js', ...vectors]
    const types = [archive, '--profile', 'strict', '--no-emoji', ...noTypes]
    if (name === 'create-chartside-app') continue
    assert.equal(await failureOf(tool('attw'), types), undefined, name)
  }
})

/** The exports that the documents use, by package. */
const USED: Record<string, readonly string[]> = {
  '@chartside/sdk': ['initServiceSDK', 'initWorkerServiceSDK', 'ServiceSDKError'],
  '@chartside/app-kit/browser': ['beginLaunch', 'readCallback', 'createSession'],
  '@chartside/app-kit/server': ['createAppKit', 'createSessions', 'createWebApp', 'routeExchange'],
  '@chartside/app-kit/page': ['openByExchange', 'runPage'],
  '@chartside/app-kit/node': ['createAssets', 'runApp'],
  '@chartside/app-kit/sqlite': ['openFileStores'],
  '@chartside/app-kit/express': ['toExpress'],
  '@chartside/app-kit/fastify': ['toFastify'],
  '@chartside/app-kit/hono': ['explainErrors'],
  '@chartside/app-kit/next': ['createChartside'],
  '@chartside/test-kit': ['startFakeIssuer', 'createFakeHost'],
  '@chartside/test-kit/app': ['createAppBrowser', 'launchApp', 'testExchangeApp'],
  '@chartside/test-kit/playwright': ['chartside'],
  '@chartside/faults': ['runFaults'],
  '@chartside/protocol/handshake': ['parseHello'],
}

/** These run in a page or on any server of web standards, so their types need no Node. */
const OF_THE_WEB = Object.keys(USED).filter(
  (name) => !/express|fastify|node|test-kit|faults/.test(name),
)
const NODE_TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url))

/** Type checks files of the project, the declarations of every package included. */
async function checkTypes(
  files: readonly string[],
  types: readonly string[],
  typeRoots = [NODE_TYPES],
  further: object = {},
) {
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    strict: true,
    noEmit: true,
    types,
    typeRoots,
    ...further,
  }
  await write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
  return failureOf(tool('tsc'), ['-p', '.'])
}

const SAMPLE_APP = `import {
  type AppSettings,
  createWebApp,
  requireIdentity,
  routeLaunch,
} from '@chartside/app-kit/server'

export const startApp = (settings: AppSettings, log: (line: string) => void) =>
  createWebApp({
    ...{ name: 'Ward Notes', slug: 'ward-notes', settings, log, launch: routeLaunch },
    api: (sessions) => ({
      'GET /api/me': async (request) => {
        const { account } = await requireIdentity(sessions, request)
        return Response.json({ practice: account.name })
      },
    }),
  })
`

/** What the sample of a fake service leaves to its reader. */
const START_MY_APP = `import { serveNode } from '@chartside/app-kit/node'
import { startApp } from './src/app.ts'

async function startMyApp(client: { baseUrl: string; clientId: string; clientSecret: string }) {
  const tokenUrl = client.baseUrl + '/app-auth/token'
  const place = { host: '127.0.0.1', port: 0, publicUrl: 'http://localhost:3000' }
  const settings = { ...client, ...place, tokenUrl, frameAncestors: [] }
  const server = await serveNode(startApp(settings, () => {}), place)
  return { url: 'http://127.0.0.1:' + (server.address() as { port: number }).port }
}
`

/** With the settings of an app that runs its TypeScript as it is. */
const checkSample = (files: readonly string[]) =>
  checkTypes(files, ['node'], [NODE_TYPES], { allowImportingTsExtensions: true })

/** A program that checks every name, with `import` or with `require`. */
function buildProgram(among: readonly string[], style: 'import' | 'require'): string {
  const used = Object.entries(USED).filter(([from]) => among.includes(from))
  const lines = used.map(([from, names]) =>
    style === 'import'
      ? `import { ${names.join(', ')} } from '${from}'`
      : `const { ${names.join(', ')} } = require('${from}')`,
  )
  const found = used.flatMap(([, names]) => names).join(', ')
  return `${lines.join('\n')}
for (const [name, value] of Object.entries({ ${found} })) {
  if (typeof value !== 'function') throw new Error(name + ' is ' + typeof value)
}
`
}

test('resolves types for ES modules and CommonJS; web types need no Node', async () => {
  for (const extension of ['mts', 'cts']) {
    await write(`web.${extension}`, buildProgram(OF_THE_WEB, 'import'))
    await write(`all.${extension}`, buildProgram(Object.keys(USED), 'import'))
  }
  assert.equal(await checkTypes(['web.mts', 'web.cts'], []), undefined)
  assert.equal(await checkTypes(['all.mts', 'all.cts'], ['node']), undefined)
})

test('compiles with newer types of Node.js than its own', async () => {
  const newer = join(project, 'newer')
  await mkdir(newer)
  const manifest = { private: true, dependencies: { '@types/node': NEWER_NODE_TYPES } }
  await writeFile(join(newer, 'package.json'), JSON.stringify(manifest))
  await installAlone(newer)
  await write('newer.mts', buildProgram(Object.keys(USED), 'import'))
  const roots = [join(newer, 'node_modules/@types')]
  assert.equal(await checkTypes(['newer.mts'], ['node'], roots), undefined)
})

test('resolves every name at run time for ES modules and CommonJS', async () => {
  for (const [file, style] of [
    ['run.mjs', 'import'],
    ['run.cjs', 'require'],
  ] as const) {
    await write(file, buildProgram(Object.keys(USED), style))
    assert.equal(await failureOf(process.execPath, [file]), undefined, file)
  }
})

/** The TypeScript samples of a README below a heading. */
async function samplesOf(name: string, heading: string): Promise<string[]> {
  const readme = await readFile(join(project, 'node_modules', name, 'README.md'), 'utf8')
  const [, text = ''] = readme.split(`\n## ${heading}\n`)
  const [section = ''] = text.split('\n## ')
  return [...section.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, sample = '']) => sample)
}

/** Writes a module of an app as its author has it. */
async function writeSample(name: string, text: string): Promise<void> {
  for (const folder of ['src', 'test']) {
    await mkdir(join(project, 'sample', folder), { recursive: true })
  }
  await write('sample/package.json', '{ "type": "module" }')
  await write(`sample/${name}`, text)
}

test('runs the first test of the test kit README on an app of the app kit', async () => {
  const [sample = ''] = await samplesOf('@chartside/test-kit', 'A first test')
  assert.ok(sample.trim().split('\n').filter(Boolean).length <= 8)
  for (const option of ['routeExchange', 'routeTokenEndpoint']) {
    await writeSample('src/app.ts', SAMPLE_APP.replaceAll('routeLaunch', option))
    await writeSample('test/first.test.ts', sample)
    const file = 'sample/test/first.test.ts'
    assert.equal(await checkSample([file]), undefined)
    assert.equal(await failureOf(process.execPath, ['--test', file]), undefined)
  }
})

test('runs the sample of a fake service of the test kit README', async () => {
  const [sample = ''] = await samplesOf('@chartside/test-kit', 'A service')
  await writeSample('src/app.ts', SAMPLE_APP.replaceAll('routeLaunch', 'routeExchange'))
  await writeSample('service.ts', `${START_MY_APP}${sample}\nprocess.exit(0)\n`)
  assert.equal(await checkSample(['sample/service.ts']), undefined)
  assert.equal(await failureOf(process.execPath, ['sample/service.ts']), undefined)
})

test('finds the script of the SDK for the Playwright fixture', async () => {
  const program = `const { chartside } = require('@chartside/test-kit/playwright')
const start = () => { throw new Error('started') }
chartside({ start }).openApp({ page: {} }, (openApp) => openApp()).catch(({ message }) => {
  if (message !== 'started') throw new Error(message)
})`
  await write('fixture.cjs', program)
  assert.equal(await failureOf(process.execPath, ['fixture.cjs']), undefined)
})

test('has the command of the doctor, which names a missing app', async () => {
  const command = join(project, 'node_modules/.bin/faults')
  const empty = join(project, 'empty')
  assert.match((await failureOf(command, ['--app', empty])) ?? '', /no chartside\.app\.json/)
})

test('reports a missing name, so these checks can fail', async () => {
  await write('wrong.mts', "import { initServiceSdk } from '@chartside/sdk'\ninitServiceSdk()\n")
  assert.match((await checkTypes(['wrong.mts'], [])) ?? '', /initServiceSDK/)
})

test('carries its licence, and is found by tools that do not know exports', async () => {
  for (const name of archives.keys()) {
    const folder = join(project, 'node_modules', name)
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    assert.equal(manifest.license, 'Apache-2.0', name)
    assert.ok(manifest.description && manifest.keywords.length >= 3, name)
    const readme = await readFile(join(folder, 'README.md'), 'utf8')
    assert.doesNotMatch(readme, /\]\(\.\.\/|Tests of this package/, name)
    assert.match(await readFile(join(folder, 'LICENSE'), 'utf8'), /Apache License/, name)
    if (manifest.exports) assert.equal(manifest.exports['./package.json'], './package.json', name)
    if (!manifest.exports?.['.']) continue
    const found = createRequire(join(project, 'any.cjs')).resolve(name)
    assert.equal(await realpath(join(folder, manifest.main)), await realpath(found), name)
    assert.match(await readFile(join(folder, manifest.types), 'utf8'), /export/, name)
  }
})

test('needs nothing of this repository but the packed packages', async () => {
  for (const name of archives.keys()) {
    const installed = join(project, 'node_modules', name, 'package.json')
    const { exports = {}, dependencies = {} } = JSON.parse(await readFile(installed, 'utf8'))
    assert.doesNotMatch(JSON.stringify(exports), /src\//)
    for (const [other, range] of Object.entries(dependencies)) {
      assert.doesNotMatch(String(range), /^(file|workspace|link):/)
      if (other.startsWith('@chartside/')) assert.ok(archives.has(other), `${name} needs ${other}`)
    }
  }
})
