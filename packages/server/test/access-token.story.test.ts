// What an access token can be used for: userinfo, introspection, revocation. Contract §2,
// security §6, C10-C13.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../src/seed/seed-samples.ts'
import {
  authorize,
  exchange,
  freshCode,
  isActive,
  type RegisteredApp,
  type Story,
  signIn,
  startStory,
} from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
let other: RegisteredApp
before(async () => {
  story = await startStory()
  other = await story.registerApp('other')
  await story.api('PATCH', `/api/apps/${story.app.id}`, { accessTokenLifetimeSeconds: 600 })
})
after(() => story.close())

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const freshToken = async (changes = {}): Promise<string> =>
  (await exchange(story, await freshCode(story, changes))).json().access_token

const userinfo = (headers: Record<string, string>, url = '/app-auth/userinfo') =>
  story.request({ url, headers })

test('userinfo answers GET, POST with a header and POST with a form', async () => {
  const token = await freshToken({ scope: 'launch openid profile email' })
  const bearer = { authorization: `Bearer ${token}` }
  const answers = [
    await userinfo(bearer),
    await story.request({ method: 'POST', url: '/app-auth/userinfo', headers: bearer }),
    await story.request({
      method: 'POST',
      url: '/app-auth/userinfo',
      headers: FORM,
      payload: `access_token=${token}`,
    }),
  ]
  for (const answer of answers) {
    assert.equal(answer.statusCode, 200, answer.body)
    const { sub, name, email, sid } = answer.json()
    assert.match(sub, /^usr_/)
    assert.deepEqual([name, email, sid], ['Administrator', ADMIN.email, story.sessionId])
  }
})

test('userinfo refuses a missing, inactive or doubled token, or in a URL [C10, C12]', async () => {
  const token = await freshToken()
  const bearer = { authorization: `Bearer ${token}` }
  const none = await userinfo({})
  assert.equal(none.statusCode, 401)
  assert.equal(none.headers['www-authenticate'], 'Bearer realm="chartside"')
  const garbage = await userinfo({ authorization: 'Bearer at_garbage' })
  assert.equal(garbage.statusCode, 401)
  assert.match(String(garbage.headers['www-authenticate']), /error="invalid_token"/)
  assert.equal((await userinfo({}, `/app-auth/userinfo?access_token=${token}`)).statusCode, 400)
  const twice = await story.request({
    method: 'POST',
    url: '/app-auth/userinfo',
    headers: { ...bearer, ...FORM },
    payload: `access_token=${token}`,
  })
  assert.equal(twice.statusCode, 400)
  const session = await userinfo({ authorization: `Bearer ${story.adminToken}` })
  assert.equal(session.statusCode, 401)
  story.service.clock.advance(600)
  assert.equal((await userinfo(bearer)).statusCode, 401)
})

const introspect = (token: string, headers: Record<string, string>, credentials = {}) =>
  story.request({
    method: 'POST',
    url: '/app-auth/introspect',
    headers: { ...FORM, ...headers },
    payload: new URLSearchParams({ token, ...credentials }).toString(),
  })

test('introspection shows the token and launch to the app and the host’s user [I03]', async (t) => {
  const fresh = await startStory()
  t.after(() => fresh.close())
  const launch = await fresh.launch()
  const code = (await authorize(fresh, launch.launchId)).searchParams.get('code') ?? ''
  const { access_token: token } = (await exchange(fresh, code)).json()
  const asUser = await fresh.request({
    method: 'POST',
    url: '/app-auth/introspect',
    headers: { ...FORM, authorization: `Bearer ${fresh.adminToken}` },
    payload: `token=${token}`,
  })
  const body = asUser.json()
  const nowSeconds = fresh.service.clock() / 1000
  assert.deepEqual(body, {
    active: true,
    token_type: 'Bearer',
    scope: 'launch openid',
    client_id: fresh.app.clientId,
    iss: 'https://chartside.test/app-auth',
    sub: launch.seed.userId,
    iat: nowSeconds,
    exp: nowSeconds + 3600,
    sid: launch.seed.sessionId,
    launch_id: launch.launchId,
    account: launch.seed.account,
    ehr_type: 'meadow',
    device_id: 'device-1',
  })
})

test('introspection requires POST and an authenticated caller [I01]', async () => {
  const token = await freshToken()
  assert.equal((await introspect(token, {})).statusCode, 401)
  assert.equal((await introspect(token, { authorization: 'Bearer st_garbage' })).statusCode, 401)
  assert.equal((await story.request({ url: '/app-auth/introspect' })).statusCode, 405)
})

test('introspection answers only “not active” for any other token [I02]', async () => {
  const token = await freshToken()
  const credentials = { client_id: story.app.clientId, client_secret: story.app.secret }
  const foreign = { client_id: other.clientId, client_secret: other.secret }
  const asApp = async (value: string, as: object) => (await introspect(value, {}, as)).json()
  assert.deepEqual(await asApp(token, foreign), { active: false })
  for (const value of [
    'garbage',
    `at_${'0'.repeat(22)}${'A'.repeat(43)}`,
    await freshCode(story),
    'x'.repeat(4000),
  ]) {
    assert.deepEqual(await asApp(value, credentials), { active: false })
  }
  const flipped = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  assert.deepEqual(await asApp(flipped, credentials), { active: false })
  const stranger = await strangerToken()
  const asStranger = await introspect(token, { authorization: `Bearer ${stranger}` })
  assert.deepEqual(asStranger.json(), { active: false })
})

/** The session token of a person who has nothing to do with the story's launches. */
async function strangerToken(): Promise<string> {
  const who = { name: 'Stranger', email: 'stranger@test.example' }
  const { statements } = await newPerson(story.service.service, who, 'member', 'stranger-pass')
  await story.service.service.db.write(...statements)
  return signIn(story.service, { email: who.email, password: 'stranger-pass' })
}

const revoke = (token: string, app: RegisteredApp) =>
  story.request({
    method: 'POST',
    url: '/app-auth/revoke',
    payload: { token, client_id: app.clientId, client_secret: app.secret },
  })

test('revokes the app’s own token only, and answers 200 for an unknown one [I04]', async () => {
  const token = await freshToken()
  assert.equal((await revoke(token, other)).statusCode, 200)
  assert.equal(await isActive(story, token), true)
  assert.equal((await revoke('at_unknown', story.app)).statusCode, 200)
  assert.equal((await revoke(token, story.app)).statusCode, 200)
  assert.equal(await isActive(story, token), false)
  const wrong = await revoke(token, { ...story.app, secret: 'cs_wrong' })
  assert.equal(wrong.statusCode, 401)
})

const ENDS = {
  'its launch': (launchId: string) => story.api('DELETE', `/api/launches/${launchId}`),
  'its session': (_: string, sessionId: string) =>
    story.api('DELETE', `/api/sessions/${sessionId}`),
  'its app, for a moment': async () => {
    await story.api('PATCH', `/api/apps/${story.app.id}`, { enabled: false })
    return story.api('PATCH', `/api/apps/${story.app.id}`, { enabled: true })
  },
}

for (const [what, end] of Object.entries(ENDS)) {
  test(`a token that was seen active is inactive after the end of ${what} [C11]`, async () => {
    const sessionId = await story.openSession()
    const { id, launchId } = await story.launch({ sessionId })
    const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
    const token = (await exchange(story, code)).json().access_token
    const bearer = { authorization: `Bearer ${token}` }
    assert.equal(await isActive(story, token), true)
    assert.equal((await userinfo(bearer)).statusCode, 200)
    assert.ok((await end(id, sessionId)).statusCode < 300)
    assert.equal(await isActive(story, token), false)
    assert.equal((await userinfo(bearer)).statusCode, 401)
  })
}
