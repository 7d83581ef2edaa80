// The rules of the token endpoint, one test each, through the app. Contract §2, security §2 and §3.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { warnOfExpiringSecrets } from '../src/apps/secret-expiry.ts'
import {
  authorize,
  exchange,
  freshCode,
  isActive,
  type RegisteredApp,
  type Story,
  startStory,
} from './story.ts'

let story: Story
let other: RegisteredApp
before(async () => {
  story = await startStory()
  other = await story.registerApp('other')
})
after(() => story.close())

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const WITH_PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }

function assertRefused(answer: LightMyRequestResponse, status: number, error: string): void {
  assert.equal(answer.statusCode, status, answer.body)
  const body = answer.json()
  assert.equal(body.error, error, answer.body)
  assert.deepEqual(Object.keys(body), ['error', 'error_description', 'trace_id'])
  assert.match(body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.equal(answer.headers['cache-control'], 'no-store')
}

const form = (story_: Story, parameters: Record<string, string>, headers = {}) =>
  story_.request({
    method: 'POST',
    url: '/app-auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(parameters).toString(),
  })

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

test('takes JSON, a form, and HTTP Basic raw or form-encoded [T02]', async () => {
  const { clientId, secret } = story.app
  const grant = { grant_type: 'authorization_code' }
  assert.equal((await exchange(story, await freshCode(story))).statusCode, 200)
  const inForm = { ...grant, client_id: clientId, client_secret: secret }
  assert.equal((await form(story, { ...inForm, code: await freshCode(story) })).statusCode, 200)
  const raw = basic(clientId, secret)
  assert.equal((await form(story, { ...grant, code: await freshCode(story) }, raw)).statusCode, 200)
  const encoded = basic(clientId.replace('_', '%5F'), secret.replaceAll('_', '%5F'))
  const code = await freshCode(story)
  assert.equal((await form(story, { ...grant, code }, encoded)).statusCode, 200)
})

test('ignores unknown fields and keys in any order', async () => {
  const code = await freshCode(story)
  const payload = {
    client_secret: story.app.secret,
    extra: { nested: ['code', { code: 'x' }] },
    code,
    client_id: story.app.clientId,
    grant_type: 'authorization_code',
  }
  const answer = await story.request({ method: 'POST', url: '/app-auth/token', payload })
  assert.equal(answer.statusCode, 200, answer.body)
})

test('refuses two ways of authenticating in one request [T03]', async () => {
  const code = await freshCode(story)
  const { clientId, secret } = story.app
  const twice = await form(
    story,
    { grant_type: 'authorization_code', code, client_id: clientId, client_secret: secret },
    basic(clientId, secret),
  )
  assertRefused(twice, 400, 'invalid_request')
  assertRefused(await exchange(story, code), 400, 'invalid_grant')
})

test('answers an unknown client and a wrong secret with the same 401 [T04]', async () => {
  const unknown = { client_id: `cli_${'0'.repeat(32)}`, client_secret: story.app.secret }
  const wrong = { client_secret: `${story.app.secret.slice(0, -1)}#` }
  const bodies = []
  for (const changes of [unknown, wrong]) {
    const answer = await exchange(story, await freshCode(story), changes)
    assertRefused(answer, 401, 'invalid_client')
    bodies.push({ ...answer.json(), trace_id: '' })
  }
  assert.deepEqual(bodies[0], bodies[1])
  const code = await freshCode(story)
  const answer = await form(story, { grant_type: 'authorization_code', code }, basic('x', 'y'))
  assertRefused(answer, 401, 'invalid_client')
  assert.match(String(answer.headers['www-authenticate']), /^Basic/)
})

test('names the mistake when the app id is sent as client_id', async () => {
  const answer = await exchange(story, await freshCode(story), { client_id: story.app.id })
  assertRefused(answer, 401, 'invalid_client')
  assert.match(answer.json().error_description, /app's id, not its client ID/)
})

test('knows no grant but authorization_code and never gives a refresh token [T05]', async () => {
  for (const grant of ['refresh_token', 'password', 'client_credentials', 'implicit', 'nonsense']) {
    const code = await freshCode(story)
    assertRefused(await exchange(story, code, { grant_type: grant }), 400, 'unsupported_grant_type')
    assertRefused(await exchange(story, code), 400, 'invalid_grant')
  }
  const answer = await exchange(story, await freshCode(story))
  assert.equal(answer.statusCode, 200)
  assert.equal('refresh_token' in answer.json(), false)
})

test('refuses a code redeemed twice and revokes its token [C03, C04, C07]', async () => {
  const code = await freshCode(story)
  const { access_token: token } = (await exchange(story, code)).json()
  assert.equal(await isActive(story, token), true)
  story.service.clock.advance(30)
  assertRefused(await exchange(story, code), 400, 'invalid_grant')
  assert.equal(await isActive(story, token), false)
  assertRefused(await exchange(story, code), 400, 'invalid_grant')
})

test('a stranger with a spent code cannot revoke what it bought [C06]', async () => {
  const code = await freshCode(story)
  const { access_token: token } = (await exchange(story, code)).json()
  assertRefused(await exchange(story, code, {}, other), 400, 'invalid_grant')
  assertRefused(await exchange(story, code, { client_secret: 'cs_wrong' }), 401, 'invalid_client')
  assert.equal(await isActive(story, token), true)
})

test('an attempt that names another client changes nothing [T08, C08]', async () => {
  const code = await freshCode(story)
  assertRefused(await exchange(story, code, {}, other), 400, 'invalid_grant')
  const impostor = { client_id: other.clientId, client_secret: 'cs_wrong' }
  assertRefused(await exchange(story, code, impostor), 401, 'invalid_client')
  assert.equal((await exchange(story, code)).statusCode, 200)
})

test('invalidates a code after a failed attempt of its own client [C08]', async () => {
  const attempts: [Record<string, string>, string][] = [
    [{ client_secret: 'cs_wrong' }, 'invalid_client'],
    [{ redirect_uri: 'https://notes.example/other' }, 'invalid_grant'],
    [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
  ]
  for (const [changes, error] of attempts) {
    const code = await freshCode(story)
    assert.equal((await exchange(story, code, changes)).json().error, error)
    assertRefused(await exchange(story, code), 400, 'invalid_grant')
  }
})

test('a code lives sixty seconds [C02]', async () => {
  const inTime = await freshCode(story)
  story.service.clock.advance(59)
  assert.equal((await exchange(story, inTime)).statusCode, 200)
  const late = await freshCode(story)
  story.service.clock.advance(61)
  const answer = await exchange(story, late)
  assertRefused(answer, 400, 'invalid_grant')
  assert.match(answer.json().error_description, /too late/)
})

test('redirect_uri is checked when sent and may be left out [T09]', async () => {
  const same = { redirect_uri: story.app.redirectUri }
  assert.equal((await exchange(story, await freshCode(story), same)).statusCode, 200)
})

test('requires the verifier of a challenge, and none without one [T10, T11, T12]', async () => {
  const withChallenge = () => freshCode(story, WITH_PKCE)
  const good = await exchange(story, await withChallenge(), { code_verifier: VERIFIER })
  assert.equal(good.statusCode, 200)
  for (const changes of [
    {},
    { code_verifier: `${VERIFIER.slice(0, -1)}x` },
    { code_verifier: 'ü'.repeat(50) },
    { code_verifier: 'short' },
    { code_verifier: 'a'.repeat(129) },
    { code_verifier: CHALLENGE },
  ]) {
    assertRefused(await exchange(story, await withChallenge(), changes), 400, 'invalid_grant')
  }
  const downgraded = await exchange(story, await freshCode(story), { code_verifier: VERIFIER })
  assertRefused(downgraded, 400, 'invalid_grant')
})

test('accepts several secrets; refuses a retired one at once, an expired one [K02]', async () => {
  const url = `/api/apps/${story.app.id}/secrets`
  const second = (await story.api('POST', url, { label: 'second' })).json()
  const expiresAt = new Date(story.service.clock() + 60_000).toISOString()
  const third = (await story.api('POST', url, { expiresAt })).json()
  const tryWith = async (secret: string) =>
    (await exchange(story, await freshCode(story), { client_secret: secret })).statusCode
  for (const secret of [story.app.secret, second.secret, third.secret]) {
    assert.equal(await tryWith(secret), 200)
  }
  assert.equal((await story.api('DELETE', `${url}/${second.id}`)).statusCode, 204)
  assert.equal(await tryWith(second.secret), 401)
  story.service.clock.advance(59)
  assert.equal(await tryWith(third.secret), 200)
  story.service.clock.advance(1)
  assert.deepEqual(
    [await tryWith(story.app.secret), await tryWith(second.secret), await tryWith(third.secret)],
    [200, 401, 401],
  )
  const { items } = (await story.api('GET', url)).json()
  assert.equal(items.length, 2)
  assert.ok(items[0].lastUsedAt)
  assert.equal(JSON.stringify(items).includes('cs_'), false)
})

test('retires a secret at a time, and takes that back until then [K02]', async () => {
  const url = `/api/apps/${story.app.id}/secrets`
  const { id, secret } = (await story.api('POST', url, { label: 'old' })).json()
  const tryIt = async () =>
    (await exchange(story, await freshCode(story), { client_secret: secret })).statusCode
  const retire = (retiresAt: unknown) => story.api('PATCH', `${url}/${id}`, { retiresAt })
  const at = (seconds: number) => new Date(story.service.clock() + seconds * 1000).toISOString()

  const soon = at(60)
  assert.equal((await retire(soon)).json().retiresAt, soon)
  assert.equal((await retire(null)).json().retiresAt, null)
  story.service.clock.advance(61)
  assert.equal(await tryIt(), 200, 'taken back')

  await retire(at(60))
  story.service.clock.advance(59)
  assert.equal(await tryIt(), 200)
  story.service.clock.advance(1)
  assert.equal(await tryIt(), 401)
  assert.equal((await retire(null)).statusCode, 404, 'it has retired')
  assert.equal(await tryIt(), 401)

  const other = (await story.api('POST', url, {})).json()
  for (const wrong of [undefined, 'tomorrow', at(-1), 5]) {
    const answer = await story.api('PATCH', `${url}/${other.id}`, { retiresAt: wrong })
    assert.equal(answer.statusCode, 400, String(wrong))
  }
  const { items } = (await story.api('GET', `${url}?limit=100`)).json()
  assert.ok(!items.some((one: { id: string }) => one.id === id), 'a new one retires what has ended')
})

test('warns of a secret two weeks before it expires, once a day [K02]', async () => {
  const url = `/api/apps/${story.app.id}/secrets`
  const day = 24 * 3600
  const inDays = (days: number) => new Date(story.service.clock() + days * day * 1000).toISOString()
  const soon = (await story.api('POST', url, { label: 'soon', expiresAt: inDays(13) })).json()
  const later = (await story.api('POST', url, { label: 'later', expiresAt: inDays(15) })).json()
  const { service } = story.service
  story.service.clearLog()
  const runs = await Promise.all([warnOfExpiringSecrets(service), warnOfExpiringSecrets(service)])
  assert.deepEqual(runs.toSorted(), [1, undefined], 'one node of those that look')
  const log = story.service.logText()
  assert.ok(log.includes(soon.id) && !log.includes(later.id))
  assert.ok(!log.includes(soon.secret))
  const trail = (await story.api('GET', `/api/accounts/${story.accountId}/audit-events`)).json()
  const [event] = trail.items.filter(
    ({ action }: { action: string }) => action === 'secretExpiresSoon',
  )
  assert.equal(event.target, soon.id)
  assert.equal(event.detail.client, story.app.clientId)
  await story.api('DELETE', `${url}/${soon.id}`)
  const tomorrow = { ...service, clock: () => service.clock() + (day + 1) * 1000 }
  assert.equal(await warnOfExpiringSecrets(tomorrow), 1, 'the other one, the day after')
})

test('puts name and email into tokens only with their scopes [J02]', async () => {
  const claimsWith = async (scope: string) => {
    const { id_token: idToken } = (await exchange(story, await freshCode(story, { scope }))).json()
    return JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url').toString())
  }
  const bare = await claimsWith('launch openid')
  assert.deepEqual(['name' in bare, 'email' in bare], [false, false])
  const full = await claimsWith('launch openid profile email')
  assert.deepEqual(
    [full.name, full.email, full.email_verified],
    ['Administrator', 'admin@test.example', false],
  )
})

test('at_hash is the left half of the hash of the access token [J03]', async () => {
  const { access_token: token, id_token: idToken } = (
    await exchange(story, await freshCode(story))
  ).json()
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url').toString())
  const half = createHash('sha256').update(token).digest().subarray(0, 16)
  assert.equal(claims.at_hash, half.toString('base64url'))
})

test('token lifetimes are the app’s own, up to the platform’s most', async () => {
  const url = `/api/apps/${story.app.id}`
  const tooLong = await story.api('PATCH', url, { accessTokenLifetimeSeconds: 14_401 })
  assert.equal(tooLong.statusCode, 400)
  assert.equal(tooLong.json().errors[0].field, '/accessTokenLifetimeSeconds')
  await story.api('PATCH', url, { accessTokenLifetimeSeconds: 120 })
  const tokens = (await exchange(story, await freshCode(story))).json()
  assert.equal(tokens.expires_in, 120)
  story.service.clock.advance(119)
  assert.equal(await isActive(story, tokens.access_token), true)
  story.service.clock.advance(1)
  assert.equal(await isActive(story, tokens.access_token), false)
  await story.api('PATCH', url, { accessTokenLifetimeSeconds: 3600 })
})

test('shows the app’s owner the precise reason of a failed exchange', async () => {
  const { id, launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  await exchange(story, code)
  await exchange(story, code)
  const { steps } = (await story.api('GET', `/api/launches/${id}`)).json()
  const failed = steps.find((step: { outcome: string }) => step.outcome === 'failed')
  assert.deepEqual(
    [failed.step, failed.code, failed.reason],
    ['exchange', 'invalid_grant', 'code_replayed'],
  )
})
