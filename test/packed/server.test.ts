// What operators get: @chartside/server packed, installed into an empty folder, started in production form
// with SQLite, and the files of the container image started as an empty, read-only root. One installation
// for all tests of the file. Third-party packages come from npm's cache first.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { rootCertificates } from 'node:tls'
import { promisify } from 'node:util'
import { assembleImage, type Image } from '../../scripts/image.ts'
import {
  ADMIN,
  environmentWithoutSettings,
  type StartOptions,
  startService,
} from '../process/service-process.ts'
import { exchange, freshCode, isActive, send, setUpPractice } from '../process/story-verbs.ts'
import { emptyRoot } from './empty-root.ts'
import { copyArchives } from './packed-archives.ts'

const run = promisify(execFile)
const MAX_MEGABYTES = 160

const folder = mkdtempSync(join(tmpdir(), 'chartside-packed-server-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let image: Image
let app: string
before(async () => {
  const archives = await copyArchives(join(folder, 'archives'))
  const archive = archives.get('@chartside/server')
  assert.ok(archive)
  image = await assembleImage(join(folder, 'image'), archive)
  app = join(image.folder, 'app')
})

const PRODUCTION = {
  CHARTSIDE_ENVIRONMENT: 'production',
  CHARTSIDE_BASE_URL: 'https://connect.example',
  CHARTSIDE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  CHARTSIDE_ALLOWED_NETWORKS: 'loopback',
}

/** As npx runs it: the link that npm made, and the Node.js of the path. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
const command = () => join(app, 'node_modules/.bin/chartside')
const environment = (changes: object = {}) => ({
  ...environmentWithoutSettings(),
  PATH,
  ...changes,
})

/** Starts it, does what a platform exists for, reads what browsers load, and ends it. */
async function serveOneLaunch(options: StartOptions, probe?: (port: number) => Promise<void>) {
  const service = await startService(options)
  try {
    const practice = await setUpPractice(service.baseUrl, ADMIN)
    const issued = await exchange(practice, await freshCode(practice))
    assert.equal(issued.status, 200, issued.text)
    assert.equal(await isActive(practice, String(issued.body.access_token)), true)
    const pages = ['/sdk/manifest.json', '/sdk/v1/sdk.js', '/console', '/auth/sign-in', '/doc']
    for (const path of [...pages, '/openapi.json', '/doc/filter.mjs', '/auth/sign-in.mjs']) {
      assert.equal((await send(service.baseUrl, path)).status, 200, path)
    }
    await probe?.(service.port)
    const page = (await send(service.baseUrl, '/console')).text
    const [, script = ''] = /src="[^"]*?(\/console\/[^"]+\.js)"/.exec(page) ?? []
    assert.equal((await send(service.baseUrl, script)).status, 200, script)
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    return service
  } finally {
    await service.discard()
  }
}

test('installed alone it serves a launch in production form, and SIGTERM ends it', async () => {
  const { readyAfterMs } = await serveOneLaunch({
    command: [command()],
    cwd: app,
    environment: { ...PRODUCTION, PATH },
  })
  console.log(`ready after ${readyAfterMs.toFixed(0)} ms`)
})

test('the installed versions are those of the lock file', () => {
  const of = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const { packages } = of(join(app, 'node_modules/@chartside/server/npm-shrinkwrap.json'))
  const places = Object.keys(packages).filter((place) => place !== '')
  assert.ok(places.length > 50)
  for (const place of places) {
    assert.match(packages[place].integrity, /^sha512-/)
    const { version } = of(join(app, place, 'package.json'))
    assert.equal(version, packages[place].version, place)
  }
})

test('says what it is, what it can do, and what production lacks', async () => {
  const ran = async (args: string[], changes: object = {}) =>
    run(command(), args, { cwd: app, env: environment(changes) }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )
  assert.match((await ran(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
  assert.match((await ran(['--help'])).stdout, /serve[\s\S]*migrate[\s\S]*users/)
  assert.match((await ran(['serve', '--help'])).stdout, /CHARTSIDE_MASTER_KEY/)
  const missing = await ran([], { CHARTSIDE_ENVIRONMENT: 'production' })
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /CHARTSIDE_BASE_URL[\s\S]*CHARTSIDE_MASTER_KEY/)
  assert.doesNotMatch(missing.stderr, /\n {4}at /)
  const data = { CHARTSIDE_DATA_DIR: join(folder, 'migrated') }
  assert.equal((await ran(['migrate'], data)).code, 0)
  const evidence = JSON.parse((await ran(['evidence', '--json'], data)).stdout)
  assert.equal(evidence.software.sbom.path, join(image.folder, 'sbom.cdx.json'))
  assert.ok(existsSync(join(folder, 'migrated/chartside.db')))
})

test('the image has licences, an SBOM, no shell, and about 150 MB', async () => {
  console.log(`the files of the image: ${image.megabytes} MB`)
  assert.ok(image.megabytes <= MAX_MEGABYTES, `${image.megabytes} MB`)
  const sbom = JSON.parse(readFileSync(join(image.folder, 'sbom.cdx.json'), 'utf8'))
  assert.equal(sbom.bomFormat, 'CycloneDX')
  const names = sbom.components.map(({ name }: { name: string }) => name)
  for (const name of ['fastify', 'pg', 'preact', 'node']) assert.ok(names.includes(name), name)
  for (const name of ['LICENSE', 'THIRD_PARTY_NOTICES.txt', 'node.txt']) {
    assert.ok(existsSync(join(image.folder, 'licenses', name)), name)
  }
  assert.deepEqual(globSync('**/{sh,bash,npm,npx}', { cwd: image.folder }), [])
})

test('the image serves a launch as a read-only root without root rights', async (t) => {
  const data = join(folder, 'data')
  mkdirSync(data)
  if (process.getuid?.() === 0) chownSync(data, 65532, 65532)
  const enter = await emptyRoot(image.folder, data)
  if ('why' in enter) return t.skip(enter.why)
  // What the Containerfile starts.
  const recipe = readFileSync(new URL('../../deploy/Containerfile', import.meta.url), 'utf8')
  const listed = (name: string) =>
    JSON.parse(new RegExp(`${name} (\\[.*\\])`).exec(recipe)?.[1] ?? '')
  const entry = [...enter.prefix, ...listed('ENTRYPOINT')]
  const check = [...enter.prefix, ...listed('    CMD')]
  const checkHealth = (port: number) =>
    run(check[0] ?? '', check.slice(1), {
      env: environment({ ...PRODUCTION, CHARTSIDE_PORT: String(port) }),
    })
  const { port } = await serveOneLaunch(
    { dataDir: '/data', command: [...entry, ...listed('\\nCMD')], environment: PRODUCTION },
    async (port) => assert.match((await checkHealth(port)).stdout, /"live"/),
  )
  assert.ok(existsSync(join(data, 'chartside.db')))
  await assert.rejects(checkHealth(port), ({ code, stderr }) => {
    assert.match(stderr, /does not answer/)
    return code === 1
  })
  const [node = '', ...flags] = listed('ENTRYPOINT').slice(0, -1)
  const count = "console.log(new Set(require('node:tls').getCACertificates('system')).size)"
  const counted = await run(
    enter.prefix[0] ?? '',
    [...enter.prefix.slice(1), node, ...flags, '-e', count],
    { env: environment() },
  )
  assert.equal(Number(counted.stdout), rootCertificates.length)
  const write =
    "try { require('fs').writeFileSync('/x', '') } catch (e) { console.log(e.code, process.getuid()) }"
  const tried = await run(enter.prefix[0] ?? '', [
    ...enter.prefix.slice(1),
    '/usr/bin/node',
    '-e',
    write,
  ])
  assert.match(tried.stdout, /^EROFS /)
  assert.equal(tried.stdout.trim().split(' ')[1], enter.uid)
})
