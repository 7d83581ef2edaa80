// A launch on this server, option 1: from the code to a session, and what must be refused.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { json, type Refused, type Started } from './browse.ts'
import { startStage } from './stage.ts'

const VERIFIER = 'v'.repeat(43)
const codeChallenge = createHash('sha256').update(VERIFIER).digest('base64url')

test('a launch becomes a session, which its cookie renews', async (t) => {
  const { issuer, lines, send } = await startStage(t)
  const code = issuer.mintCode(issuer.mintLaunch(), { codeChallenge })
  const response = await send('/api/session', { code, code_verifier: VERIFIER })
  assert.equal(response.status, 200)
  const started = await json<Started & Record<string, string>>(response)
  assert.match(started.access_token ?? '', /^at_/)
  assert.deepEqual(lines, ['signed in Dr. Amara Okafor of Lakeside Family Practice'])
  const renewal = { 'x-session-id': started.session.id }
  assert.equal((await send('/api/session/renew', {}, renewal)).status, 200)
})

test('a code is taken once', async (t) => {
  const { issuer, send } = await startStage(t)
  const proof = {
    code: issuer.mintCode(issuer.mintLaunch(), { codeChallenge }),
    code_verifier: VERIFIER,
  }
  assert.equal((await send('/api/session', proof)).status, 200)
  const replay = await send('/api/session', proof)
  assert.equal(replay.status, 400)
  assert.equal((await json<Refused>(replay)).error, 'exchange_refused')
})

test('an ID token for another app starts no session', async (t) => {
  const { issuer, send } = await startStage(t)
  const tokens = {
    access_token: 'at_other',
    id_token: issuer.mintIdToken({ kind: 'wrong_audience' }),
  }
  issuer.failNext('/app-auth/token', { body: tokens })
  const response = await send('/api/session', { code: 'code_1', code_verifier: VERIFIER })
  assert.equal(response.status, 401)
  assert.equal(response.headers.get('set-cookie'), null)
  assert.equal((await json<Refused>(response)).error, 'audience_mismatch')
})

test('a request without a code is 400, and nothing is exchanged', async (t) => {
  const { issuer, send } = await startStage(t)
  const response = await send('/api/session', { code_verifier: VERIFIER })
  assert.equal(response.status, 400)
  assert.equal((await json<Refused>(response)).error, 'missing_code')
  assert.deepEqual(issuer.requests, [])
})
