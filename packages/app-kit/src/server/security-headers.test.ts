// The exact policy of an app's pages. Spec §5.5; security H01, H06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildContentSecurityPolicy, buildSecurityHeaders } from './security-headers.ts'

const sdkUrl = 'https://chartside.example/sdk/1.0.0-abc/sdk.js'

test('allows the SDK script and no other source [H01] [H06]', () => {
  assert.equal(
    buildContentSecurityPolicy({ sdkUrl }),
    "default-src 'none'; script-src 'self' https://chartside.example; style-src 'self'; " +
      "connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'self'",
  )
})

test('restricts framing only with a list of origins', () => {
  const of = (hostOrigins: string[]) => buildContentSecurityPolicy({ sdkUrl, hostOrigins })
  const extension = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'
  assert.match(of([extension]), new RegExp(`; frame-ancestors ${extension}$`))
  assert.match(of([]), /; frame-ancestors 'none'$/)
})

test("adds a nonce and sources, and drops 'none' beside a source", () => {
  const policy = buildContentSecurityPolicy({
    sdkUrl,
    nonce: 'r4nd0m',
    extra: { 'img-src': ['https://i.example'], 'base-uri': ["'self'"], 'worker-src': ["'self'"] },
  })
  assert.match(policy, /script-src 'self' 'nonce-r4nd0m' https:\/\/chartside\.example;/)
  assert.match(policy, /style-src 'self' 'nonce-r4nd0m';/)
  assert.match(policy, /img-src 'self' data: https:\/\/i\.example;/)
  assert.match(policy, /base-uri 'self';/)
  assert.match(policy, /worker-src 'self'$/)
})

test('refuses a source that would break out of its directive', () => {
  for (const source of ["x; script-src 'unsafe-inline'", 'a b', 'a,b', '', 'a\nb']) {
    assert.throws(() => buildContentSecurityPolicy({ sdkUrl, hostOrigins: [source] }))
    assert.throws(() => buildContentSecurityPolicy({ sdkUrl, extra: { 'img-src': [source] } }))
    if (source) assert.throws(() => buildContentSecurityPolicy({ sdkUrl, nonce: source }))
  }
})

test('merges directives whatever their case, and writes each once', () => {
  const policy = buildContentSecurityPolicy({
    sdkUrl,
    extra: { 'Script-Src': ['https://a.example'], 'IMG-SRC': ["'NONE'"], 'Worker-Src': ["'None'"] },
  })
  assert.match(policy, /script-src 'self' https:\/\/chartside\.example https:\/\/a\.example;/)
  assert.equal(policy.match(/script-src/gi)?.length, 1)
  assert.match(policy, /img-src 'self' data:;/)
  assert.match(policy, /worker-src 'none'$/)
})

test('refuses an SDK address without a web origin', () => {
  for (const odd of ['chrome-extension://abc/sdk.js', 'data:text/javascript,', 'file:///sdk.js']) {
    assert.throws(() => buildContentSecurityPolicy({ sdkUrl: odd }), /sdkUrl must be/)
  }
})

test('sends no X-Frame-Options, which cannot list an extension', () => {
  const headers = buildSecurityHeaders("default-src 'none'")
  assert.deepEqual(Object.keys(headers).sort(), [
    'cache-control',
    'content-security-policy',
    'referrer-policy',
    'x-content-type-options',
  ])
})

test('keeps the address of a page from other sites, and the page from caches [H02]', () => {
  const policy = "default-src 'none'"
  assert.deepEqual(buildSecurityHeaders(policy), {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
})
