// Headers that belong to every kind of answer, and those that let hosts read an answer in a browser. One
// engine is enough: no answer here depends on the database. Security H01, H03, A19, U04.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { hiddenFields, testBrowser, testClient } from './sign-in-browser.ts'
import { type Story, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

const HOST = 'https://host.example'

let story: Story
before(async () => {
  story = await startStory({ CHARTSIDE_HOST_ORIGINS: HOST })
})
after(() => story.close())

const authorization = () => ({ authorization: `Bearer ${story.adminToken}` })

/** A page, a refusal, a document, an answer of the API, one without a route, one without its method. */
const kinds = (): Record<string, InjectOptions> => ({
  'a page': { url: '/auth/sign-in?flow=none', headers: { accept: 'text/html' } },
  'a refused authorize': { url: '/app-auth/authorize', headers: { accept: 'text/html' } },
  'an OAuth error': { method: 'POST', url: '/app-auth/token', payload: {} },
  metadata: { url: '/.well-known/openid-configuration' },
  'an answer of the API': { url: '/api/users/me', headers: authorization() },
  'an error of the API': { url: '/api/users/me' },
  'an answer without a route': { url: '/nowhere' },
  'an answer to another method': { method: 'PUT', url: '/app-auth/token' },
})

test('sends nosniff and no-referrer with every kind of answer [H01]', async () => {
  for (const [kind, request] of Object.entries(kinds())) {
    const { headers } = await story.service.server.inject(request)
    assert.equal(headers['x-content-type-options'], 'nosniff', kind)
    assert.equal(headers['referrer-policy'], 'no-referrer', kind)
  }
})

test('sends HSTS with every kind of answer at an https address, and at no other [H03]', async () => {
  const plain = await startStory({ CHARTSIDE_BASE_URL: 'http://localhost:4000' })
  try {
    for (const [kind, request] of Object.entries(kinds())) {
      const { headers } = await story.service.server.inject(request)
      assert.equal(headers['strict-transport-security'], 'max-age=31536000', kind)
      const answer = await plain.service.server.inject(request)
      assert.equal(answer.headers['strict-transport-security'], undefined, kind)
    }
  } finally {
    await plain.close()
  }
})

test('lets hosts alone read the API in a browser, and caches keep answers apart [A19]', async () => {
  const ask = async (origin?: string) =>
    (
      await story.service.server.inject({
        url: '/api/users/me',
        headers: { ...authorization(), ...(origin === undefined ? {} : { origin }) },
      })
    ).headers
  for (const origin of [HOST, 'https://elsewhere.example', undefined]) {
    const headers = await ask(origin)
    // Also without the header: the same address answers a host differently.
    assert.equal(headers.vary, 'Origin', origin)
    const allowed = origin === HOST ? HOST : undefined
    assert.equal(headers['access-control-allow-origin'], allowed)
    assert.equal(headers['access-control-allow-credentials'], undefined)
  }
})

test('shows a host what it needs of an answer: etag, location, retry-after [U04]', async () => {
  const { headers } = await story.service.server.inject({
    url: '/api/users/me',
    headers: { ...authorization(), origin: HOST },
  })
  assert.deepEqual(String(headers['access-control-expose-headers']).split(', ').sort(), [
    'etag',
    'location',
    'retry-after',
  ])
})

test('answers the preflight of a host with what it may send, for ten minutes [U04]', async () => {
  const ask = async (origin: string) => {
    const headers = { origin, 'access-control-request-method': 'PATCH' }
    const answer = await story.service.server.inject({
      method: 'OPTIONS',
      url: '/api/apps/x',
      headers,
    })
    assert.equal(answer.statusCode, 204)
    return answer.headers
  }
  const allowed = await ask(HOST)
  const partsOf = (name: string) => String(allowed[name]).split(', ').sort()
  assert.deepEqual(partsOf('access-control-allow-methods'), ['DELETE', 'GET', 'PATCH', 'POST'])
  assert.deepEqual(partsOf('access-control-allow-headers'), [
    'authorization',
    'content-type',
    'if-match',
    'if-none-match',
  ])
  assert.equal(allowed['access-control-max-age'], '600')
  const refused = Object.keys(await ask('https://elsewhere.example'))
  assert.deepEqual(
    refused.filter((name) => name.startsWith('access-control-')),
    [],
  )
})

test('lets no cache keep a refusal, of either form [T07]', async () => {
  for (const kind of ['an OAuth error', 'an error of the API', 'an answer without a route']) {
    const { headers } = await story.service.server.inject(kinds()[kind] ?? {})
    assert.equal(headers['cache-control'], 'no-store', kind)
  }
})

test('allows a page of the service its own style and form, and nothing else [H01]', async () => {
  for (const kind of ['a page', 'a refused authorize']) {
    const { headers } = await story.service.server.inject(kinds()[kind] ?? {})
    const policy = String(headers['content-security-policy']).split('; ')
    const [style = '', frame = ''] = ['style-src ', 'frame-ancestors '].map(
      (name) => policy.find((one) => one.startsWith(name)) ?? '',
    )
    assert.match(style, /^style-src 'sha256-[A-Za-z0-9+/]{43}='$/)
    assert.equal(frame, `frame-ancestors ${kind === 'a page' ? "'none'" : HOST}`)
    const others = ["base-uri 'none'", "default-src 'none'", "form-action 'self'"]
    // One script by its whole address, not all of the origin.
    const script = 'script-src https://chartside.test/auth/sign-in.mjs'
    assert.deepEqual(
      policy.filter((one) => one !== style && one !== frame).sort(),
      kind === 'a page' ? [...others, script] : others,
    )
    assert.equal(headers['cache-control'], 'no-store', kind)
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin', kind)
    assert.equal(headers['permissions-policy'], 'camera=(), geolocation=(), microphone=()', kind)
  }
})

test('names the methods of an address to a caller with another one', async () => {
  for (const [url, allowed] of [
    ['/app-auth/token', 'POST'],
    ['/app-auth/authorize', 'GET, POST'],
    ['/api/accounts', 'GET, POST, HEAD'],
  ] as const) {
    const { statusCode, headers } = await story.service.server.inject({ method: 'PUT', url })
    assert.deepEqual([statusCode, headers.allow], [405, allowed], url)
  }
})

test('tags no answer that no cache may keep', async () => {
  const url = '/api/users/me/sign-in'
  const { headers } = await story.service.server.inject({ url, headers: authorization() })
  assert.deepEqual([headers['cache-control'], headers.etag], ['no-store', undefined])
})

test('lets no cache keep an answer with a secret, a link or a launch [T07]', async () => {
  const account = `/api/accounts/${story.accountId}`
  const person = { email: 'cached@lakeside.example', name: 'Cached', role: 'provider' }
  const session = await story.openSession()
  const answers = {
    invitation: await story.api('POST', `${account}/members`, person),
    secret: await story.api('POST', `/api/apps/${story.app.id}/secrets`, {}),
    launch: await story.api('POST', `/api/sessions/${session}/launches`, {
      appId: story.app.id,
      kind: 'ui',
    }),
    'link to a login method': await story.api('POST', '/api/users/me/login-methods'),
    'second factor': await story.api('POST', '/api/users/me/second-factor'),
    'EHR session': await story.api('POST', '/api/sessions', {
      accountId: story.accountId,
      ehrType: 'meadow',
      deviceId: 'cached',
      launch: ['ui'],
    }),
  }
  for (const [kind, { statusCode, headers, body }] of Object.entries(answers)) {
    assert.equal(statusCode, 201, `${kind}: ${body}`)
    assert.equal(headers['cache-control'], 'no-store', kind)
  }
  const { headers } = await story.api('GET', '/api/users/me/sign-ins')
  assert.equal(headers['cache-control'], 'no-store', 'sign-ins')
  const url = '/auth/sign-in'
  const signedIn = await story.request({ method: 'POST', url, payload: ADMIN })
  assert.equal(signedIn.statusCode, 200)
  assert.equal(signedIn.headers['cache-control'], 'no-store', 'session token')
})

test('lets no cache keep where a form leads [T07]', async () => {
  const browser = testBrowser(story.service)
  const { html } = await browser.open(testClient(story.service).url)
  const form = html.match(/<form[\s\S]*?<\/form>/g)?.find((text) => text.includes('/password"'))
  const { statusCode, headers } = await story.service.server.inject({
    method: 'POST',
    url: '/auth/sign-in/password',
    headers: {
      cookie: browser.cookie ?? '',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    payload: new URLSearchParams({ ...hiddenFields(form ?? ''), ...ADMIN }).toString(),
  })
  assert.deepEqual([statusCode, headers['cache-control']], [303, 'no-store'])
})
