// The served scripts as text: small, without what a strict CSP forbids, with the origins
// placeholder. Security H06.
import assert from 'node:assert/strict'
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync } from 'node:zlib'
import { buildSDK, HOST_ORIGINS_TOKEN } from '../build.ts'
import { version } from './version.ts'

type Loader = typeof import('./index.ts')

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartside-sdk-'))
  await buildSDK(folder)
})
after(() => rm(folder, { recursive: true, force: true }))

const read = (name: string) => readFile(join(folder, name), 'utf8')

/** As a service has them: an extension and a sandbox. */
const HOST_ORIGINS = [
  `chrome-extension://jdkfhamcgbplioenoajkdchgmfbpeiln`,
  'https://sandbox.example',
]

for (const [name, maxBytes] of [
  ['sdk.js', 5_000],
  ['sdk.mjs', 5_000],
  ['loader.js', 1_700],
  ['loader.cjs', 2_000],
] as const) {
  test(`builds ${name} under ${maxBytes} bytes with Brotli`, async () => {
    const script = (await read(name)).replace(HOST_ORIGINS_TOKEN, JSON.stringify(HOST_ORIGINS))
    const bytes = brotliCompressSync(script).length
    assert.ok(bytes <= maxBytes, `${bytes} bytes`)
  })

  test(`builds ${name} without eval, cookies and storage [H06]`, async () => {
    assert.doesNotMatch(
      await read(name),
      /eval|Function\(|cookie|localStorage|sessionStorage|indexedDB|innerHTML/,
    )
  })
}

test('exports the same names by import and require on a server, where only init fails', async () => {
  const imported: Loader = await import(pathToFileURL(join(folder, 'loader.js')).href)
  const required: Loader = createRequire(import.meta.url)(join(folder, 'loader.cjs'))
  const names = ['ServiceSDKError', 'initServiceSDK', 'initWorkerServiceSDK', 'reportLaunchFailure']
  for (const loader of [imported, required]) {
    assert.deepEqual(Object.keys(loader).sort(), names)
    const error = await loader.initServiceSDK({ baseUrl: 'https://service.example' }).then(
      () => assert.fail('there is no page to load it into'),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof loader.ServiceSDKError)
    assert.equal(error.code, 'HOST_NOT_FOUND')
    assert.match(error.message, /in the browser/)
    loader.reportLaunchFailure({ code: 'x', message: 'there is no host to report it to' })
  }
  assert.equal(imported.ServiceSDKError, required.ServiceSDKError)
})

test('leaves complete files when two builds run at once', async () => {
  const whole = await read('sdk.js')
  await writeFile(join(folder, 'sdk.js'), 'of an earlier build')
  const reader = await open(join(folder, 'sdk.js'))
  await Promise.all([buildSDK(folder), buildSDK(folder)])
  assert.equal(
    await reader.readFile('utf8'),
    'of an earlier build',
    'the file was not written in place',
  )
  await reader.close()
  assert.equal(await read('sdk.js'), whole)
  assert.deepEqual((await readdir(folder)).sort(), ['loader.cjs', 'loader.js', 'sdk.js', 'sdk.mjs'])
})

test('sets window.Chartside once, with all exports', async () => {
  const script = (await read('sdk.js')).replace(HOST_ORIGINS_TOKEN, '["https://host.example"]')
  const page: { Chartside?: object; URLSearchParams: unknown } = { URLSearchParams }
  runInNewContext(script, page)
  const first = page.Chartside ?? assert.fail()
  assert.deepEqual(Object.keys(first).sort(), [
    'ServiceSDKError',
    'initServiceSDK',
    'initWorkerServiceSDK',
    'reportLaunchFailure',
    'version',
  ])
  runInNewContext(script, page)
  assert.equal(page.Chartside, first)
})

test('keeps window.Chartside when another script assigns to it', async () => {
  const script = (await read('sdk.js')).replace(HOST_ORIGINS_TOKEN, '["https://host.example"]')
  const page: { Chartside?: object; URLSearchParams: unknown } = { URLSearchParams }
  runInNewContext(script, page)
  const first = page.Chartside
  runInNewContext('Chartside = {}; Chartside.initServiceSDK = null', page)
  assert.equal(page.Chartside, first)
  assert.equal(typeof (page.Chartside as Loader).initServiceSDK, 'function')
  runInNewContext('const Chartside = window.Chartside', Object.assign(page, { window: page }))
})

test('replaces an element with the id Chartside', async () => {
  const script = (await read('sdk.js')).replace(HOST_ORIGINS_TOKEN, '["https://host.example"]')
  const page = { Chartside: { tagName: 'DIV' }, URLSearchParams }
  runInNewContext(script, page)
  assert.ok('initServiceSDK' in page.Chartside)
})

test('has the version of the package', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  assert.equal(version, JSON.parse(manifest).version)
})
