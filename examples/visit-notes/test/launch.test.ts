// A launch on this server, option 1: from the code to a session, and what must be refused.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type ErrorBody, json, type StartedSession } from './browser-client.ts'
import { startFixture } from './fixture.ts'

const VERIFIER = 'v'.repeat(43)
const codeChallenge = createHash('sha256').update(VERIFIER).digest('base64url')

test('turns a launch into a session, which its cookie renews', async (t) => {
  const { issuer, lines, send } = await startFixture(t)
  const code = issuer.mintCode(issuer.mintLaunch(), { codeChallenge })
  const response = await send('/api/session', { code, code_verifier: VERIFIER })
  assert.equal(response.status, 200)
  const started = await json<StartedSession & Record<string, string>>(response)
  assert.match(started.access_token ?? '', /^at_/)
  assert.deepEqual(lines, ['signed in Dr. Amara Okafor of Lakeside Family Practice'])
  const renewal = { 'x-session-id': started.session.id }
  assert.equal((await send('/api/session/renew', {}, renewal)).status, 200)
})

test('refuses a code that was used', async (t) => {
  const { issuer, send } = await startFixture(t)
  const proof = {
    code: issuer.mintCode(issuer.mintLaunch(), { codeChallenge }),
    code_verifier: VERIFIER,
  }
  assert.equal((await send('/api/session', proof)).status, 200)
  const replay = await send('/api/session', proof)
  assert.equal(replay.status, 400)
  assert.equal((await json<ErrorBody>(replay)).error, 'invalid_grant')
})

test('starts no session for the ID token of another app', async (t) => {
  const { issuer, send } = await startFixture(t)
  const tokens = {
    access_token: 'at_other',
    id_token: issuer.mintIdToken({ kind: 'wrong_audience' }),
  }
  issuer.failNext('/app-auth/token', { body: tokens })
  const response = await send('/api/session', { code: 'code_1', code_verifier: VERIFIER })
  assert.equal(response.status, 401)
  assert.equal(response.headers.get('set-cookie'), null)
  assert.equal((await json<ErrorBody>(response)).error, 'audience_mismatch')
})

test('exchanges nothing for a request without a code', async (t) => {
  const { issuer, send } = await startFixture(t)
  const response = await send('/api/session', { code_verifier: VERIFIER })
  assert.equal(response.status, 400)
  const { error, cause } = await json<ErrorBody>(response)
  assert.deepEqual([error, cause], ['invalid_request', 'The request has no text "code".'])
  assert.deepEqual(issuer.requests, [])
})
