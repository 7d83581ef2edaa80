// Headers that belong to every kind of answer, and those that let hosts read an answer in a browser. One
// engine is enough: no answer here depends on the database. Security H01, H03, A19, U04.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { type Story, startStory } from './story.ts'

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
