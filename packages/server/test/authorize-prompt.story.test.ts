// prompt, max_age and auth_time: what OpenID Connect asks of a provider whose users sign in outside the
// frame of an app. Contract §2, OpenID Connect Core 3.1.2.1 and 3.1.2.6.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { authorize, exchange, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const errorOf = async (changes: Record<string, string>) =>
  (await authorize(story, (await story.launch()).launchId, changes)).searchParams.get('error')

test('answers each prompt that needs a page with its own error', async () => {
  assert.equal(await errorOf({ prompt: 'login' }), 'login_required')
  assert.equal(await errorOf({ prompt: 'consent' }), 'consent_required')
  assert.equal(await errorOf({ prompt: 'select_account' }), 'account_selection_required')
  assert.equal(await errorOf({ prompt: 'consent login' }), 'consent_required')
  for (const prompt of ['none login', 'login none', 'none unknown', 'unknown', 'create', 'None']) {
    assert.equal(await errorOf({ prompt }), 'invalid_request')
  }
  for (const prompt of ['none', ' none ', '', ' ']) assert.equal(await errorOf({ prompt }), null)
})

test('honours max_age to the second, and refuses what is no number', async () => {
  // The sign-in of the story happened at its first second.
  story.service.clock.advance(100)
  assert.equal(await errorOf({ max_age: '99' }), 'login_required')
  for (const max_age of ['100', '10000', '']) assert.equal(await errorOf({ max_age }), null)
  assert.equal(await errorOf({ max_age: '0' }), 'login_required')
  for (const max_age of ['-1', '1.5', '1e3', 'x', '99999999999']) {
    assert.equal(await errorOf({ max_age }), 'invalid_request')
  }
})

test('gives every ID token the time of the sign-in as auth_time', async () => {
  const signedInAt = story.service.clock() / 1000 - 100
  for (const changes of [{}, { max_age: '10000' }, { prompt: 'none' }]) {
    const { launchId } = await story.launch()
    const code = (await authorize(story, launchId, changes)).searchParams.get('code') ?? ''
    const { auth_time } = decodeJwt((await exchange(story, code)).json().id_token)
    assert.equal(auth_time, signedInAt)
  }
})

test('answers a token request without any client with 401 and a challenge', async () => {
  for (const client of [{}, { client_id: null, client_secret: null }]) {
    const payload = { grant_type: 'authorization_code', code: 'code_x', ...client }
    const answer = await story.request({ method: 'POST', url: '/app-auth/token', payload })
    assert.deepEqual([answer.statusCode, answer.json().error], [401, 'invalid_client'])
    assert.match(String(answer.headers['www-authenticate']), /^Basic /)
  }
})
