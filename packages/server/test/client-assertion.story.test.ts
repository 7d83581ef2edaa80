// An app authenticates with a private key in place of a client secret: what is accepted, that each assertion
// counts once on all nodes, and each attack on it, with jose as the app. RFC 7523, security T04, P08.
import assert from 'node:assert/strict'
import { createHmac, KeyObject, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import { byAssertion, signAssertion } from './app-keys.ts'
import { type AssertionStory, startAssertionStory } from './assertion-story.ts'
import { exchange, freshCode } from './story.ts'

/** RFC 7523 2.2. */
const WIRE_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

let at: AssertionStory
before(async () => {
  at = await startAssertionStory()
})
after(() => at.close())

async function assertRefused(assertion: string, what: string, changes: object = {}): Promise<void> {
  const answer = await at.exchangeWith(assertion, changes)
  assert.equal(answer.statusCode, 401, `${what}: ${answer.body}`)
  assert.equal(answer.json().error, 'invalid_client', what)
  assert.ok(answer.headers['www-authenticate'], what)
}

test('exchanges a code with RS256 and ES256, on each node, as JSON and as a form [P08]', async () => {
  for (const key of [at.ec, at.rsa]) {
    const answer = await at.exchangeWith(await at.sign(key))
    assert.equal(answer.statusCode, 200, answer.body)
  }
  assert.equal((await at.exchangeWith(await at.sign(at.ec), {}, at.there)).statusCode, 200)
  const named = await at.exchangeWith(await at.sign(at.ec), { client_id: at.story.app.clientId })
  assert.equal(named.statusCode, 200)
  const atEndpoint = {
    claims: { aud: `${at.story.service.service.config.baseUrl}/app-auth/token` },
  }
  assert.equal((await at.exchangeWith(await at.sign(at.ec, atEndpoint))).statusCode, 200)
  const alone = { claims: { aud: [at.story.service.service.config.issuerUrl], iat: undefined } }
  assert.equal((await at.exchangeWith(await at.sign(at.rsa, alone))).statusCode, 200)
  // Without a kid: the app has one key of this algorithm.
  assert.equal(
    (await at.exchangeWith(await at.sign(at.ec, { header: { kid: undefined } }))).statusCode,
    200,
  )
  const form = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code: await freshCode(at.story) },
    ...{ client_assertion_type: WIRE_TYPE, client_assertion: await at.sign(at.ec) },
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const options = { method: 'POST', url: '/app-auth/token', headers } as const
  const answer = await at.story.request({ ...options, payload: form.toString() })
  assert.equal(answer.statusCode, 200, answer.body)
})

test('introspects and revokes with an assertion of its own for each request [P08]', async () => {
  const { access_token: token } = (await at.exchangeWith(await at.sign(at.ec))).json()
  const post = async (url: string, assertion: string) =>
    at.story.request({ method: 'POST', url, payload: { token, ...byAssertion(assertion) } })
  const assertion = await at.sign(at.ec)
  const introspected = await post('/app-auth/introspect', assertion)
  assert.equal(introspected.json().active, true, introspected.body)
  const again = await post('/app-auth/introspect', assertion)
  assert.deepEqual([again.statusCode, again.json().error], [401, 'invalid_client'])
  const stranger = await signAssertion(at.story, at.other.clientId, at.foreign)
  assert.equal((await post('/app-auth/introspect', stranger)).json().active, false)
  assert.equal((await post('/app-auth/revoke', await at.sign(at.rsa))).statusCode, 200)
  assert.equal((await post('/app-auth/introspect', await at.sign(at.ec))).json().active, false)
})

test('accepts one of forty uses of an assertion, on two nodes at once [P08]', async () => {
  const assertion = await at.sign(at.ec)
  const token = 'at_none'
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      (i % 2 ? at.story : at.there).request({
        ...{ method: 'POST', url: '/app-auth/introspect' },
        payload: { token, ...byAssertion(assertion) },
      }),
    ),
  )
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
  const jti = { claims: { jti: 'the same' } }
  assert.equal((await at.exchangeWith(await at.sign(at.ec, jti))).statusCode, 200)
  await assertRefused(await at.sign(at.rsa, jti), 'the same jti with another key')
  const elsewhere = await signAssertion(at.story, at.other.clientId, at.foreign, jti)
  const answer = await exchange(at.story, 'code_x', byAssertion(elsewhere), at.other)
  assert.equal(answer.json().error, 'invalid_grant', 'a jti is of its app')
})

test('refuses an assertion with the audience of another server or of several', async () => {
  const { issuerUrl, baseUrl } = at.story.service.service.config
  const wrong = [
    ...['https://other.example/app-auth', `${issuerUrl}/`, baseUrl, issuerUrl.toUpperCase()],
    ...[[issuerUrl, 'https://other.example'], [], [[issuerUrl]], undefined, null, 7],
  ]
  for (const aud of wrong) {
    await assertRefused(await at.sign(at.ec, { claims: { aud } }), JSON.stringify(aud) ?? 'none')
  }
})

test('refuses an assertion that is over, not yet begun, or good for too long', async () => {
  const now = Math.floor(at.story.service.clock() / 1000)
  const ok = { claims: { exp: now + 300, nbf: now } }
  assert.equal((await at.exchangeWith(await at.sign(at.ec, ok))).statusCode, 200)
  for (const claims of [
    { exp: now - 60 },
    { exp: now + 361 },
    { exp: now * 1000 },
    { exp: undefined },
    { exp: String(now + 60) },
    { nbf: now + 61 },
    { iat: now + 61 },
    { nbf: 'soon' },
  ]) {
    await assertRefused(await at.sign(at.ec, { claims }), JSON.stringify(claims))
  }
})

test('names times in milliseconds and a signature in DER for what they are [P08]', async () => {
  const now = at.story.service.clock()
  const wire = async (assertion: string) => {
    const answer = await exchange(at.story, await freshCode(at.story), byAssertion(assertion))
    assert.equal(answer.statusCode, 401)
    return String(answer.json().error_description)
  }
  const inMilliseconds = await at.sign(at.ec, { claims: { exp: now + 60_000, iat: now } })
  assert.match(await wire(inMilliseconds), /in seconds, not in milliseconds/)
  const [head = '', body = ''] = (await at.sign(at.ec)).split('.')
  // What Node.js, OpenSSL and Java make of an EC key when nothing else is said.
  const der = sign('sha256', Buffer.from(`${head}.${body}`), KeyObject.from(at.ec.privateKey))
  assert.match(await wire(`${head}.${body}.${der.toString('base64url')}`), /64 bytes.*not the DER/)
})

test('refuses the key of another app, an unknown key and a client without keys', async () => {
  await assertRefused(await at.sign(at.foreign), 'the key of another app under the same kid')
  await assertRefused(await at.sign(at.ec, { header: { kid: 'ec-2' } }), 'a kid that no key has')
  await assertRefused(await at.sign(at.ec, { header: { kid: 'rsa-1' } }), 'the kid of another key')
  await assertRefused(
    await at.sign(at.foreign, { header: { jwk: at.foreign.publicJwk } }),
    'its own key',
  )
  const keyless = await at.story.registerApp('keyless')
  await assertRefused(await at.sign(at.ec, {}, keyless), 'an app without keys')
  const unknown = { ...at.story.app, clientId: `cli_${'0'.repeat(32)}` }
  const answers = [
    await at.exchangeWith(await at.sign(at.foreign)),
    await at.exchangeWith(await at.sign(at.ec, {}, unknown)),
  ]
  const [known, none] = answers.map((answer) => {
    const { trace_id: _, ...body } = answer.json()
    return [answer.statusCode, body.error, body.error_description.replace(/\(trace .*/, '')]
  })
  assert.deepEqual(known, none, 'an unknown client has the same answer [T04]')
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('refuses what is not signed: alg none, HS256 with the public key, cut or changed', async () => {
  const good = await at.sign(at.rsa)
  const [head = '', body = '', signature = ''] = good.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const input = `${encode({ alg: 'HS256', kid: at.rsa.kid })}.${body}`
  const secret = JSON.stringify(at.rsa.publicJwk)
  const hs256 = createHmac('sha256', secret).update(input).digest('base64url')
  const changed = encode({ ...claims, jti: 'another' })
  const attacks = {
    'alg none without a signature': `${encode({ alg: 'none' })}.${body}.`,
    'alg none with one': `${encode({ alg: 'none', kid: at.rsa.kid })}.${body}.${signature}`,
    'alg None': `${encode({ alg: 'None', kid: at.rsa.kid })}.${body}.${signature}`,
    HS256: `${input}.${hs256}`,
    PS256: `${encode({ alg: 'PS256', kid: at.rsa.kid })}.${body}.${signature}`,
    'the other algorithm': `${encode({ alg: 'ES256', kid: at.rsa.kid })}.${body}.${signature}`,
    'changed claims': `${head}.${changed}.${signature}`,
    'a cut signature': `${head}.${body}.${signature.slice(0, -8)}`,
    'no signature': `${head}.${body}.`,
    'two parts': `${head}.${body}`,
    'no JSON': `${head}.e30x.${signature}`,
    'no text': 'x',
  }
  for (const [what, assertion] of Object.entries(attacks)) await assertRefused(assertion, what)
  const crit = { header: { crit: ['b64'], b64: true } }
  await assertRefused(await at.sign(at.ec, crit), 'a critical header')
  for (const typ of ['at+jwt', 'logout+jwt', 'id_token', 'dpop+jwt', '', 1]) {
    await assertRefused(await at.sign(at.ec, { header: { typ } }), `a token of type ${typ}`)
  }
  // Signed by the right key: what the header or the claims say is all that is wrong.
  const signed = (header: object, payload: string) => {
    const text = `${encode(header)}.${Buffer.from(payload).toString('base64url')}`
    const made = sign('sha256', Buffer.from(text), KeyObject.from(at.rsa.privateKey))
    return `${text}.${made.toString('base64url')}`
  }
  const payload = (jti: string) => JSON.stringify({ ...claims, jti })
  const { kid } = at.rsa
  assert.equal((await at.exchangeWith(signed({ alg: 'RS256', kid }, payload('1')))).statusCode, 200)
  for (const alg of ['none', 'HS256', 'PS256', 'RS512', 'rs256', undefined, ['RS256']]) {
    await assertRefused(signed({ alg, kid }, payload('2')), `a header with alg ${alg}`)
  }
  const twice = `{"sub":"${at.story.app.clientId}",${payload('3').slice(1)}`
  await assertRefused(signed({ alg: 'RS256', kid }, twice), 'a member twice')
})

test('refuses claims that name another client, and an assertion without a jti', async () => {
  for (const claims of [
    { iss: at.other.clientId },
    { sub: at.other.clientId },
    { iss: at.story.app.id, sub: at.story.app.id },
    { sub: undefined },
    { sub: 7 },
    { jti: undefined },
    { jti: '' },
    { jti: 'j'.repeat(257) },
    { jti: 7 },
  ]) {
    await assertRefused(await at.sign(at.ec, { claims }), JSON.stringify(claims))
  }
  await assertRefused(await at.sign(at.ec), 'another client_id', { client_id: at.other.clientId })
  const type = { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' }
  await assertRefused(await at.sign(at.ec), 'another type', type)
  await assertRefused(await at.sign(at.ec), 'no type', { client_assertion_type: undefined })
})
