// The answers of the token endpoint and what its tokens are good for: headers, members, who may read
// them, and that neither kind of token stands in for the other. Contract §2, security T06, T07, T15,
// C13, J01, J04, J09.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { systemRandomness } from '../src/kernel/randomness.ts'
import { authorize, exchange, freshCode, type Story, startStory } from './story.ts'
import { HOST_ORIGIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const decode = (jwt: string, part: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(jwt.split('.')[part] ?? '', 'base64url').toString())

const tokensFor = async (changes: Record<string, string> = {}) => {
  const answer = await exchange(story, await freshCode(story, changes))
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const userinfo = (token: string) =>
  story.request({ url: '/app-auth/userinfo', headers: { authorization: `Bearer ${token}` } })

const introspect = async (token: string) => {
  const { clientId: client_id, secret: client_secret } = story.app
  const payload = { token, client_id, client_secret }
  return (await story.request({ method: 'POST', url: '/app-auth/introspect', payload })).json()
}

function assertNotStored(answer: LightMyRequestResponse): void {
  assert.match(String(answer.headers['content-type']), /^application\/json\b/)
  assert.equal(answer.headers['cache-control'], 'no-store')
}

test('answers a success as JSON that is not stored, with whole seconds and scope [T06]', async () => {
  const answer = await exchange(story, await freshCode(story, { scope: 'openid launch email' }))
  assert.equal(answer.statusCode, 200, answer.body)
  assertNotStored(answer)
  assert.equal(answer.headers.pragma, 'no-cache')
  const { access_token, id_token, ...rest } = answer.json()
  assert.match(access_token, /^at_/)
  assert.equal(id_token.split('.').length, 3)
  const scope = 'launch openid email'
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope })
})

test('answers each error as JSON with a string error, not stored, by its status [T07]', async () => {
  const send = (payload: string, headers: Record<string, string> = {}) =>
    story.request({
      method: 'POST',
      url: '/app-auth/token',
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    })
  const answers: [number, string, LightMyRequestResponse][] = [
    [400, 'invalid_request', await send('{')],
    [400, 'invalid_request', await send('{"grant_type": "authorization_code"}')],
    [400, 'invalid_request', await send('<a/>', { 'content-type': 'text/xml' })],
    [400, 'unsupported_grant_type', await exchange(story, 'x', { grant_type: 'password' })],
    [400, 'invalid_grant', await exchange(story, 'x')],
    [401, 'invalid_client', await exchange(story, 'x', { client_secret: 'cs_wrong' })],
    [400, 'invalid_request', await send(JSON.stringify({ code: 'x'.repeat(2000) }))],
    [413, 'invalid_request', await send(JSON.stringify({ code: 'x'.repeat(9000) }))],
  ]
  for (const [status, error, answer] of answers) {
    assert.equal(answer.statusCode, status, answer.body)
    assertNotStored(answer)
    assert.equal(answer.json().error, error, answer.body)
  }
})

test('lets no page of any origin read the answers of the token endpoint [T15]', async () => {
  const origins = [
    new URL(story.app.redirectUri).origin,
    'https://evil.example',
    'null',
    HOST_ORIGIN,
  ]
  const { clientId, secret } = story.app
  for (const origin of origins) {
    const preflight = await story.service.server.inject({
      method: 'OPTIONS',
      url: '/app-auth/token',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    const payload = { grant_type: 'x', code: 'x', client_id: clientId, client_secret: secret }
    const headers = { origin }
    const answer = await story.request({ method: 'POST', url: '/app-auth/token', headers, payload })
    for (const { headers: sent } of [preflight, answer]) {
      assert.equal(sent['access-control-allow-origin'], undefined, origin)
      assert.equal(sent['access-control-allow-credentials'], undefined, origin)
    }
  }
})

test('gives with a token only what its scopes cover, and always userinfo [C13]', async () => {
  for (const [scope, claims] of [
    ['launch openid', []],
    ['launch openid profile', ['name']],
    ['launch openid email', ['email', 'email_verified']],
  ] as const) {
    const { access_token } = await tokensFor({ scope })
    const answer = await userinfo(access_token)
    assert.equal(answer.statusCode, 200, answer.body)
    const personal = Object.keys(answer.json()).filter((name) => /^(name|email)/.test(name))
    assert.deepEqual(personal.sort(), [...claims].sort())
    assert.equal((await introspect(access_token)).scope, scope)
  }
})

test('puts nonce into the ID token only when sent, and each required claim [J01]', async () => {
  const required = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti']
  for (const nonce of [undefined, 'n-1']) {
    const { id_token } = await tokensFor(nonce === undefined ? {} : { nonce })
    const claims = decode(id_token, 1)
    assert.equal(claims.nonce, nonce)
    assert.equal('nonce' in claims, nonce !== undefined)
    assert.deepEqual(
      required.filter((name) => !(name in claims)),
      [],
    )
    assert.equal(claims.aud, story.app.clientId)
    const { alg, typ, kid } = decode(id_token, 0)
    assert.deepEqual([alg, typ], ['RS256', 'JWT'])
    const { keys } = (await story.request({ url: '/app-auth/.well-known/jwks.json' })).json()
    assert.ok(keys.some((key: { kid: string }) => key.kid === kid))
  }
})

test('gives each ID token a jti of 128 random bits, and a person one sub [J04]', async () => {
  const seen = new Set<unknown>()
  const subjects = new Set<unknown>()
  for (let i = 0; i < 50; i++) {
    const { jti, sub } = decode((await tokensFor()).id_token, 1)
    assert.match(String(jti), /^[A-Za-z0-9_-]{22}$/)
    seen.add(jti)
    subjects.add(sub)
  }
  assert.equal(seen.size, 50)
  assert.equal(subjects.size, 1, 'one person, one subject')
  const randomness = systemRandomness()
  const drawn = new Set<string>()
  for (let i = 0; i < 1_000_000; i++) {
    drawn.add(randomness.bytes(16).toString('base64url'))
  }
  assert.equal(drawn.size, 1_000_000)
})

test('refuses an ID token in the place of an access token [J09]', async () => {
  const { access_token, id_token } = await tokensFor()
  assert.equal((await userinfo(access_token)).statusCode, 200)
  const refused = await userinfo(id_token)
  assert.equal(refused.statusCode, 401)
  assert.equal(refused.json().error, 'invalid_token')
  assert.deepEqual(await introspect(id_token), { active: false })
  const payload = {
    token: id_token,
    client_id: story.app.clientId,
    client_secret: story.app.secret,
  }
  await story.request({ method: 'POST', url: '/app-auth/revoke', payload })
  assert.equal((await introspect(access_token)).active, true)
})

test('makes access tokens opaque: no JWT, and nothing of the launch to read [J09]', async () => {
  const { launchId, seed } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const { access_token } = (await exchange(story, code)).json()
  assert.match(access_token, /^at_[0-9a-z]{22}[A-Za-z0-9_-]{43}$/)
  const random = Buffer.from(access_token.slice('at_'.length + 22), 'base64url').toString('latin1')
  for (const value of [seed.userId, seed.sessionId, seed.account.name, 'RS256']) {
    assert.equal(access_token.includes(value) || random.includes(value), false)
  }
})
