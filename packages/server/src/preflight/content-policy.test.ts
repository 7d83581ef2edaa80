// What a policy admits, compared with what Chromium did with the same policies in an extension's panel.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  admits,
  findDirective,
  isByNonce,
  listMetaPolicies,
  parsePolicies,
} from './content-policy.ts'

const HOST = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'
const OTHER = 'chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba'
const PAGE = 'https://notes.vendor.com/launch'

for (const [sources, isAdmitted] of [
  [HOST, true],
  [`${HOST}/`, true],
  [`https://ehr.vendor.com ${HOST}`, true],
  [HOST.toUpperCase(), true],
  ['chrome-extension:', true],
  ['*', false],
  ["'self'", false],
  ["'none'", false],
  ['', false],
  ['http: https:', false],
  [OTHER, false],
] as const) {
  test(`reads frame-ancestors ${sources || '(empty)'} as the browser does`, () => {
    const [policy] = parsePolicies([`frame-ancestors ${sources}`])
    const list = policy && findDirective(policy, 'frame-ancestors')
    assert.equal(list && admits(list.sources, HOST, PAGE), isAdmitted)
  })
}

for (const [source, url, isAdmitted] of [
  ["'self'", 'https://notes.vendor.com/x.js', true],
  ["'self'", 'https://notes.vendor.com:8443/x.js', false],
  ['https://cdn.vendor.com', 'https://cdn.vendor.com/sdk/v1/sdk.js', true],
  ['cdn.vendor.com', 'https://cdn.vendor.com/sdk.js', true],
  ['http://cdn.vendor.com', 'https://cdn.vendor.com/sdk.js', true],
  ['https://cdn.vendor.com', 'http://cdn.vendor.com/sdk.js', false],
  ['https://*.vendor.com', 'https://a.b.vendor.com/sdk.js', true],
  ['https://*.vendor.com', 'https://vendor.com/sdk.js', false],
  ['https://*.vendor.com', 'https://evilvendor.com/sdk.js', false],
  ['http://localhost:4700', 'http://localhost:4700/sdk.js', true],
  ['http://localhost:*', 'http://localhost:4700/sdk.js', true],
  ['http://localhost', 'http://localhost:4700/sdk.js', false],
  ['https://cdn.vendor.com:443', 'https://cdn.vendor.com/sdk.js', true],
  ['https://cdn.vendor.com/sdk/', 'https://cdn.vendor.com/sdk/v1/sdk.js', true],
  ['https://cdn.vendor.com/sdk', 'https://cdn.vendor.com/sdk/v1/sdk.js', false],
  ["'unsafe-inline'", 'https://cdn.vendor.com/sdk.js', false],
] as const) {
  test(`${source} ${isAdmitted ? 'allows' : 'blocks'} ${url}`, () => {
    assert.equal(admits([source], url, PAGE), isAdmitted)
  })
}

test('reads every policy of every header, and the first of two directives', () => {
  const policies = parsePolicies([
    "default-src 'none'; SCRIPT-SRC a.com; script-src b.com, img-src *",
    '',
    ' ; ;',
  ])
  assert.equal(policies.length, 2)
  const [first] = policies
  assert.deepEqual(first && findDirective(first, 'script-src-elem', 'script-src'), {
    name: 'script-src',
    sources: ['a.com'],
  })
})

test('knows scripts that are judged by nonce, hash or their loader', () => {
  assert.ok(isByNonce(["'self'", "'nonce-abc'"]))
  assert.ok(isByNonce(["'sha384-abc'"]))
  assert.ok(isByNonce(["'strict-dynamic'"]))
  assert.equal(isByNonce(["'self'", 'https://nonce-abc.com']), false)
})

test('finds policies in meta elements, in time that grows with the page only', () => {
  const meta = `<META content="script-src 'self'" HTTP-EQUIV='Content-Security-Policy'>`
  assert.deepEqual(listMetaPolicies(`<title>x</title>${meta}<meta name=a content=b>`), [
    "script-src 'self'",
  ])
  const startedAt = performance.now()
  for (const piece of ['<meta ', '<meta content="', '<', 'http-equiv=content-security-policy ']) {
    assert.deepEqual(listMetaPolicies(piece.repeat(262_144 / piece.length)), [])
    assert.deepEqual(listMetaPolicies(`<meta ${piece.slice(1).repeat(10_000)}>`), [])
  }
  assert.ok(performance.now() - startedAt < 1000)
})
