// A launch on this server, option 1: from the code to a session, and what must be refused. Spec §5.1,
// §5.4, §5.6.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type ErrorBody, json, type StartedSession } from './browser-client.ts'
import { collectTests } from './collect-tests.ts'
import type { AppFixture, OpenFixture } from './fixture.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')
const VERIFIER = 'v'.repeat(43)
const PROOF = 'p'.repeat(43)

/** Exchanges a code, and returns what the tab has that began the launch. */
async function exchange(t: TestContext, startFixture: OpenFixture) {
  const { issuer, lines, send } = await startFixture(t)
  const challenges = { codeChallenge: hash(VERIFIER), nonce: hash(PROOF) }
  const code = issuer.mintCode(issuer.mintLaunch(), challenges)
  const body = { code, code_verifier: VERIFIER }
  const exchanged = await send('/api/exchange', body)
  assert.equal(exchanged.status, 200)
  const { access_token: accessToken, id_token: idToken } =
    await json<Record<string, string>>(exchanged)
  return { issuer, lines, send, body, exchanged, accessToken, idToken }
}

export const { test, register: testExchange } = collectTests<AppFixture>()

test('turns a launch into a session, which its cookie renews', async (t, startFixture) => {
  const { lines, send, accessToken, idToken } = await exchange(t, startFixture)
  assert.match(accessToken ?? '', /^at_/)
  const response = await send('/api/session', { id_token: idToken, nonce_proof: PROOF })
  assert.equal(response.status, 200)
  const { session } = await json<StartedSession>(response)
  assert.deepEqual(lines, ['signed in Dr. Amara Okafor of Lakeside Family Practice'])
  const renewal = { 'x-session-id': session.id }
  assert.equal((await send('/api/session/renew', {}, renewal)).status, 200)
})

test('begins no session with the exchange, which sets no cookie [V20]', async (t, startFixture) => {
  const { lines, exchanged } = await exchange(t, startFixture)
  assert.equal(exchanged.headers.get('set-cookie'), null)
  assert.deepEqual(lines, [])
})

test('starts no session for a browser that did not begin the launch [V20]', async (t, startFixture) => {
  const { send, idToken } = await exchange(t, startFixture)
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

test('refuses a code that was used', async (t, startFixture) => {
  const { send, body } = await exchange(t, startFixture)
  const replay = await send('/api/exchange', body)
  assert.equal(replay.status, 400)
  assert.equal((await json<ErrorBody>(replay)).error, 'invalid_grant')
})

test('starts one session for one ID token', async (t, startFixture) => {
  const { send, idToken } = await exchange(t, startFixture)
  const body = { id_token: idToken, nonce_proof: PROOF }
  assert.equal((await send('/api/session', body)).status, 200)
  const replay = await send('/api/session', body)
  assert.equal((await json<ErrorBody>(replay)).error, 'token_replayed')
})

test('starts no session for the ID token of another app', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const idToken = issuer.mintIdToken({ kind: 'wrong_audience', claims: { nonce: hash(PROOF) } })
  const response = await send('/api/session', { id_token: idToken, nonce_proof: PROOF })
  assert.equal(response.status, 401)
  assert.equal(response.headers.get('set-cookie'), null)
  assert.equal((await json<ErrorBody>(response)).error, 'audience_mismatch')
})

test('exchanges nothing for a request without a code', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const response = await send('/api/exchange', { code_verifier: VERIFIER })
  assert.equal(response.status, 400)
  const { error, cause } = await json<ErrorBody>(response)
  assert.deepEqual([error, cause], ['invalid_request', 'The request has no text "code".'])
  assert.deepEqual(issuer.requests, [])
})
