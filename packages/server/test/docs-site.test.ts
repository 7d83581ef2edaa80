// The documentation as the service serves it: pages, one address for each error code, and the switch.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildManifestSchema } from '@chartside/protocol/app-manifest-schema'
import { API_ERRORS } from '../src/kernel/errors.ts'
import { REASONS } from '../src/kernel/reasons.ts'
import { startTestService, type TestService } from './test-service.ts'

let node: TestService
before(async () => {
  node = await startTestService()
})
after(() => node.close())

const get = (url: string, headers = {}) => node.server.inject({ method: 'GET', url, headers })

test('serves each page below a policy without inline script or style [H01]', async () => {
  for (const [url, title] of [
    ['/docs', 'Documentation'],
    ['/docs/build/your-app', 'An app of your own'],
    ['/docs/inside/spec', 'Requirements'],
  ] as const) {
    const page = await get(url)
    assert.equal(page.statusCode, 200, url)
    assert.match(page.headers['content-type'] as string, /^text\/html/)
    assert.ok(page.body.includes(`>${title}</h1>`), url)
    assert.doesNotMatch(page.body, / style=|<style|<script(?![^>]+src=)| on\w+=/)
    const policy = String(page.headers['content-security-policy'])
    assert.match(policy, /default-src 'none'.*require-trusted-types-for 'script'/)
  }
})

test('serves script, sheet and search index compressed and immutable', async () => {
  const { body } = await get('/docs')
  const names = [...body.matchAll(/docs\/(assets\/[\w.-]+\.(?:js|css|json))"/g)]
  assert.equal(names.length, 3)
  for (const [, name] of names) {
    const file = await get(`/docs/${name}`, { 'accept-encoding': 'br' })
    assert.equal(file.statusCode, 200, name)
    assert.equal(file.headers['content-encoding'], 'br')
    assert.match(String(file.headers['cache-control']), /immutable/)
  }
})

test('serves what a tool reads: the schema of chartside.app.json', async () => {
  const file = await get('/docs/chartside.app.schema.json')
  assert.equal(file.headers['content-type'], 'application/json; charset=utf-8')
  assert.deepEqual(file.json(), buildManifestSchema())
})

test('leads from each error code to the row that explains it', async () => {
  const codes = [...Object.keys(API_ERRORS), ...Object.keys(REASONS), 'HANDSHAKE_TIMEOUT']
  for (const code of codes) {
    const answer = await get(`/docs/errors/${code}`)
    assert.equal(answer.statusCode, 302, code)
    const { pathname, hash } = new URL(String(answer.headers.location))
    const body = (await get(pathname)).body.replaceAll('<wbr>', '')
    assert.ok(body.includes(`<tr id="${hash.slice(1)}"><td><code>${code}</code>`), code)
  }
})

test('leads from /docs/ to the first page, whose files are relative to /docs', async () => {
  const answer = await get('/docs/')
  assert.equal(answer.statusCode, 302)
  assert.equal(new URL(String(answer.headers.location)).pathname, '/docs')
})

test('answers 404 for other addresses, and for all when it is off', async (t) => {
  for (const url of [
    '/docs/build/nothing',
    '/docs/errors/nothing',
    '/docs/errors/toString',
    '/docs/assets/..%2fbundle.json',
    '/docs/bundle.json',
    '/docs/../packages',
  ]) {
    assert.equal((await get(url)).statusCode, 404, url)
  }
  const off = await startTestService({ CHARTSIDE_DOCS: 'off' })
  t.after(() => off.close())
  for (const url of ['/docs', '/docs/', '/docs/build/errors', '/docs/errors/invalid_grant']) {
    const answer = await off.server.inject({ method: 'GET', url })
    assert.equal(answer.statusCode, 404, url)
  }
})
