// The second factor: set up, required on the page and by POST /auth/sign-in, each code once, guesses
// limited, sealed at rest, deleted by a reset. Contract §3, RFC 6238, security P08.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { listEvents } from '../src/audit/audit-trail.ts'
import { OPERATOR } from '../src/credentials/invitation.ts'
import { issueReset } from '../src/credentials/reset.ts'
import { sql } from '../src/db/sql.ts'
import { reseal } from '../src/keys/key-rotation.ts'
import { masterKeyFrom, masterKeysOf } from '../src/keys/master-key.ts'
import { codeAt, readSecret } from './authenticator.ts'
import { signInOnPage, testBrowser, testClient } from './sign-in-browser.ts'
import { signIn } from './story.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

const PAGE = '/auth/sign-in/second-factor'

let service: TestService
let token: string
let secret: Buffer
before(async () => {
  service = await startTestService()
})
after(() => service.close())
beforeEach(async () => {
  const { db } = service.service
  await db.write(sql`DELETE FROM second_factors`)
  await db.write(sql`DELETE FROM rate_limits`)
  service.clock.advance(3600)
  token = await signIn(service, ADMIN)
  secret = await switchOn()
  service.clock.advance(60)
})

function call(method: 'GET' | 'POST', path: string, payload?: object) {
  return service.server.inject({
    method,
    url: `/api/users/me/second-factor${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload ? { payload } : {}),
  })
}

const codeNow = (later = 0) => codeAt(secret, service.clock() + later * 30_000)

async function switchOn(): Promise<Buffer> {
  const made = await call('POST', '')
  assert.equal(made.statusCode, 201, made.body)
  secret = readSecret(made.json().secret)
  assert.match(made.json().qrCode, /^<svg/)
  assert.equal((await call('POST', '/confirm', { code: codeNow() })).statusCode, 200)
  return secret
}

const post = (fields: object) =>
  service.server.inject({ method: 'POST', url: '/auth/sign-in', payload: { ...ADMIN, ...fields } })

test('asks for a code once the factor is confirmed', async () => {
  assert.equal((await call('GET', '')).json().state, 'on')
  assert.equal((await call('POST', '')).statusCode, 409)
  const missing = await post({})
  assert.deepEqual([missing.statusCode, missing.json().code], [401, 'second_factor_required'])
  assert.equal((await post({ totp: '000000' })).json().code, 'wrong_credentials')
  assert.equal((await post({ totp: codeNow() })).statusCode, 200)
  const wrongPassword = await post({ password: 'wrong', totp: codeNow(1) })
  assert.equal(wrongPassword.json().code, 'wrong_credentials')
})

test('asks for the code on a page after the password, and accepts the right one', async () => {
  const client = testClient(service)
  const browser = testBrowser(service)
  const page = await signInOnPage(browser, client.url, ADMIN)
  assert.match(page.html, /Enter your code/)
  service.clock.advance(1)
  const wrong = await browser.send(page, PAGE, { code: '000000' })
  assert.equal(wrong.status, 401)
  const trail = { accountId: 'platform', before: 'evt_~', limit: 1 }
  const [refused] = await listEvents(service.service.db, trail)
  assert.deepEqual(
    [refused?.action, refused?.outcome, refused?.actor],
    ['verifySecondFactor', 'refused', 'nobody'],
    'who has no code has not shown who they are',
  )
  const question = await browser.send(wrong, PAGE, { code: codeNow() })
  assert.match(question.html, /Do the codes match\?/)
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  assert.equal((await client.poll()).statusCode, 200)
})

test('accepts a code once of ten parallel attempts', async () => {
  const totp = codeNow()
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(post({ totp }))
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode).sort()
  assert.deepEqual(statuses, [200, 401, 401, 401])
  service.clock.advance(30)
  assert.equal((await post({ totp })).statusCode, 401, 'it is still in its time, and used')
})

test('refuses even the right code after five wrong ones, for this user only', async () => {
  for (let i = 0; i < 5; i++) assert.equal((await post({ totp: '000000' })).statusCode, 401)
  const limited = await post({ totp: codeNow() })
  assert.equal(limited.statusCode, 429)
  assert.ok(Number(limited.headers['retry-after']) > 0)
  service.clock.advance(15 * 60 + 1)
  assert.equal((await post({ totp: codeNow() })).statusCode, 200)
})

test('refuses the interaction of the second factor in another browser', async () => {
  const browser = testBrowser(service)
  const page = await signInOnPage(browser, testClient(service).url, ADMIN)
  const step = /name="step" value="([^"]+)"/.exec(page.html)?.[1]
  const other = testBrowser(service)
  await other.open(testClient(service).url)
  assert.equal((await other.open(`${PAGE}?step=${step}`)).status, 410)
})

test('turns off with a code of the factor, and with nothing else', async () => {
  assert.equal((await call('POST', '/remove', { code: '000000' })).statusCode, 400)
  assert.equal((await call('POST', '/remove', { code: codeNow() })).statusCode, 204)
  assert.equal((await post({})).statusCode, 200)
})

test('refuses removal by an old session token, and keeps the attempts of its user', async () => {
  for (let i = 0; i < 5; i++) {
    assert.equal((await call('POST', '/remove', { code: '000000' })).statusCode, 400)
  }
  assert.equal((await call('POST', '/remove', { code: '000000' })).statusCode, 429)
  assert.equal((await post({ totp: codeNow() })).statusCode, 200)
  service.clock.advance(15 * 60 + 1)
  const late = await call('POST', '/remove', { code: codeNow() })
  assert.deepEqual([late.statusCode, late.json().code], [403, 'sign_in_again'])
  assert.equal((await post({ totp: codeNow() })).statusCode, 200, 'the code was not looked at')
})

test('seals the secret, and reseals it under a new master key', async () => {
  const { db, config, randomness } = service.service
  const [row] = await db.read(sql`SELECT * FROM second_factors`)
  assert.ok(!JSON.stringify(row).includes(secret.toString('base64url')))
  const old = masterKeysOf(config, randomness).current
  const current = masterKeyFrom(randomness.bytes(32).toString('base64'))
  const names = await reseal({ db, randomness, masters: { current, previous: old } }, true)
  assert.ok(names.includes(String(row?.user_id)))
})

test('deletes the factor with a reset by an administrator', async () => {
  const me = await service.server.inject({
    url: '/api/users/me',
    headers: { authorization: `Bearer ${token}` },
  })
  // As chartside users reset does: this administrator has no other one.
  const about = { userId: me.json().id, accountId: undefined, createdBy: OPERATOR }
  const { url } = await issueReset(service.service, about, { now: service.clock() })
  const browser = testBrowser(service)
  const { password } = ADMIN
  await browser.send(await browser.open(url), '/auth/invitation/password', { password })
  assert.equal((await post({})).statusCode, 200)
})

test('asks for no code of a factor that was never confirmed [P08]', async () => {
  await service.service.db.write(sql`DELETE FROM second_factors`)
  assert.equal((await call('POST', '')).statusCode, 201)
  assert.equal((await call('GET', '')).json().state, 'unconfirmed')
  assert.equal((await post({})).statusCode, 200)
})

test('counts no wrong codes from before a right one [U07]', async () => {
  for (const round of [0, 1, 2]) {
    for (let i = 0; i < 4; i++) assert.equal((await post({ totp: '000000' })).statusCode, 401)
    assert.equal((await post({ totp: codeNow() })).statusCode, 200, `round ${round}`)
    service.clock.advance(60)
  }
})

test('leaves no recovery code when the factor is turned off [P08]', async () => {
  assert.equal((await call('GET', '')).json().recoveryCodesLeft, 10)
  assert.equal((await call('POST', '/remove', { code: codeNow() })).statusCode, 204)
  assert.equal((await call('GET', '')).json().recoveryCodesLeft, 0)
})
