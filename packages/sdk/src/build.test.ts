// What the served scripts are, as text: small, strict-CSP clean, and open for the host origins.
// Security H06.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync } from 'node:zlib'
import { buildSDK, HOST_ORIGINS_TOKEN } from '../build.ts'
import { version } from './version.ts'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

before(buildSDK)

for (const name of ['sdk.js', 'sdk.mjs']) {
  test(`${name} is under 4 KB with Brotli`, async () => {
    const bytes = brotliCompressSync(await read(`../dist/${name}`)).length
    assert.ok(bytes < 4_000, `${bytes} bytes`)
  })

  test(`${name} has no eval, no cookie and no storage in it [H06]`, async () => {
    const text = await read(`../dist/${name}`)
    assert.doesNotMatch(
      text,
      /eval|Function\(|cookie|localStorage|sessionStorage|indexedDB|innerHTML/,
    )
  })
}

test('the classic script sets window.Chartside once, with the whole surface', async () => {
  const script = (await read('../dist/sdk.js')).replace(
    HOST_ORIGINS_TOKEN,
    '["https://host.example"]',
  )
  const page: { Chartside?: object; URLSearchParams: unknown } = { URLSearchParams }
  runInNewContext(script, page)
  const first = page.Chartside ?? assert.fail()
  assert.deepEqual(Object.keys(first).sort(), [
    'ServiceSDKError',
    'initServiceSDK',
    'initWorkerServiceSDK',
    'version',
  ])
  runInNewContext(script, page)
  assert.equal(page.Chartside, first)
})

test('the version is that of the package', async () => {
  assert.equal(version, JSON.parse(await read('../package.json')).version)
})
