// The identity provider of a practice ends what a person has by it: Global Token Revocation, which Okta calls
// Universal Logout. Its requests are made as Okta describes them, signed with the key of the ID tokens. Decision 82.
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type JWTPayload, SignJWT } from 'jose'
import { LIMITS } from '../src/http/admission/rate-limit-rules.ts'
import { CLIENT } from './identity-provider.ts'
import { as, person } from './people.ts'
import {
  answerFor,
  beginPracticeStory,
  endPracticeStory,
  memberOf,
  type Practice,
  practice,
  signInAt,
  story,
} from './practice-provider-story.ts'
import { testBrowser, testClient } from './sign-in-browser.ts'
import { startTestService } from './test-service.ts'

before(beginPracticeStory)
after(endPracticeStory)

const urlOf = ({ providerId }: Practice) => `/auth/revocation/${providerId}`
const seconds = () => Math.floor(story.service.clock() / 1000)

interface Forged {
  readonly claims?: JWTPayload
  readonly header?: { readonly typ?: string; readonly alg?: string }
  readonly key?: KeyObject | Uint8Array
}

const sign = (at: Practice, { claims, header, key = at.provider.key }: Forged = {}) =>
  new SignJWT({
    ...{ jti: randomUUID(), iss: at.provider.issuer, sub: CLIENT.id },
    aud: story.service.service.config.baseUrl + urlOf(at),
    ...{ exp: seconds() + 300, nbf: seconds() - 300, iat: seconds() },
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'global-token-revocation+jwt', ...header })
    .sign(key)

const subjectOf = (at: Practice, sub: string) => ({
  sub_id: { format: 'iss_sub', iss: at.provider.issuer, sub },
})

async function revoke(at: Practice, body: object, { jwt = '' } = {}) {
  const authorization = `Bearer ${jwt || (await sign(at))}`
  const headers = { authorization, 'content-type': 'application/json' }
  return story.request({ method: 'POST', url: urlOf(at), headers, payload: JSON.stringify(body) })
}

const isSignedIn = async ({ api }: { readonly api: typeof story.api }) =>
  (await api('GET', '/api/users/me')).statusCode === 200

test('ends sign-ins and EHR sessions of one person at this provider, and nothing else', async () => {
  const at = await practice()
  const { collection } = (await story.api('GET', `/api/accounts/${story.accountId}`)).json()
  await story.api('PATCH', `/api/accounts/${at.accountId}`, { collection })
  const [amy, ben] = [await memberOf(at), await memberOf(at)]
  const otherwise = await person(at.accountId)
  const opened = await amy.api('POST', '/api/sessions', {
    ...{ accountId: at.accountId, ehrType: 'meadow', deviceId: 'd' },
  })
  assert.equal(opened.statusCode, 201, opened.body)
  const answer = await revoke(at, subjectOf(at, amy.person.sub))
  assert.equal(answer.statusCode, 204, answer.body)
  assert.equal(await isSignedIn(amy), false)
  const shown = (await story.api('GET', `/api/sessions/${opened.json().id}`)).json()
  assert.equal(shown.ended.reason, 'revoked')
  assert.deepEqual([await isSignedIn(ben), await isSignedIn(otherwise)], [true, true])
  const { items } = (await story.api('GET', `/api/audit-events?accountId=${at.accountId}`)).json()
  const event = items.find(({ action }: { action: string }) => action === 'revokeByProvider')
  assert.deepEqual([event.target, event.actor], [amy.userId, 'identity provider'])
  // The binding stays: the person authenticates anew.
  assert.match(await signInAt(at, amy.person), /^st_/)
})

test('lets no step go on that the person has authenticated before [V27]', async () => {
  const at = await practice()
  const amy = await memberOf(at)
  at.provider.person = amy.person
  const [browser, client] = [testBrowser(story.service), testClient(story.service)]
  const uncollected = await browser.open(await answerFor(at, client.url, browser))
  await browser.send(uncollected, '/auth/sign-in/approve', { answer: 'yes' })
  const waiting = testBrowser(story.service)
  const asked = await waiting.open(await answerFor(at, testClient(story.service).url, waiting))
  assert.equal((await revoke(at, subjectOf(at, amy.person.sub))).statusCode, 204)
  assert.equal((await client.poll()).statusCode, 404)
  const late = await waiting.send(asked, '/auth/sign-in/approve', { answer: 'yes' })
  assert.equal(late.status, 410)
})

test('a provider ends no sign-in at another provider of the same person', async () => {
  const [at, elsewhere] = [await practice(), await practice()]
  const amy = await memberOf(elsewhere)
  const answer = await revoke(at, subjectOf(at, amy.person.sub))
  assert.equal(answer.statusCode, 404, answer.body)
  const foreign = await revoke(at, subjectOf(elsewhere, amy.person.sub))
  assert.equal(foreign.statusCode, 400, foreign.body)
  assert.equal(await isSignedIn(amy), true)
})

test('a request counts once, also on two connections at the same time [P08]', async () => {
  const at = await practice()
  const amy = await memberOf(at)
  const jwt = await sign(at)
  const body = subjectOf(at, amy.person.sub)
  const answers = await Promise.all([revoke(at, body, { jwt }), revoke(at, body, { jwt })])
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [204, 401])
  const token = await signInAt(at, amy.person)
  assert.equal((await revoke(at, body, { jwt })).statusCode, 401)
  assert.equal((await as(token)('GET', '/api/users/me')).statusCode, 200)
})

const { privateKey: stranger } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const FORGED: Readonly<Record<string, () => Forged>> = {
  'is signed by another key': () => ({ key: stranger }),
  'is an ID token': () => ({ header: { typ: 'JWT' } }),
  'is signed with the client secret': () => ({
    header: { alg: 'HS256' },
    key: Buffer.from(CLIENT.secret),
  }),
  'is of another issuer': () => ({ claims: { iss: 'https://other.example' } }),
  'is for another client': () => ({ claims: { sub: 'another client' } }),
  'is for another address': () => ({ claims: { aud: story.service.service.config.baseUrl } }),
  'is over': () => ({ claims: { exp: seconds() - 61 } }),
  'is from the future': () => ({ claims: { nbf: seconds() + 90 } }),
  'is eleven minutes old': () => ({ claims: { iat: seconds() - 661 } }),
  'has no end': () => ({ claims: { exp: undefined } as unknown as JWTPayload }),
  'has no identifier': () => ({ claims: { jti: undefined } as unknown as JWTPayload }),
}

test('refuses a request that the provider has not signed for this address', async () => {
  const at = await practice()
  const amy = await memberOf(at)
  for (const [what, forged] of Object.entries(FORGED)) {
    const jwt = await sign(at, forged())
    const answer = await revoke(at, subjectOf(at, amy.person.sub), { jwt })
    assert.equal(answer.statusCode, 401, `${what}: ${answer.body}`)
    assert.equal(answer.json().error, 'invalid_token', what)
    assert.match(String(answer.headers['www-authenticate']), /^Bearer error="invalid_token"/)
  }
  for (const authorization of [undefined, 'Bearer', 'Bearer not-a-jwt', 'Basic eA==']) {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
    const answer = await story.request({ method: 'POST', url: urlOf(at), headers, payload: '{}' })
    assert.equal(answer.statusCode, 401, String(authorization))
  }
  assert.equal((await revoke({ ...at, providerId: 'idp_x' }, {})).statusCode, 401)
  assert.equal(await isSignedIn(amy), true)
})

test('takes a person by issuer and subject only, and says what is wrong', async () => {
  const at = await practice()
  const amy = await memberOf(at)
  const { email, sub } = amy.person
  const { sub_id: subject } = subjectOf(at, sub)
  const wrong: Readonly<Record<string, readonly [object, RegExp]>> = {
    'an e-mail address': [{ sub_id: { format: 'email', email } }, /Issuer and Subject Identifier/],
    'an opaque id': [{ sub_id: { format: 'opaque', id: amy.userId } }, /must be iss_sub/],
    nothing: [{}, /one member sub_id/],
    'two people': [{ sub_id: subject, subject }, /one member sub_id/],
    'no subject': [{ sub_id: { ...subject, sub: '' } }, /sub of sub_id is missing/],
    'another issuer': [{ sub_id: { ...subject, iss: 'https://x.example' } }, /not the issuer/],
  }
  for (const [what, [body, message]] of Object.entries(wrong)) {
    const answer = await revoke(at, body)
    assert.equal(answer.statusCode, 400, `${what}: ${answer.body}`)
    assert.match(answer.json().error_description, message, what)
  }
  assert.equal(await isSignedIn(amy), true)
  // Older descriptions call the member subject.
  assert.equal((await revoke(at, { subject })).statusCode, 204)
  assert.equal(await isSignedIn(amy), false)
})

test('says that the provider is away, and takes the same request afterwards', async () => {
  const at = await practice()
  const amy = await memberOf(at)
  const { service } = story.service
  const { providerFetch } = service
  const jwt = await sign(at)
  const body = subjectOf(at, amy.person.sub)
  Object.assign(service, { providerFetch: () => Promise.reject(new TypeError('fetch failed')) })
  const away = await revoke(at, body, { jwt })
  Object.assign(service, { providerFetch })
  assert.equal(away.statusCode, 503, away.body)
  assert.equal(away.headers['retry-after'], '2')
  assert.equal((await revoke(at, body, { jwt })).statusCode, 204)
})

test('bounds the wrong requests of a network, and takes right ones at any time', async () => {
  const at = await practice()
  const amy = await memberOf(at)
  const url = urlOf(at)
  const ask = () => story.request({ method: 'POST', url, remoteAddress: '198.51.100.7' })
  for (let i = 0; i < LIMITS.directoryToken.most; i++) assert.equal((await ask()).statusCode, 401)
  assert.equal((await ask()).statusCode, 429)
  assert.equal((await revoke(at, subjectOf(at, amy.person.sub))).statusCode, 204)
})

test('answers from the regions of directories', async () => {
  const node = await startTestService({
    CHARTSIDE_DIRECTORY_REGIONS: 'US',
    CHARTSIDE_TRUSTED_PROXIES: 'loopback',
  })
  const ask = (from: string) =>
    node.server.inject({
      ...{ method: 'POST', url: '/auth/revocation/idp_x' },
      headers: { 'x-forwarded-for': from },
    })
  const refused = await ask('2.125.160.216')
  assert.deepEqual([refused.statusCode, refused.json().error], [403, 'region_not_allowed'])
  assert.equal((await ask('216.160.83.56')).statusCode, 401)
  await node.close()
})
