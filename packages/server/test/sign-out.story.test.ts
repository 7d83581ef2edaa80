// What ends a launch and its token: sign-out, the end of the EHR session, an idle sign-in, a deleted
// account. Contract §2 and §3, security C11, L04, P04.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  authorize,
  exchange,
  freshCode,
  isActive,
  type Story,
  signIn,
  startStory,
} from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

/** A sign-in, an EHR session and a launch of their own, which a test can end. */
async function signedInElsewhere() {
  const token = await signIn(story.service, ADMIN)
  const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    story.request({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    })
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'device-2' }
  const sessionId = (await call('POST', '/api/sessions', body)).json().id
  const launch = async () => {
    const payload = { appId: story.app.id, kind: 'ui' }
    return (await call('POST', `/api/sessions/${sessionId}/launches`, payload)).json()
  }
  return { call, sessionId, launch }
}

async function tokenOf(launchId: string): Promise<string> {
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  return (await exchange(story, code)).json().access_token
}

test('ends EHR session, launches, codes and tokens by sign-out, and no others [L04]', async () => {
  const elsewhere = await signedInElsewhere()
  const mine = (await exchange(story, await freshCode(story))).json().access_token
  const opened = (await elsewhere.launch()).launchId
  const authorized = (await elsewhere.launch()).launchId
  const code = (await authorize(story, authorized)).searchParams.get('code') ?? ''
  const token = await tokenOf((await elsewhere.launch()).launchId)
  assert.equal(await isActive(story, token), true)

  assert.equal((await elsewhere.call('POST', '/auth/sign-out')).statusCode, 204)

  const refused = await authorize(story, opened)
  assert.equal(refused.searchParams.get('error'), 'access_denied')
  assert.match(refused.searchParams.get('error_description') ?? '', /signed out/)
  const silent = await authorize(story, opened, { prompt: 'none' })
  assert.equal(silent.searchParams.get('error'), 'login_required')
  assert.equal((await exchange(story, code)).json().error, 'invalid_grant')
  assert.equal(await isActive(story, token), false)
  assert.equal((await elsewhere.call('GET', '/api/users/me')).statusCode, 401)
  assert.equal((await elsewhere.call('POST', '/auth/sign-out')).statusCode, 401)
  assert.equal(await isActive(story, mine), true)
})

test('revokes tokens and refuses launches once the EHR session ends [C11]', async () => {
  const { call, sessionId, launch } = await signedInElsewhere()
  const opened = await launch()
  const token = await tokenOf((await launch()).launchId)
  assert.equal((await call('DELETE', `/api/sessions/${sessionId}`)).statusCode, 204)
  assert.equal(await isActive(story, token), false)
  const refused = await authorize(story, opened.launchId)
  assert.match(refused.searchParams.get('error_description') ?? '', /has ended/)
  assert.equal((await call('GET', `/api/sessions/${sessionId}`)).json().state, 'ended')
  const payload = { appId: story.app.id, kind: 'ui' }
  const late = await call('POST', `/api/sessions/${sessionId}/launches`, payload)
  assert.deepEqual([late.statusCode, late.json().code], [409, 'session_ended'])
  assert.equal((await call('DELETE', `/api/sessions/${sessionId}`)).statusCode, 204)
})

test('ends a sign-in after thirty idle minutes, in which polls do not count [P04]', async () => {
  const { call, sessionId, launch } = await signedInElsewhere()
  const token = await tokenOf((await launch()).launchId)
  story.service.clock.advance(29 * 60)
  assert.equal((await call('GET', '/api/users/me')).statusCode, 200)
  await story.api('GET', '/api/users/me')
  story.service.clock.advance(29 * 60)
  assert.equal((await call('GET', `/api/sessions/${sessionId}`)).statusCode, 200)
  assert.equal(await isActive(story, token), true)
  await story.api('GET', '/api/users/me')
  story.service.clock.advance(2 * 60)
  assert.equal((await call('GET', '/api/users/me')).statusCode, 401)
  assert.equal(await isActive(story, token), false)
})

test('ends a sign-in after twelve hours in spite of activity', async () => {
  const { call } = await signedInElsewhere()
  for (let quarter = 0; quarter < 48; quarter++) {
    assert.equal((await call('GET', '/api/users/me')).statusCode, 200)
    story.service.clock.advance(15 * 60)
  }
  assert.equal((await call('GET', '/api/users/me')).statusCode, 401)
})

test('ends sessions and tokens with a deleted account', async (t) => {
  const fresh = await startStory()
  t.after(() => fresh.close())
  const token = (await exchange(fresh, await freshCode(fresh))).json().access_token
  assert.equal((await fresh.api('DELETE', `/api/accounts/${fresh.accountId}`)).statusCode, 204)
  assert.equal(await isActive(fresh, token), false)
  assert.equal((await fresh.api('GET', `/api/accounts/${fresh.accountId}`)).statusCode, 404)
})

test('answers a wrong password and an unknown address alike [U07]', async () => {
  const bodies = []
  for (const credentials of [
    { email: ADMIN.email, password: 'wrong' },
    { email: 'unknown@test.example', password: ADMIN.password },
  ]) {
    const answer = await story.request({
      method: 'POST',
      url: '/auth/sign-in',
      payload: credentials,
    })
    assert.equal(answer.statusCode, 401)
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
    bodies.push({ ...answer.json(), traceId: '' })
  }
  assert.deepEqual(bodies[0], bodies[1])
})
