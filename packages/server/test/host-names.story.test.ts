// A service on loopback answers its own names only: a page at a name that an attacker points to this machine (DNS
// rebinding) reads nothing and signs in nowhere. Elsewhere the proxy decides which names arrive. Security V29.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Story, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

const BASE = 'http://localhost:4700'
const EVIL = 'evil.example:4700'

let story: Story
before(async () => {
  story = await startStory({ CHARTSIDE_BASE_URL: BASE })
})
after(() => story.close())

const ask = (host: string, url: string, payload?: object, of = story) =>
  of.service.server.inject({
    method: payload ? 'POST' : 'GET',
    url,
    headers: { host, origin: `http://${host}` },
    ...(payload ? { payload } : {}),
  })

test('refuses a DNS rebinding page at every kind of address on loopback [V29]', async () => {
  for (const [url, payload] of [
    ['/auth/sign-in', ADMIN],
    ['/api/users/me', undefined],
    ['/app-auth/token', {}],
    ['/console', undefined],
    ['/health', undefined],
    ['/nowhere', undefined],
  ] as const) {
    const answer = await ask(EVIL, url, payload)
    assert.equal(answer.statusCode, 421, url)
    assert.ok(answer.body.includes(BASE), answer.body)
    assert.ok(!answer.body.includes('evil'), answer.body)
  }
  const [api, oauth] = [await ask(EVIL, '/api/users/me'), await ask(EVIL, '/app-auth/token', {})]
  assert.equal(api.json().code, 'wrong_host')
  assert.equal(oauth.json().error, 'invalid_request')
})

test('answers its own names and every spelling of loopback, with any port [V29]', async () => {
  for (const host of [
    ...['localhost:4700', 'LOCALHOST:4700', 'localhost', '127.0.0.1:4700', '127.0.0.9'],
    ...['[::1]:4700', 'chartside.localhost:4700'],
  ]) {
    assert.equal((await ask(host, '/health')).statusCode, 200, host)
    assert.equal((await ask(host, '/auth/sign-in', ADMIN)).statusCode, 200, host)
  }
})

test('refuses names that only look like loopback [V29]', async () => {
  for (const host of [
    ...['localhost.evil.example', 'localhost@evil.example', '127.0.0.1.nip.io', 'evil.localhost.'],
    ...['2130706433', '0.0.0.0', '192.168.1.4:4700', ' ', 'localhost:4700/x', '[::2]'],
  ]) {
    assert.notEqual((await ask(host, '/health')).statusCode, 200, host)
  }
})

test('leaves the names of a service elsewhere to its proxy', async () => {
  const elsewhere = await startStory()
  try {
    assert.equal((await ask('10.0.0.7:4700', '/health', undefined, elsewhere)).statusCode, 200)
  } finally {
    await elsewhere.close()
  }
})
