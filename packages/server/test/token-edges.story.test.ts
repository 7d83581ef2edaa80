// The edges of an exchange: the last moment of a code, the grammar of a verifier, a code in the hands of
// another client, a client that is named twice, and the end of the sign-in behind a token.
// Contract §2, security C02, C06, J01, P04, T03, T11, T12.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  authorize,
  exchange,
  freshCode,
  isActive,
  type RegisteredApp,
  type Story,
  startStory,
} from './story.ts'

const LIFETIME_SECONDS = 600

let story: Story
let other: RegisteredApp
before(async () => {
  story = await startStory({ CHARTSIDE_SESSION_LIFETIME_SECONDS: String(LIFETIME_SECONDS) })
  other = await story.registerApp('other')
})
after(() => story.close())

test('refuses a code from the sixtieth second on [C02]', async () => {
  const code = await freshCode(story)
  story.service.clock.advance(60)
  assert.equal((await exchange(story, code)).json().error, 'invalid_grant')
})

test('refuses a verifier outside the grammar, also with its own challenge [T12]', async () => {
  const refused = ['a'.repeat(42), 'ü'.repeat(50), `${'a'.repeat(50)}+`, 'a'.repeat(129)]
  for (const verifier of [...refused, 'a'.repeat(43), `${'a'.repeat(124)}-._~`]) {
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const answer = await exchange(story, await freshCode(story, pkce), { code_verifier: verifier })
    assert.equal(answer.statusCode, refused.includes(verifier) ? 400 : 200, verifier)
  }
})

test('shows the client of another code nothing, and its owner no trace of it [C06]', async () => {
  const { id, launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const unknown = (await exchange(story, `${code.slice(0, -4)}AAAA`, {}, other)).json()
  for (const state of ['open', 'spent']) {
    const foreign = (await exchange(story, code, {}, other)).json()
    assert.deepEqual({ ...foreign, trace_id: '' }, { ...unknown, trace_id: '' }, state)
    const { failureCount = 0 } = (await story.api('GET', `/api/launches/${id}`)).json()
    assert.equal(failureCount, 0, state)
    if (state === 'spent') break
    const token = (await exchange(story, code)).json().access_token
    await exchange(story, code, {}, other)
    assert.equal(await isActive(story, token), true)
  }
})

test('refuses a body that names another client than HTTP Basic [T03]', async () => {
  const { clientId, secret } = story.app
  const answer = await story.request({
    method: 'POST',
    url: '/app-auth/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({
      grant_type: 'authorization_code',
      code: await freshCode(story),
      client_id: other.clientId,
    }).toString(),
  })
  assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_request'])
})

test('gives an ID token the lifetime of the app, to the second [J01]', async () => {
  await story.api('PATCH', `/api/apps/${story.app.id}`, { idTokenLifetimeSeconds: 120 })
  const { id_token: idToken } = (await exchange(story, await freshCode(story))).json()
  const { iat, exp } = JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url').toString())
  assert.equal(exp - iat, 120)
})

test('ends a token with the lifetime of the sign-in behind it [P04]', async () => {
  const own = await startStory({ CHARTSIDE_SESSION_LIFETIME_SECONDS: String(LIFETIME_SECONDS) })
  try {
    const token = (await exchange(own, await freshCode(own))).json().access_token
    own.service.clock.advance(LIFETIME_SECONDS - 1)
    assert.equal(await isActive(own, token), true)
    own.service.clock.advance(1)
    assert.equal(await isActive(own, token), false)
  } finally {
    await own.close()
  }
})
