// The rules of authorize, one test each, through the app. Contract §2, security §1 and §11.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  authorize,
  authorizeParameters,
  exchange,
  type RegisteredApp,
  redirectOf,
  type Story,
  startStory,
} from './story.ts'

let story: Story
let other: RegisteredApp
let launchId: string
before(async () => {
  story = await startStory()
  other = await story.registerApp('other')
})
after(() => story.close())
beforeEach(async () => {
  launchId = (await story.launch()).launchId
})

const errorOf = (url: URL) => url.searchParams.get('error')

/** Asserts an error redirect in the right shape [A14, A15] and gives its error code. */
function refusal(url: URL): string | null {
  assert.equal(url.searchParams.has('code'), false)
  assert.equal(url.searchParams.get('iss'), 'https://chartside.test/app-auth')
  assert.match(url.searchParams.get('error_description') ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  return errorOf(url)
}

test('answers GET with 302 and a form POST with 303 [A10, A20]', async () => {
  const parameters = authorizeParameters(story.app, launchId)
  const byGet = await story.request({ url: `/app-auth/authorize?${parameters}` })
  assert.equal(byGet.statusCode, 302)
  const byPost = await story.request({
    method: 'POST',
    url: '/app-auth/authorize',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: parameters.toString(),
  })
  assert.equal(byPost.statusCode, 303)
  assert.ok(new URL(String(byPost.headers.location)).searchParams.has('code'))
})

test('sets no cookie, sends no CORS header and lets itself be framed [A19]', async () => {
  const answer = await story.request({
    url: `/app-auth/authorize?${authorizeParameters(story.app, launchId)}`,
    headers: { origin: 'https://notes.example' },
  })
  for (const header of ['set-cookie', 'access-control-allow-origin', 'x-frame-options']) {
    assert.equal(answer.headers[header], undefined)
  }
  assert.doesNotMatch(String(answer.headers['content-security-policy'] ?? ''), /frame-ancestors/)
})

test('accepts scopes in any order, with + or %20, and grants known ones only [A11]', async () => {
  for (const [scope, granted] of [
    ['openid+launch', 'launch openid'],
    ['launch%20openid', 'launch openid'],
    ['email+patient%2F*.read+launch+openid', 'launch openid email'],
    ['profile+launch+offline_access+openid', 'launch openid profile'],
  ]) {
    const id = (await story.launch()).launchId
    const parameters = authorizeParameters(story.app, id, { scope: undefined })
    const url = `/app-auth/authorize?${parameters}&scope=${scope}`
    const code = redirectOf(await story.request({ url })).searchParams.get('code') ?? ''
    assert.equal((await exchange(story, code)).json().scope, granted)
  }
  for (const scope of ['openid', 'launch', 'Launch OpenID', 'launchopenid']) {
    assert.equal(refusal(await authorize(story, launchId, { scope })), 'invalid_scope')
  }
})

test('returns state byte for byte, however it was encoded [A12, A13]', async () => {
  for (const state of [
    `${'x'.repeat(2048)}`,
    'a%3Ab+c%20d%2525',
    '%E2%9C%93%F0%9F%92%8A',
    'plain:colon/slash?question=mark',
    '%ff%fe',
    '~!$*()',
  ]) {
    const id = (await story.launch()).launchId
    const parameters = authorizeParameters(story.app, id, { state: undefined })
    const answer = await story.request({ url: `/app-auth/authorize?${parameters}&state=${state}` })
    assert.equal(answer.statusCode, 302, state)
    const returned = /[?&]state=([^&]*)/.exec(String(answer.headers.location))?.[1]
    assert.equal(returned, state)
  }
})

test('keeps the query that the registered redirect URI has [A04]', async () => {
  const redirectUri = 'https://query.example/cb?tenant=7&x='
  const app = await story.registerApp('query', { redirectUris: [redirectUri] })
  const sessionId = await story.openSession()
  const launch = await story.launch({ app, sessionId })
  const url = await authorize(story, launch.launchId, { redirect_uri: redirectUri }, app)
  assert.ok(url.href.startsWith(`${redirectUri}&code=code_`), url.href)
})

test('refuses a launch of another app and says so [L01]', async () => {
  const parameters = authorizeParameters(other, launchId)
  const url = redirectOf(await story.request({ url: `/app-auth/authorize?${parameters}` }))
  assert.equal(refusal(url), 'access_denied')
  assert.match(url.searchParams.get('error_description') ?? '', /another app/)
})

test('refuses an unknown launch, an expired one and a used one, each by its name', async () => {
  const unknown = `lnch_${'0'.repeat(22)}${'A'.repeat(43)}`
  const guessed = `${launchId.slice(0, -43)}${'A'.repeat(43)}`
  for (const launch of [unknown, guessed, 'nonsense', story.sessionId]) {
    const url = await authorize(story, launchId, { launch })
    assert.equal(refusal(url), 'invalid_request')
    assert.match(url.searchParams.get('error_description') ?? '', /No launch/)
  }

  for (const launch of ['undefined', '[object Object]', '{launch_id}']) {
    const url = await authorize(story, launchId, { launch })
    const description = url.searchParams.get('error_description') ?? ''
    assert.ok(description.startsWith(`The parameter launch is the text ${launch}, `), description)
  }

  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  assert.equal((await exchange(story, code)).statusCode, 200)
  const used = await authorize(story, launchId)
  assert.equal(refusal(used), 'access_denied')
  assert.match(used.searchParams.get('error_description') ?? '', /already yielded/)

  const late = await story.launch()
  story.service.clock.advance(301)
  const expired = await authorize(story, late.launchId)
  assert.equal(refusal(expired), 'access_denied')
  assert.match(expired.searchParams.get('error_description') ?? '', /not authorized in time/)
})

test('keeps only the newest code of a launch authorized twice [L02]', async () => {
  const first = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const second = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  assert.notEqual(first, second)
  assert.equal((await exchange(story, first)).json().error, 'invalid_grant')
  assert.equal((await exchange(story, second)).statusCode, 200)
})

test('authorizes an authorized launch again after its first five minutes', async () => {
  story.service.clock.advance(200)
  await authorize(story, launchId)
  story.service.clock.advance(200)
  assert.ok((await authorize(story, launchId)).searchParams.has('code'))
})

test('refuses every response_type but code [A06, A07]', async () => {
  const missing = await authorize(story, launchId, { response_type: undefined })
  assert.equal(refusal(missing), 'invalid_request')
  for (const type of ['token', 'id_token', 'code id_token', 'none', 'CODE']) {
    const url = await authorize(story, launchId, { response_type: type })
    assert.equal(refusal(url), 'unsupported_response_type')
  }
})

test('refuses plain, unknown and malformed PKCE challenges [T13]', async () => {
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  for (const changes of [
    { code_challenge: challenge, code_challenge_method: 'plain' },
    { code_challenge: challenge },
    { code_challenge: challenge, code_challenge_method: 's256' },
    { code_challenge: 'short', code_challenge_method: 'S256' },
    { code_challenge_method: 'S256' },
  ]) {
    assert.equal(refusal(await authorize(story, launchId, changes)), 'invalid_request')
  }
})

test('requires a challenge from an app that is set to require PKCE', async () => {
  const app = await story.registerApp('pkce', { requirePkce: true })
  const sessionId = await story.openSession()
  const launch = await story.launch({ app, sessionId })
  const url = await authorize(story, launch.launchId, {}, app)
  assert.equal(refusal(url), 'invalid_request')
  assert.match(url.searchParams.get('error_description') ?? '', /code_challenge/)
})

test('refuses request objects instead of ignoring them, and fetches nothing [A17, A18]', async () => {
  const byValue = await authorize(story, launchId, { request: 'eyJhbGciOiJub25lIn0.e30.' })
  assert.equal(refusal(byValue), 'request_not_supported')
  const byUrl = await authorize(story, launchId, { request_uri: 'https://evil.example/request' })
  assert.equal(refusal(byUrl), 'request_uri_not_supported')
})

test('ignores unknown parameters and unused OpenID Connect parameters [A08]', async () => {
  const url = await authorize(story, launchId, {
    extra: 'foobar',
    display: 'popup',
    ui_locales: 'de',
    claims_locales: 'se',
    acr_values: '1 2',
    max_age: '10000',
    login_hint: 'user@example.com',
    prompt: 'none',
    id_token_hint: 'x.y.z',
  })
  assert.ok(url.searchParams.has('code'), url.href)
})

test('reads the launch from login_hint only with an identity provider', async () => {
  const changes = { launch: undefined, login_hint: launchId, state: 'the-providers-own' }
  const refused = await authorize(story, launchId, changes)
  assert.equal(refusal(refused), 'invalid_request')
  const app = await story.registerApp('idp', { exchange: 'identity_provider' })
  const sessionId = await story.openSession()
  const launch = await story.launch({ app, sessionId })
  const viaProvider = { ...changes, login_hint: launch.launchId }
  const granted = await authorize(story, launch.launchId, viaProvider, app)
  assert.ok(granted.searchParams.has('code'))
  assert.equal(granted.searchParams.get('state'), 'the-providers-own')
})

test('refuses a disabled app by a redirect that says so', async () => {
  const app = await story.registerApp('disabled')
  const sessionId = await story.openSession()
  const launch = await story.launch({ app, sessionId })
  await story.api('PATCH', `/api/apps/${app.id}`, { enabled: false })
  assert.equal(refusal(await authorize(story, launch.launchId, {}, app)), 'unauthorized_client')
})

test('in staging, refuses an app without staging access', async (t) => {
  const staging = await startStory({ CHARTSIDE_ENVIRONMENT: 'staging' })
  t.after(() => staging.close())
  const { launchId: id } = await staging.launch()
  assert.equal(errorOf(await authorize(staging, id)), 'unauthorized_client')
  await staging.api('PATCH', `/api/apps/${staging.app.id}`, { stagingAccess: true })
  assert.ok((await authorize(staging, id)).searchParams.has('code'))
})

test('shows on the timeline why an authorize was refused, with the fix', async () => {
  const { id, launchId: bearer } = await story.launch()
  await authorize(story, bearer, { scope: 'openid' })
  const { steps } = (await story.api('GET', `/api/launches/${id}`)).json()
  const failed = steps.find((step: { outcome: string }) => step.outcome === 'failed')
  assert.equal(failed.step, 'authorize')
  assert.equal(failed.code, 'invalid_scope')
  assert.equal(failed.reason, 'request_malformed')
  assert.ok(failed.cause && failed.fix && failed.traceId)
})
