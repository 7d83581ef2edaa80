// Two nodes on one database: what is changed on one counts on the other. Configuration within two
// seconds, the end of a token, a sign-in or an account at once. Interop 5, security C05, I04, K02.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import {
  authorize,
  authorizeParameters,
  exchange,
  freshCode,
  isActive,
  type Story,
  signIn,
  startStory,
  untilServed,
} from './story.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

let story: Story
let second: TestService
/** The same story, with requests to the second node. */
let there: Story
beforeEach(async () => {
  story = await startStory()
  second = await startTestService({}, { beside: story.service })
  there = {
    ...story,
    request: (options) => second.server.inject(options),
    api: (method, url, body) =>
      second.server.inject({
        method,
        url,
        headers: { authorization: `Bearer ${story.adminToken}` },
        ...(body ? { payload: body } : {}),
      }),
  }
  // So that the second node has its own copy of the app before anything changes.
  assert.equal((await exchange(there, await freshCode(story))).statusCode, 200)
})
afterEach(async () => {
  await second.close()
  await story.close()
})

const twoSecondsLater = () => story.service.clock.advance(2)
const liveToken = async () => (await exchange(story, await freshCode(story))).json().access_token

test('a launch of one node is authorized on another and exchanged on the first', async () => {
  const { launchId } = await story.launch()
  const code = (await authorize(there, launchId)).searchParams.get('code') ?? ''
  const answer = await exchange(story, code)
  assert.equal(answer.statusCode, 200)
  assert.equal(await isActive(there, answer.json().access_token), true)
})

test('fifty exchanges of one code on each of two nodes give one token [C05]', async () => {
  const code = await freshCode(story)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => untilServed(() => exchange(i % 2 ? story : there, code))),
  )
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
  assert.equal(answers.filter(({ statusCode }) => statusCode === 400).length, 99)
})

test('a retired secret is refused by the other node within two seconds [K02]', async () => {
  const { items } = (await story.api('GET', `/api/apps/${story.app.id}/secrets`)).json()
  await story.api('DELETE', `/api/apps/${story.app.id}/secrets/${items[0].id}`)
  twoSecondsLater()
  const refused = await exchange(there, await freshCode(story))
  assert.deepEqual([refused.statusCode, refused.json().error], [401, 'invalid_client'])
})

test('a new secret works on the other node within two seconds', async () => {
  const { secret } = (await story.api('POST', `/api/apps/${story.app.id}/secrets`, {})).json()
  twoSecondsLater()
  const code = await freshCode(story)
  assert.equal((await exchange(there, code, { client_secret: secret })).statusCode, 200)
})

test('another node accepts a new redirect URI within two seconds', async () => {
  const added = 'https://notes.example/second'
  const redirectUris = [story.app.redirectUri, added]
  await story.api('PATCH', `/api/apps/${story.app.id}`, { redirectUris })
  twoSecondsLater()
  const { launchId } = await story.launch()
  const url = await authorize(there, launchId, { redirect_uri: added })
  assert.equal(url.origin + url.pathname, added)
  assert.ok(url.searchParams.get('code'))
})

test('another node refuses a disabled app code and token within two seconds', async () => {
  const code = await freshCode(story)
  const { launchId } = await story.launch()
  await story.api('PATCH', `/api/apps/${story.app.id}`, { enabled: false })
  twoSecondsLater()
  const parameters = authorizeParameters(story.app, launchId)
  const refused = await there.request({ url: `/app-auth/authorize?${parameters}` })
  assert.doesNotMatch(String(refused.headers.location), /[?&]code=/)
  assert.equal((await exchange(there, code)).json().error, 'unauthorized_client')
})

test('another node knows no deleted app within two seconds [V12]', async () => {
  const code = await freshCode(story)
  assert.equal((await story.api('DELETE', `/api/apps/${story.app.id}`)).statusCode, 204)
  twoSecondsLater()
  assert.equal((await exchange(there, code)).json().error, 'invalid_client')
})

test('a revoked token is inactive on the other node at once [I04]', async () => {
  const token = await liveToken()
  assert.equal(await isActive(there, token), true)
  await story.request({
    method: 'POST',
    url: '/app-auth/revoke',
    payload: { token, client_id: story.app.clientId, client_secret: story.app.secret },
  })
  assert.equal(await isActive(there, token), false)
})

test('a sign-out ends launches, codes and tokens on the other node at once [L04]', async () => {
  const token = await liveToken()
  const code = await freshCode(story)
  const { launchId } = await story.launch()
  const headers = { authorization: `Bearer ${story.adminToken}` }
  await story.request({ method: 'POST', url: '/auth/sign-out', headers })
  assert.equal(await isActive(there, token), false)
  assert.equal((await exchange(there, code)).json().error, 'invalid_grant')
  assert.equal((await authorize(there, launchId)).searchParams.get('error'), 'access_denied')
  assert.equal((await there.api('GET', '/api/users/me')).statusCode, 401)
})

test('the deletion of an account ends its sessions on the other node at once', async () => {
  const token = await liveToken()
  const { launchId } = await story.launch()
  await story.api('DELETE', `/api/accounts/${story.accountId}`)
  assert.equal(await isActive(there, token), false)
  assert.equal((await authorize(there, launchId)).searchParams.get('error'), 'access_denied')
  assert.ok(await signIn(second, ADMIN))
})
