// The headers of an app's pages, and the router: who may frame a page, which scripts run, a nonce of
// each request, and error responses. Spec §5.5; Content Security Policy Level 3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildPageHeaders, createRouter, mintNonce } from './router.ts'

const SETTINGS = {
  baseUrl: 'https://chartside.example',
  frameAncestors: ['http://ehr.example', 'chrome-extension://abc'],
}

const directivesOf = (headers: Readonly<Record<string, string>>): Map<string, string[]> =>
  new Map(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )

test('names who may frame a page, and allows the nonce, the SDK and nothing inline', () => {
  const headers = buildPageHeaders(SETTINGS, 'r4nd0m')
  const directives = directivesOf(headers)
  assert.deepEqual(directives.get('default-src'), ["'none'"])
  assert.deepEqual(directives.get('frame-ancestors'), SETTINGS.frameAncestors)
  const own = ["'self'", "'nonce-r4nd0m'"]
  assert.deepEqual(directives.get('script-src'), [...own, 'https://chartside.example'])
  assert.deepEqual(directives.get('style-src'), own)
  assert.doesNotMatch(headers['content-security-policy'] ?? '', /unsafe/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
})

test('lets no site frame a page when none is named', () => {
  const headers = buildPageHeaders({ ...SETTINGS, frameAncestors: [] }, mintNonce())
  assert.deepEqual(directivesOf(headers).get('frame-ancestors'), ["'none'"])
})

test('lets a development server in, and evaluates modules only for a framework', () => {
  const development = { ...SETTINGS, isDevelopment: true }
  const own = directivesOf(buildPageHeaders(development))
  assert.deepEqual(own.get('connect-src'), ["'self'", 'http://localhost:*', 'ws://localhost:*'])
  assert.doesNotMatch(own.get('script-src')?.join(' ') ?? '', /unsafe/)
  const written = directivesOf(buildPageHeaders(development, 'r4nd0m'))
  assert.match(written.get('script-src')?.join(' ') ?? '', /'unsafe-inline' 'unsafe-eval'/)
  assert.doesNotMatch([...written.values()].join(' '), /nonce/)
  for (const directives of [own, written]) {
    assert.deepEqual(directives.get('frame-ancestors'), SETTINGS.frameAncestors)
  }
})

test('mints a nonce of 128 bits for each request, which a policy accepts', () => {
  const nonces = Array.from({ length: 100 }, mintNonce)
  assert.equal(new Set(nonces).size, 100)
  for (const nonce of nonces) {
    assert.equal(Buffer.from(nonce, 'base64').length, 16)
    assert.match(buildPageHeaders(SETTINGS, nonce)['content-security-policy'] ?? '', /'nonce-/)
  }
})

test('answers 404 under the headers at an unknown address', async () => {
  const lines: string[] = []
  const headers = buildPageHeaders(SETTINGS)
  const app = createRouter({ routes: {}, headers, log: (line) => lines.push(line) })
  const response = await app(new Request('http://app.example/constructor'))
  assert.equal(response.status, 404)
  assert.ok(response.headers.has('content-security-policy'))
  assert.deepEqual(lines, ['failed: not_found'])
})
