// A launch on this server, option 2: from the code to a session, and what must be refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json, type Refused, type Started } from './browse.ts'
import { startStage } from './stage.ts'

test('a launch becomes a session, which its cookie renews', async (t) => {
  const { issuer, lines, send } = await startStage(t)
  const relayed = await send('/token', { code: issuer.mintCode() })
  assert.equal(relayed.status, 200)
  const tokens = await json<{ access_token: string; id_token: string }>(relayed)
  assert.match(tokens.access_token, /^at_/)
  const response = await send('/api/session', { id_token: tokens.id_token })
  assert.equal(response.status, 200)
  const { session } = await json<Started>(response)
  assert.deepEqual(lines, ['signed in Dr. Amara Okafor of Lakeside Family Practice'])
  const renewal = { 'x-session-id': session.id }
  assert.equal((await send('/api/session/renew', {}, renewal)).status, 200)
})

test('a code is taken once', async (t) => {
  const { issuer, send } = await startStage(t)
  const code = issuer.mintCode()
  assert.equal((await send('/token', { code })).status, 200)
  const replay = await send('/token', { code })
  assert.deepEqual([replay.status, await replay.json()], [400, { error: 'invalid_grant' }])
})

test('an ID token for another app starts no session', async (t) => {
  const { issuer, send } = await startStage(t)
  const idToken = issuer.mintIdToken({ kind: 'wrong_audience' })
  const response = await send('/api/session', { id_token: idToken })
  assert.equal(response.status, 401)
  assert.equal(response.headers.get('set-cookie'), null)
  assert.equal((await json<Refused>(response)).error, 'audience_mismatch')
})

test('an ID token starts one session', async (t) => {
  const { issuer, send } = await startStage(t)
  const idToken = issuer.mintIdToken()
  assert.equal((await send('/api/session', { id_token: idToken })).status, 200)
  const replay = await send('/api/session', { id_token: idToken })
  assert.equal((await json<Refused>(replay)).error, 'token_replayed')
})

test('a request without a code is 400, and nothing is exchanged', async (t) => {
  const { issuer, send } = await startStage(t)
  const response = await send('/token', {})
  assert.equal(response.status, 400)
  assert.ok((await json<Refused>(response)).error)
  assert.deepEqual(issuer.requests, [])
})
