// Each finding of a pre-flight from an answer that causes it, with what is missing by name; every code is
// caused by some test here, and docs/build/preflight.md explains every code.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { CHECKS, FINDINGS, outcomeOf } from './finding.ts'
import { checkLogout, checkPage, type Expectation } from './page-checks.ts'
import type { Hop, Visit, VisitProblem } from './page-visit.ts'

const HOST = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'
const PAGE = 'https://notes.vendor.com/launch'
const NOW = Date.parse('2026-03-01T12:00:00Z')
const DAY = 24 * 60 * 60 * 1000
const found = new Set<string>()

const expected: Expectation = {
  hostOrigins: [HOST],
  appOrigins: ['https://notes.vendor.com'],
  runsSdk: true,
  isSmart: false,
  sdkUrl: 'https://chartside.vendor.com/sdk/v1/sdk.js',
  tokenEndpoint: undefined,
  now: NOW,
}

const hop = (headers: Readonly<Record<string, string>> = {}, fields: Partial<Hop> = {}): Hop => ({
  url: PAGE,
  status: 200,
  headers: Object.entries({ 'content-type': 'text/html; charset=utf-8', ...headers }),
  body: '',
  isBodyInTime: true,
  certificateEndsAt: NOW + 60 * DAY,
  ...fields,
})

const visitOf = (...hops: Hop[]): Visit => ({
  url: PAGE,
  hops,
  problem: undefined,
  endsAtService: false,
  milliseconds: 84,
})

function judge(visit: Visit, changes: Partial<Expectation> = {}) {
  const findings = checkPage(visit, { ...expected, ...changes })
  for (const { code } of findings) found.add(code)
  return {
    outcome: outcomeOf(findings),
    codes: findings.map(({ code }) => code),
    bad: findings
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ code, missing, seen }) => [code, missing, seen]),
  }
}

const judgePage = (headers: Readonly<Record<string, string>>, changes: Partial<Expectation> = {}) =>
  judge(visitOf(hop(headers)), changes)

const PROBLEMS: readonly VisitProblem[] = [
  ...(['no_public_address', 'connection_refused', 'connection_failed', 'timed_out'] as const),
  ...(['headers_too_large', 'not_http', 'tls_failed', 'certificate_expired'] as const),
  ...(['certificate_of_another_host', 'certificate_untrusted', 'redirect_refused'] as const),
  ...(['too_many_redirects', 'no_https', 'port_not_asked'] as const),
]

const POLICY = 'content-security-policy'
const ADMITTING = `frame-ancestors ${HOST}; script-src https://chartside.vendor.com`

test('finds nothing wrong with a page that follows the advice', () => {
  const cookie = '__Host-session=x; Path=/; Secure; HttpOnly; SameSite=None; Partitioned'
  const { outcome, codes } = judgePage({ [POLICY]: ADMITTING, 'set-cookie': cookie })
  assert.equal(outcome, 'passed')
  assert.deepEqual(
    [...new Set(codes.map((code) => FINDINGS[code].check))].sort(),
    CHECKS.filter((check) => check !== 'logout').toSorted(),
  )
})

test('tells a sign-in page and a SMART app from a page that begins a launch', () => {
  const codesOf = (body: string, changes: Partial<Hop> = {}, isSmart = false) =>
    judge(visitOf(hop({ [POLICY]: ADMITTING }, { body, ...changes })), { isSmart }).bad
  const signIn = '<form><input name="p" type=password></form>'
  assert.deepEqual(codesOf(signIn), [['sign_in_page', undefined, PAGE]])
  assert.deepEqual(codesOf(signIn, { url: 'https://idp.example/login' }), [])
  const smart = '<script src="/js/fhir-client.js"></script>'
  assert.deepEqual(codesOf(smart), [['smart_page', undefined, PAGE]])
  assert.deepEqual(codesOf(smart, {}, true), [])
  const failing = codesOf('No server url found. It must be specified', { status: 500 })
  assert.deepEqual(
    failing.map(([code]) => code),
    ['page_fails', 'smart_page'],
  )
})

test('names the offset of a clock that is a minute wrong or more', () => {
  const seenAt = (aheadMs: number, headers: Record<string, string> = {}) => {
    const date = new Date(NOW + aheadMs).toUTCString()
    return judgePage({ [POLICY]: ADMITTING, date, ...headers }).bad
  }
  const wrong = (seen: string) => [['clock_wrong', undefined, seen]]
  assert.deepEqual(seenAt(3_600_000), wrong('1 h ahead'))
  assert.deepEqual(seenAt(-5_400_000), wrong('1.5 h behind'))
  assert.deepEqual(seenAt(120_000), wrong('2 min ahead'))
  assert.deepEqual(seenAt(59_000), [])
  assert.deepEqual(seenAt(-3_600_000, { age: '3600' }), [], 'from a cache')
})

test('names the host origin that frame-ancestors leaves out', () => {
  const other = 'https://sandbox.vendor.com'
  const { bad } = judgePage({ [POLICY]: ADMITTING }, { hostOrigins: [HOST, other] })
  assert.deepEqual(bad, [
    ['host_not_admitted', `frame-ancestors ${other}`, `frame-ancestors ${HOST}`],
  ])
})

test('refuses framing when one of two policies does', () => {
  const { bad } = judgePage({ [POLICY]: `frame-ancestors ${HOST}, frame-ancestors 'self'` })
  assert.equal(bad[0]?.[0], 'host_not_admitted')
})

test('warns when any page may frame the app', () => {
  assert.deepEqual(judgePage({}).bad, [
    ['framing_unrestricted', `frame-ancestors ${HOST}`, undefined],
  ])
  assert.deepEqual(judgePage({}, { hostOrigins: [] }).bad, [
    ['no_host_origin', undefined, undefined],
  ])
})

test('lets X-Frame-Options count without frame-ancestors only', () => {
  const options = { 'x-frame-options': 'SAMEORIGIN' }
  const forbidden = ['framing_forbidden', `frame-ancestors ${HOST}`, 'SAMEORIGIN'] as const
  assert.deepEqual(judgePage(options).bad, [forbidden], 'and not that any page may frame it')
  assert.deepEqual(judgePage({ ...options, [POLICY]: ADMITTING }).bad, [])
  assert.equal(judgePage({ 'x-frame-options': `ALLOW-FROM ${HOST}` }).outcome, 'warning')
})

test('names the source of the SDK and of the token endpoint that a policy lacks', () => {
  const policy = `frame-ancestors ${HOST}; default-src 'self'`
  const tokenEndpoint = 'https://api.vendor.com/token'
  assert.deepEqual(judgePage({ [POLICY]: policy }, { tokenEndpoint }).bad, [
    ['sdk_blocked', 'script-src https://chartside.vendor.com', "default-src 'self'"],
    ['token_endpoint_blocked', 'connect-src https://api.vendor.com', "default-src 'self'"],
  ])
  assert.deepEqual(judgePage({ [POLICY]: policy }, { runsSdk: false }).bad, [])
})

test('knows policies by nonce, in meta elements and with a sandbox', () => {
  const nonce = `frame-ancestors ${HOST}; script-src 'nonce-abc' 'strict-dynamic'`
  assert.ok(judgePage({ [POLICY]: nonce }).codes.includes('sdk_by_nonce'))
  const meta = `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">`
  const page = hop({ [POLICY]: `frame-ancestors ${HOST}` }, { body: meta })
  assert.equal(judge(visitOf(page)).bad[0]?.[0], 'sdk_blocked')
  const sandbox = `frame-ancestors ${HOST}; sandbox allow-scripts`
  assert.deepEqual(judgePage({ [POLICY]: sandbox }).bad, [
    ['page_sandboxed', 'allow-same-origin', 'sandbox allow-scripts'],
  ])
})

for (const [cookie, bad] of [
  ['s=secret', ['cookie_not_sent', 'SameSite=None; Secure', 's; SameSite=(not set)']],
  [
    's=secret; SameSite=Lax; Secure',
    ['cookie_not_sent', 'SameSite=None', 's; SameSite=Lax; Secure'],
  ],
  ['s=secret; samesite=none', ['cookie_not_sent', 'Secure', 's; SameSite=none']],
  [
    's=secret; SameSite=None; Secure',
    ['cookie_not_partitioned', 'Partitioned', 's; SameSite=None; Secure'],
  ],
  ['s=; Max-Age=0', undefined],
  ['s=; Expires=Thu, 01 Jan 1970 00:00:00 GMT', undefined],
  ['no name', undefined],
] as const) {
  test(`judges the cookie ${cookie}, and shows no value`, () => {
    const judged = judgePage({ [POLICY]: ADMITTING, 'set-cookie': cookie })
    assert.deepEqual(judged.bad, bad ? [bad] : [])
    assert.doesNotMatch(JSON.stringify(judged), /secret/)
  })
}

test('judges at most ten cookies, and none of a foreign server', () => {
  const cookies = Array.from({ length: 50 }, (_, i) => ['set-cookie', `c${i}=1`] as const)
  const many = hop({}, { headers: cookies })
  const { codes } = judge(visitOf(many))
  assert.equal(codes.filter((code) => code === 'cookie_not_sent').length, 10)
  const foreign = { ...many, url: 'https://login.other.com/' }
  assert.ok(judge(visitOf(foreign, hop())).codes.includes('no_cookies'))
})

for (const [status, code] of [
  [200, 'reached'],
  [400, 'refuses_without_parameters'],
  [404, 'page_not_found'],
  [401, 'page_refuses'],
  [502, 'page_fails'],
] as const) {
  test(`reads status ${status} as ${code}`, () => {
    assert.equal(judge(visitOf(hop({}, { status }))).codes[0], code)
  })
}

test('judges type, certificate and time', () => {
  const judged = (headers: Record<string, string>, fields: Partial<Hop> = {}) =>
    judge(visitOf(hop({ [POLICY]: ADMITTING, ...headers }, fields))).bad[0]
  assert.deepEqual(judged({ 'content-type': 'application/json' }), [
    'not_html',
    'Content-Type: text/html',
    'application/json',
  ])
  assert.equal(judged({ 'content-disposition': 'attachment; filename=a' })?.[0], 'download')
  const soon = judged({}, { certificateEndsAt: NOW + 3 * DAY })
  assert.deepEqual(soon, ['certificate_ends_soon', undefined, 'valid until 2026-03-04'])
  assert.equal(judged({}, { isBodyInTime: false })?.[0], 'too_slow')
  const slow = { ...visitOf(hop({ [POLICY]: ADMITTING })), milliseconds: 2400 }
  assert.deepEqual(judge(slow).bad, [['slow', undefined, '2400 ms']])
  const { certificateEndsAt: _, ...local } = hop({ [POLICY]: ADMITTING })
  assert.ok(judge(visitOf(local)).codes.includes('loopback_without_tls'))
})

test('follows redirects, and shows no query of them', () => {
  const first = hop({}, { status: 302, url: `${PAGE}?token=secret` })
  const end = hop({ [POLICY]: ADMITTING })
  assert.ok(judge(visitOf(first, end)).codes.includes('redirects_within_app'))
  const foreign = judge(visitOf(first, { ...hop(), url: 'https://login.other.com/?x=secret' }))
  assert.deepEqual(foreign.bad, [
    [
      'redirects_to_other_origin',
      'https://login.other.com',
      'https://notes.vendor.com/launch?... -> https://login.other.com/?...',
    ],
  ])
  const toService = judge({ ...visitOf(first), endsAtService: true })
  assert.deepEqual([toService.outcome, toService.codes[2]], ['passed', 'redirects_to_service'])
})

test('shows why a page could not be visited, and the cookies of the hops before it', () => {
  for (const code of PROBLEMS) {
    const problem = { code, at: 'https://notes.vendor.com/x?token=secret' }
    const judged = judge({ ...visitOf(), problem })
    assert.deepEqual(judged.bad, [[code, undefined, 'https://notes.vendor.com/x?...']])
  }
})

test('shows text of a foreign server without control characters, and cut', () => {
  const { bad } = judgePage({ 'content-type': `\u001b[31mevil\u0007${'x'.repeat(1000)}` })
  const seen = String(bad.find(([code]) => code === 'not_html')?.[2])
  assert.match(seen, /^\[31mevil x+…$/)
  assert.equal(seen.length, 301)
})

test('a server that takes a logout token that nothing signed fails; 400 is right', () => {
  const url = 'https://notes.vendor.com/logout'
  const probe = (status: number | undefined, problem?: VisitProblem) => {
    const [only] = checkLogout({ url, status, problem, milliseconds: 3 })
    if (status !== undefined && only) found.add(only.code)
    return only?.code
  }
  assert.equal(probe(400), 'logout_token_checked')
  for (const status of [200, 204]) assert.equal(probe(status), 'logout_token_unchecked')
  for (const status of [302, 404, 500]) assert.equal(probe(status), 'logout_answer_unknown')
  assert.equal(probe(undefined, 'timed_out'), 'timed_out')
})

after(() => {
  assert.deepEqual([...found].sort(), Object.keys(FINDINGS).sort(), 'every finding has a test')
})

test('docs/build/preflight.md explains every finding', () => {
  const path = new URL('../../../../docs/build/preflight.md', import.meta.url)
  const document = readFileSync(path, 'utf8')
  const documented = [...document.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)
  assert.deepEqual(documented, Object.keys(FINDINGS))
})
