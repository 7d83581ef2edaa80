// The board of Care Gaps and the door in front of it: nothing without the app's own session, nothing
// from other pages, and each practice its own board. Spec §4.3, §5.4, §5.6.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createApp } from '../src/app.ts'
import { GapBoard } from '../src/gaps.ts'

const origin = 'http://care-gaps.localhost:4704'
const app = createApp({
  clientId: 'cli_1',
  clientSecret: 'cs_secret',
  baseUrl: 'http://127.0.0.1:1',
  tokenUrl: 'http://127.0.0.1:1/app-auth/token',
  publicUrl: origin,
  frameAncestors: [],
  log: () => {},
})
after(() => app.close())

test('shows and changes nothing without a session', async () => {
  assert.equal((await app.inject({ method: 'GET', url: '/api/gaps' })).statusCode, 401)
  const change = { method: 'PUT', url: '/api/gaps', payload: { id: 'flu', closed: true } } as const
  assert.equal((await app.inject(change)).statusCode, 401)
})

test('starts no session for what is no ID token, and renews none for another page', async () => {
  const forged = { method: 'POST', url: '/api/session', payload: { id_token: 'a.b.c' } } as const
  const { statusCode, body } = await app.inject(forged)
  assert.equal(statusCode, 401)
  assert.equal(JSON.parse(body).error, 'token_malformed')
  for (const headers of [{ origin: 'https://evil.example' }, {}]) {
    const renew = await app.inject({ method: 'POST', url: '/api/session/renew', headers })
    assert.equal(renew.statusCode, 403)
  }
})

test('answers the registered token endpoint to the letter when the code is missing', async () => {
  const headers = { origin }
  const response = await app.inject({ method: 'POST', url: '/token', headers, payload: {} })
  assert.equal(response.statusCode, 400)
  assert.equal(typeof response.json().error, 'string')
  assert.equal(response.headers['cache-control'], 'no-store')
})

test('answers a path that begins with two slashes, and a broken body, without a 5xx', async () => {
  assert.equal((await app.inject({ method: 'GET', url: '//' })).statusCode, 404)
  const headers = { 'content-type': 'application/json' }
  const broken = await app.inject({ method: 'POST', url: '/api/session', headers, payload: '{' })
  assert.equal(broken.statusCode, 400)
})

test('says what is wrong with a body that holds no text for an ID token, and never 500', async () => {
  const headers = { 'content-type': 'application/json' }
  const odd = ['null', '[]', '7', '"text"', '{}', '{"id_token":{"toString":1}}', '', '{']
  for (const payload of odd) {
    const response = await app.inject({ method: 'POST', url: '/api/session', headers, payload })
    const { error, cause, fix } = response.json()
    assert.deepEqual([response.statusCode, error], [400, 'invalid_request'], payload)
    assert.ok(cause && fix)
    assert.ok(response.headers['content-security-policy'])
  }
})

test('closes a gap for one practice and opens it again', () => {
  const board = new GapBoard()
  const closed = (account: string) => board.list(account).filter((gap) => gap.closed).length
  board.change('acc_1', 'flu', true)
  board.change('acc_1', 'no-such-gap', true)
  assert.deepEqual([closed('acc_1'), closed('acc_2')], [1, 0])
  board.change('acc_1', 'flu', false)
  assert.equal(closed('acc_1'), 0)
})
