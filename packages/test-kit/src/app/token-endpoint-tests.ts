// A launch on this server, option 2: from the code to a session, and what must be refused. Spec §4.3,
// §5.2, §5.4, §5.6.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type ErrorBody, json, type StartedSession } from './browser-client.ts'
import { collectTests } from './collect-tests.ts'
import type { AppFixture } from './fixture.ts'

/** The secret of the tab that began the launch, and the nonce of its authorize request. */
const PROOF = 'p'.repeat(43)
const nonce = createHash('sha256').update(PROOF).digest('base64url')
const proofOf = (idToken: string) => ({ id_token: idToken, nonce_proof: PROOF })

export const { test, register: testTokenEndpoint } = collectTests<AppFixture>()

test('turns a launch into a session, which its cookie renews', async (t, startFixture) => {
  const { issuer, lines, send } = await startFixture(t)
  const code = issuer.mintCode(issuer.mintLaunch(), { nonce })
  const exchanged = await send('/token', { code })
  assert.equal(exchanged.status, 200)
  assert.equal(exchanged.headers.get('set-cookie'), null)
  const tokens = await json<{ access_token: string; id_token: string }>(exchanged)
  assert.match(tokens.access_token, /^at_/)
  const response = await send('/api/session', proofOf(tokens.id_token))
  assert.equal(response.status, 200)
  const { session } = await json<StartedSession>(response)
  assert.deepEqual(lines, ['signed in Dr. Amara Okafor of Lakeside Family Practice'])
  const renewal = { 'x-session-id': session.id }
  assert.equal((await send('/api/session/renew', {}, renewal)).status, 200)
})

test('refuses a code that was used', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const code = issuer.mintCode()
  assert.equal((await send('/token', { code })).status, 200)
  const replay = await send('/token', { code })
  assert.deepEqual([replay.status, await replay.json()], [400, { error: 'invalid_grant' }])
})

test('starts no session for the ID token of another app', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const idToken = issuer.mintIdToken({ kind: 'wrong_audience', claims: { nonce } })
  const response = await send('/api/session', proofOf(idToken))
  assert.equal(response.status, 401)
  assert.equal(response.headers.get('set-cookie'), null)
  assert.equal((await json<ErrorBody>(response)).error, 'audience_mismatch')
})

test('starts no session for a text that is not an ID token', async (t, startFixture) => {
  const { send } = await startFixture(t)
  const response = await send('/api/session', proofOf('a.b.c'))
  assert.equal(response.status, 401)
  assert.equal((await json<ErrorBody>(response)).error, 'token_malformed')
})

test('starts one session for one ID token', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const idToken = issuer.mintIdToken({ claims: { nonce } })
  assert.equal((await send('/api/session', proofOf(idToken))).status, 200)
  const replay = await send('/api/session', proofOf(idToken))
  assert.equal((await json<ErrorBody>(replay)).error, 'token_replayed')
})

test('exchanges nothing for a request without a code', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const response = await send('/token', {})
  assert.equal(response.status, 400)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(typeof (await json<ErrorBody>(response)).error, 'string')
  assert.deepEqual(issuer.requests, [])
})

test('starts no session for a browser that did not begin the launch [V20]', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const idToken = issuer.mintIdToken({ claims: { nonce } })
  const evil = { origin: 'https://evil.example' }
  for (const [proof, headers, status, error] of [
    ['q'.repeat(43), {}, 401, 'nonce_mismatch'],
    ['', {}, 400, 'invalid_request'],
    [null, {}, 400, 'invalid_request'],
    [PROOF, evil, 403, 'origin_not_allowed'],
  ] as const) {
    const body = { id_token: idToken, nonce_proof: proof }
    const response = await send('/api/session', body, headers)
    assert.deepEqual([response.status, (await json<ErrorBody>(response)).error], [status, error])
    assert.equal(response.headers.get('set-cookie'), null)
  }
})
