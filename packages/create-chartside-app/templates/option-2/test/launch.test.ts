// A launch on this server, option 2: from the code to a session, and what must be refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorBody, json, type StartedSession } from './browser-client.ts'
import { startFixture } from './fixture.ts'

test('turns a launch into a session, which its cookie renews', async (t) => {
  const { issuer, lines, send } = await startFixture(t)
  const exchanged = await send('/token', { code: issuer.mintCode() })
  assert.equal(exchanged.status, 200)
  const tokens = await json<{ access_token: string; id_token: string }>(exchanged)
  assert.match(tokens.access_token, /^at_/)
  const response = await send('/api/session', { id_token: tokens.id_token })
  assert.equal(response.status, 200)
  const { session } = await json<StartedSession>(response)
  assert.deepEqual(lines, ['signed in Dr. Amara Okafor of Lakeside Family Practice'])
  const renewal = { 'x-session-id': session.id }
  assert.equal((await send('/api/session/renew', {}, renewal)).status, 200)
})

test('refuses a code that was used', async (t) => {
  const { issuer, send } = await startFixture(t)
  const code = issuer.mintCode()
  assert.equal((await send('/token', { code })).status, 200)
  const replay = await send('/token', { code })
  assert.deepEqual([replay.status, await replay.json()], [400, { error: 'invalid_grant' }])
})

test('starts no session for the ID token of another app', async (t) => {
  const { issuer, send } = await startFixture(t)
  const idToken = issuer.mintIdToken({ kind: 'wrong_audience' })
  const response = await send('/api/session', { id_token: idToken })
  assert.equal(response.status, 401)
  assert.equal(response.headers.get('set-cookie'), null)
  assert.equal((await json<ErrorBody>(response)).error, 'audience_mismatch')
})

test('starts no session for a text that is not an ID token', async (t) => {
  const { send } = await startFixture(t)
  const response = await send('/api/session', { id_token: 'a.b.c' })
  assert.equal(response.status, 401)
  assert.equal((await json<ErrorBody>(response)).error, 'token_malformed')
})

test('starts one session for one ID token', async (t) => {
  const { issuer, send } = await startFixture(t)
  const idToken = issuer.mintIdToken()
  assert.equal((await send('/api/session', { id_token: idToken })).status, 200)
  const replay = await send('/api/session', { id_token: idToken })
  assert.equal((await json<ErrorBody>(replay)).error, 'token_replayed')
})

test('exchanges nothing for a request without a code', async (t) => {
  const { issuer, send } = await startFixture(t)
  const response = await send('/token', {})
  assert.equal(response.status, 400)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(typeof (await json<ErrorBody>(response)).error, 'string')
  assert.deepEqual(issuer.requests, [])
})
