// The receiver of logout tokens: what it takes, what it refuses, and when the service should try again. Keys are
// made here; no socket is opened. OpenID Connect Back-Channel Logout 1.0, 2.5 and 2.6.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createLogoutReceiver, type Logout } from './logout-receiver.ts'

const ISSUER = 'https://service.example/app-auth'
const CLIENT = 'cli_5f0c2d7e9b1a4c68d3e2f1a0b9c8d7e6'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const NOW = 1_800_000_000
const ours = await generateKeyPair('RS256')
const theirs = await generateKeyPair('RS256')
const jwk = { ...(await exportJWK(ours.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }

const CLAIMS = {
  ...{ iss: ISSUER, aud: CLIENT, iat: NOW, exp: NOW + 120, jti: 'j1', txn: 'evt_1' },
  ...{ sub: 'usr_1', sid: 'ses_1', events: { [EVENT]: {} } },
}

const sign = (claims: object, { key = ours.privateKey, typ = 'logout+jwt' } = {}) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', typ, kid: 'k1' }).sign(key)

function receiver(changes: Partial<Parameters<typeof createLogoutReceiver>[0]> = {}) {
  const ended: Logout[] = []
  const receive = createLogoutReceiver({
    ...{ issuer: ISSUER, clientId: CLIENT, now: () => NOW * 1000 },
    onLogout: (logout) => void ended.push(logout),
    fetch: async () => Response.json({ keys: [jwk] }),
    ...changes,
  })
  const post = async (token: string) => {
    const body = new URLSearchParams({ logout_token: token })
    return receive(new Request('https://app.example/logout', { method: 'POST', body }))
  }
  return { ended, receive, post }
}

test('ends the session of a logout token, and the same again for a repetition', async () => {
  const { ended, post } = receiver()
  const answer = await post(await sign(CLAIMS))
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [204, 'no-store'])
  await post(await sign({ ...CLAIMS, jti: 'j2' }))
  const logout = { sub: 'usr_1', sid: 'ses_1', txn: 'evt_1' }
  assert.deepEqual(ended, [logout, logout])
})

test('takes the one algorithm that is registered, whatever else is published [R03]', async () => {
  const pair = await generateKeyPair('ES256')
  const ec = { ...(await exportJWK(pair.publicKey)), kid: 'e1', alg: 'ES256', use: 'sig' }
  const header = { alg: 'ES256', typ: 'logout+jwt', kid: 'e1' }
  const token = await new SignJWT(CLAIMS).setProtectedHeader(header).sign(pair.privateKey)
  const fetch = async () => Response.json({ keys: [jwk, ec] })
  const registered = receiver({ fetch, idTokenSignedResponseAlg: 'ES256' })
  assert.equal((await registered.post(token)).status, 204)
  assert.match(await (await registered.post(await sign(CLAIMS))).text(), /not signed with ES256/)
  assert.match(await (await receiver({ fetch }).post(token)).text(), /not signed with RS256/)
})

const REFUSED: readonly [what: string, token: () => Promise<string>, says: RegExp][] = [
  ['no token', async () => '', /no logout_token/],
  ['another text', async () => 'e30.e30', /three parts/],
  ['the signature of another key', () => sign(CLAIMS, { key: theirs.privateKey }), /signature/],
  ['an ID token', () => sign(CLAIMS, { typ: 'JWT' }), /another type/],
  ['a nonce', () => sign({ ...CLAIMS, nonce: 'n' }), /no nonce/],
  ['another issuer', () => sign({ ...CLAIMS, iss: 'https://other.example' }), /iss is not/],
  ['another app', () => sign({ ...CLAIMS, aud: 'cli_other' }), /aud is not/],
  ['a list of audiences', () => sign({ ...CLAIMS, aud: [CLIENT, 'cli_other'] }), /aud is not/],
  ['an expired token', () => sign({ ...CLAIMS, iat: NOW - 300, exp: NOW - 180 }), /expired/],
  ['a token of tomorrow', () => sign({ ...CLAIMS, iat: NOW + 86_400 }), /valid only in/],
  ['no events', () => sign({ ...CLAIMS, events: undefined }), /events/],
  ['another event', () => sign({ ...CLAIMS, events: { 'urn:other': {} } }), /events/],
  ['an event that is no object', () => sign({ ...CLAIMS, events: { [EVENT]: 1 } }), /events/],
  ['no session', () => sign({ ...CLAIMS, sid: undefined }), /"sid"/],
  ['no jti', () => sign({ ...CLAIMS, jti: undefined }), /"jti"/],
]
for (const [what, token, says] of REFUSED) {
  test(`refuses ${what} with 400 and ends nothing`, async () => {
    const { ended, post } = receiver()
    const answer = await post(await token())
    assert.equal(answer.status, 400)
    const { error, error_description: text } = (await answer.json()) as Record<string, string>
    assert.equal(error, 'invalid_request')
    assert.match(text ?? '', says)
    assert.deepEqual(ended, [])
  })
}

test('answers 500 when the app fails or the keys are away, so that it is sent again', async () => {
  const failing = receiver({ onLogout: () => Promise.reject(new Error('database: secret-host')) })
  const answer = await failing.post(await sign(CLAIMS))
  assert.equal(answer.status, 500)
  assert.doesNotMatch(await answer.text(), /secret-host/)
  const away = receiver({ fetch: async () => new Response(null, { status: 503 }) })
  assert.equal((await away.post(await sign(CLAIMS))).status, 500)
  assert.deepEqual(away.ended, [])
})

test('takes a form by POST only, of bounded size, with one token', async () => {
  const { receive, ended } = receiver()
  const url = 'https://app.example/logout'
  assert.equal((await receive(new Request(url))).status, 405)
  const token = await sign(CLAIMS)
  const body = `logout_token=${token}&logout_token=${token}`
  assert.equal((await receive(new Request(url, { method: 'POST', body }))).status, 400)
  const long = `logout_token=${'x'.repeat(40_000)}`
  assert.equal((await receive(new Request(url, { method: 'POST', body: long }))).status, 400)
  assert.deepEqual(ended, [])
})

test('names a missing option', () => {
  const onLogout = () => {}
  assert.throws(
    () => createLogoutReceiver({ issuer: undefined, clientId: CLIENT, onLogout }),
    /issuer/,
  )
  assert.throws(
    () => createLogoutReceiver({ issuer: ISSUER, clientId: undefined, onLogout }),
    /clientId/,
  )
})
