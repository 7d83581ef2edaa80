// Sign-in at the provider of a practice: bound by its own invitation, reaching that practice only, and nothing that
// an attacker at another provider can answer. Real providers with two issuers. Contract §13, RFC 9700 4.4.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { as, invite, PASSWORD, person } from './people.ts'
import {
  answerFor,
  beginPracticeStory,
  bindAt,
  endPracticeStory,
  linkOf,
  memberOf,
  type Practice,
  practice,
  practicePage,
  signInAgainAt,
  signInAt,
  story,
} from './practice-provider-story.ts'
import { signInOnPage, testBrowser, testClient } from './sign-in-browser.ts'

let lakeside: Practice
let northgate: Practice
before(async () => {
  await beginPracticeStory()
  lakeside = await practice({ accountId: story.accountId, shortName: 'lakeside' })
  northgate = await practice()
})
after(endPracticeStory)

const methodsOf = (userId: string) =>
  story.service.service.db.read(sql`SELECT id FROM login_methods WHERE user_id = ${userId}`)

test('signs a member in at the provider of the practice, and reaches it only', async () => {
  const amy = await memberOf(lakeside, 'admin')
  const me = (await amy.api('GET', '/api/users/me')).json()
  assert.deepEqual(
    me.memberships.map(({ account }: { account: { id: string } }) => account.id),
    [lakeside.accountId],
  )
  assert.equal((await amy.api('GET', `/api/accounts/${lakeside.accountId}`)).statusCode, 200)
  assert.equal((await amy.api('GET', `/api/accounts/${northgate.accountId}`)).statusCode, 404)
  const trail = await amy.api('GET', `/api/accounts/${lakeside.accountId}/audit-events?limit=50`)
  assert.match(trail.body, /"accountProviderCallback"/, 'the sign-in is in the trail')
  const opened = await amy.api('POST', '/api/sessions', {
    ...{ accountId: lakeside.accountId, ehrType: 'meadow', deviceId: 'd' },
    launch: ['ui'],
  })
  assert.equal(opened.statusCode, 201, opened.body)
  const personal = [
    ['PATCH', '/api/users/me', { name: 'Another' }],
    ['GET', '/api/users/me/login-methods'],
    ['POST', '/api/users/me/login-methods', {}],
    ['POST', '/api/users/me/second-factor', {}],
    ['GET', '/api/users/me/sign-ins'],
    ['DELETE', '/api/users/me/login-methods/mth_01jnye6xw8q2v5n0m4r7ta'],
    ['POST', '/auth/sign-out', { everywhere: true }],
  ] as const
  for (const [method, url, body] of personal) {
    const refused = await amy.api(method, url, body)
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'not_allowed'], url)
  }
  assert.equal((await amy.api('POST', '/auth/sign-out', {})).statusCode, 204)
})

test('gives a sign-in at a practice no other practice and no platform role', async () => {
  const known = await person(lakeside.accountId, 'provider')
  const { invitationUrl } = await invite(northgate.accountId, { email: known.email })
  const browser = testBrowser(story.service)
  const joined = await signInOnPage(browser, invitationUrl, {
    email: known.email,
    password: PASSWORD,
  })
  await browser.send(joined, '/auth/sign-in/approve', { answer: 'yes' })
  const { db } = story.service.service
  await db.write(sql`UPDATE users SET role = 'admin' WHERE id = ${known.userId ?? known.id}`)
  northgate.provider.person = { sub: 'a person of both', email: known.email }
  const { url } = (await known.api('POST', '/api/users/me/login-methods')).json()
  assert.match((await bindAt(northgate, url)).html, /From now on you can sign in this way/)
  const session = { accountId: lakeside.accountId, ehrType: 'meadow', deviceId: 'd' }
  const own = (await known.api('POST', '/api/sessions', session)).json()
  const api = as(await signInAt(northgate))
  const me = (await api('GET', '/api/users/me')).json()
  assert.deepEqual([me.role, me.memberships.length], ['member', 1])
  for (const path of [
    `/api/accounts/${lakeside.accountId}`,
    `/api/sessions/${own.id}`,
    `/api/sessions?accountId=${lakeside.accountId}`,
  ])
    assert.equal((await api('GET', path)).statusCode, 404, path)
  assert.equal((await api('GET', '/api/users')).statusCode, 403)
  assert.deepEqual((await api('GET', '/api/sessions')).json().items, [])
  assert.deepEqual((await api('GET', '/api/launches')).json().items, [])
  assert.equal((await api('POST', '/api/sessions', session)).statusCode, 404)
  await db.write(sql`UPDATE users SET role = 'member' WHERE id = ${known.userId ?? known.id}`)
})

test('refuses an answer of another provider: mix-up [RFC 9700 4.4]', async () => {
  const member = await memberOf(lakeside)
  northgate.provider.person = member.person
  const begin = async () => {
    const [browser, client] = [testBrowser(story.service), testClient(story.service)]
    const answer = new URL(await answerFor(lakeside, client.url, browser))
    const other = testBrowser(story.service)
    const foreign = new URL(await answerFor(northgate, testClient(story.service).url, other))
    return { browser, client, answer, foreign }
  }
  const swaps: ((of: { answer: URL; foreign: URL }) => string)[] = [
    // The code of the other provider, at this one's address.
    ({ answer, foreign }) => {
      answer.searchParams.set('code', foreign.searchParams.get('code') ?? '')
      return answer.href
    },
    // The whole answer of the other provider, with the state of this sign-in.
    ({ answer, foreign }) => {
      foreign.searchParams.set('state', answer.searchParams.get('state') ?? '')
      return `${answer.origin}${answer.pathname}?${foreign.searchParams}`
    },
    // This answer, at the address of the other provider and at that of the installation.
    ({ answer, foreign }) => `${answer.origin}${foreign.pathname}${answer.search}`,
    ({ answer }) => `${answer.origin}/auth/callback${answer.search}`,
    // Without the issuer that the provider says it sends (RFC 9207).
    ({ answer }) => {
      answer.searchParams.delete('iss')
      return answer.href
    },
    // The other sign-in's state in this browser.
    ({ foreign }) => foreign.href,
  ]
  for (const [i, swap] of swaps.entries()) {
    const { browser, client, answer, foreign } = await begin()
    const refused = await browser.open(swap({ answer, foreign }))
    assert.ok([401, 410].includes(refused.status), `swap ${i}: ${refused.html}`)
    assert.equal((await client.poll()).statusCode, 202, `swap ${i}`)
  }
})

test('takes an ID token of this provider and this sign-in only [V27]', async () => {
  const member = await memberOf(lakeside)
  const now = Math.floor(Date.now() / 1000)
  const forgeries = [
    { claims: { nonce: 'another' } },
    { claims: { iss: northgate.provider.issuer } },
    { claims: { aud: 'another client' } },
    { claims: { exp: now - 3600, iat: now - 7200 } },
    { forger: northgate.provider.key },
    { forger: northgate.provider.key, claims: { iss: northgate.provider.issuer } },
  ]
  for (const forgery of forgeries) {
    Object.assign(lakeside.provider, { claims: undefined, forger: undefined }, forgery)
    lakeside.provider.person = member.person
    const [browser, client] = [testBrowser(story.service), testClient(story.service)]
    const shown = await browser.open(await answerFor(lakeside, client.url, browser))
    assert.equal(shown.status, 401, JSON.stringify(forgery.claims))
    assert.equal((await client.poll()).statusCode, 202)
  }
  Object.assign(lakeside.provider, { claims: undefined, forger: undefined })
  await signInAt(lakeside, member.person)
})

test('binds no person by an e-mail address, verified or not [U06]', async () => {
  const victim = await person(lakeside.accountId, 'admin')
  const invited = await invite(northgate.accountId)
  const bound = await memberOf(lakeside)
  for (const email of [victim.email, invited.email, bound.email]) {
    northgate.provider.person = { sub: `impostor of ${email}`, email, email_verified: true }
    const browser = testBrowser(story.service)
    const client = testClient(story.service)
    const shown = await browser.open(await answerFor(northgate, client.url, browser))
    assert.equal(shown.status, 401)
    assert.match(shown.html, /Open your invitation/)
    assert.equal((await client.poll()).statusCode, 202)
  }
  // The same subject at another provider is another person.
  northgate.provider.person = bound.person
  const browser = testBrowser(story.service)
  const shown = await browser.open(
    await answerFor(northgate, testClient(story.service).url, browser),
  )
  assert.equal(shown.status, 401)
})

test('binds with no invitation of another practice', async () => {
  const invited = await invite(northgate.accountId)
  lakeside.provider.person = { sub: 'an account at lakeside', email: invited.email }
  const { search } = new URL(invited.invitationUrl)
  const browser = testBrowser(story.service)
  const left = await browser.open(`/auth/sign-in/provider${search}&provider=${lakeside.providerId}`)
  const refused = await browser.open(await lakeside.provider.visit(String(left.headers.location)))
  assert.equal(refused.status, 403, refused.html)
  // Who is bound at one practice accepts no invitation of another by that sign-in.
  const amy = await memberOf(lakeside)
  const toNorthgate = await invite(northgate.accountId, { email: amy.email })
  const again = testBrowser(story.service)
  const there = await again.open(
    `/auth/sign-in/provider${new URL(toNorthgate.invitationUrl).search}&provider=${lakeside.providerId}`,
  )
  const question = await again.open(await lakeside.provider.visit(String(there.headers.location)))
  assert.equal(question.status, 403, question.html)
  const rows = await story.service.service.db.read(
    sql`SELECT invited_at FROM members WHERE account_id = ${northgate.accountId}
      AND user_id = ${amy.userId}`,
  )
  assert.notEqual(rows[0]?.invited_at, null)
  // At the provider of the practice that invites they bind a second account, which reaches that one.
  northgate.provider.person = { sub: 'amy at northgate' }
  assert.match((await bindAt(northgate, toNorthgate.invitationUrl)).html, /You are a member/)
  assert.equal((await methodsOf(amy.userId)).length, 2)
})

test('lets an inviter set no way to sign in for a person who is known elsewhere', async () => {
  const gone = await practice()
  const amy = await memberOf(gone)
  assert.equal((await story.api('DELETE', gone.path)).statusCode, 204)
  assert.deepEqual(await methodsOf(amy.userId), [])
  // The inviter has the link: a password here would be a way into the practice before.
  const { invitationUrl } = await invite(northgate.accountId, { email: amy.email })
  const page = await testBrowser(story.service).open(invitationUrl)
  assert.doesNotMatch(page.html, /New password/)
  const { token } = Object.fromEntries(new URL(invitationUrl).searchParams) as { token: string }
  const attacker = testBrowser(story.service)
  const form = /name="form_token" value="([^"]+)"/.exec((await attacker.open(invitationUrl)).html)
  const sent = { token, form_token: form?.[1] ?? '', password: PASSWORD }
  assert.equal((await attacker.post('/auth/invitation/password', sent)).status, 410)
  // Nor does a reset by the administrator of a second practice.
  const bob = await memberOf(lakeside)
  const second = await invite(northgate.accountId, { email: bob.email })
  northgate.provider.person = { sub: 'set by the administrator of northgate' }
  await bindAt(northgate, second.invitationUrl)
  await story.api('DELETE', `/api/accounts/${lakeside.accountId}/members/${bob.userId}`)
  const admin = await person(northgate.accountId, 'admin')
  const reset = `/api/accounts/${northgate.accountId}/members/${bob.userId}/reset`
  assert.equal((await admin.api('POST', reset)).statusCode, 403)
})

test('shows the same page for an unknown practice and one without a provider', async () => {
  const { id } = (await story.api('POST', '/api/accounts', { name: 'Hillside' })).json()
  await story.api('PATCH', `/api/accounts/${id}`, { shortName: 'hillside' })
  const shown = async (name: string) => {
    const browser = testBrowser(story.service)
    const entry = await browser.open('/auth/sign-in?return_to=/console')
    const asked = await browser.open(linkOf(entry, 'practice'))
    const page = await browser.open(`${asked.url}&practice=${name}`)
    return [page.status, page.html.replaceAll(name, '')]
  }
  const [known, unknown] = [await shown('hillside'), await shown('nowhere1')]
  assert.deepEqual(known, unknown)
  assert.equal(known[0], 404)
  const { html } = await practicePage(
    lakeside,
    testClient(story.service).url,
    testBrowser(story.service),
  )
  assert.match(html, /Continue with Login of lakeside/)
})

test('keeps what happens at a practice out of the trail of another one', async () => {
  const amy = await memberOf(lakeside)
  const second = await invite(northgate.accountId, { email: amy.email })
  northgate.provider.person = { sub: 'amy of two practices' }
  await bindAt(northgate, second.invitationUrl)
  const trail = async (accountId: string) =>
    (await story.api('GET', `/api/accounts/${accountId}/audit-events?limit=100`))
      .json()
      .items.filter(({ actor }: { actor: string }) => actor === amy.userId).length
  const before = await trail(northgate.accountId)
  await signInAgainAt(lakeside, amy.person)
  await signInAt(lakeside, amy.person)
  assert.equal(await trail(northgate.accountId), before)
})

test('explains what is wrong with a provider, and asks no internal address [A18]', async () => {
  const admin = await person(northgate.accountId, 'admin')
  const path = `/api/accounts/${northgate.accountId}/identity-providers`
  const codeOf = async (id: string) => (await admin.api('POST', `${path}/${id}/check`)).json()
  assert.equal((await codeOf(northgate.providerId)).code, 'ready')
  const register = async (issuer: string) =>
    (await admin.api('POST', path, { name: 'Other', issuer, clientId: 'x' })).json().id
  const other = await register(`${northgate.provider.issuer}/tenant`)
  assert.equal((await codeOf(other)).code, 'no_document')
  const internal = await register('https://10.0.0.8')
  const refused = await codeOf(internal)
  assert.equal(refused.code, 'unreachable')
  assert.match(refused.cause, /no public address/)
  // A sign-in does not go there either.
  const shown = await testBrowser(story.service).open(
    `/auth/sign-in/provider?return_to=/console&provider=${internal}`,
  )
  assert.equal(shown.status, 503)
  for (const id of [other, internal]) await admin.api('DELETE', `${path}/${id}`)
  assert.equal(
    (
      await (
        await person(lakeside.accountId, 'admin')
      ).api('POST', `${path}/${northgate.providerId}/check`)
    ).statusCode,
    404,
  )
})

test('an EHR is a provider: no e-mail address, its own parameters, the record as label', async () => {
  const ehr = await practice()
  const fhir = 'https://ehr.example/fhir'
  const body = { scopes: 'openid fhirUser', authorizeParams: { aud: fhir } }
  assert.equal((await story.api('PATCH', ehr.path, body)).statusCode, 200)
  ehr.provider.claims = { fhirUser: `${fhir}/Practitioner/dr-7` }
  ehr.provider.person = { sub: 'dr-7' }
  const member = await invite(ehr.accountId)
  assert.match((await bindAt(ehr, member.invitationUrl)).html, /You are a member/)
  const { aud, scope } = Object.fromEntries(ehr.provider.asked ?? [])
  assert.deepEqual([aud, scope], [fhir, 'openid fhirUser'])
  assert.match(await signInAt(ehr), /^st_/)
  // What is no reference to a record is not shown.
  ehr.provider.claims = { fhirUser: '<b>you</b>' }
  ehr.provider.person = { sub: 'dr-8' }
  const other = await invite(ehr.accountId)
  await bindAt(ehr, other.invitationUrl)
  const methods = await story.service.service.db.read(
    sql`SELECT label FROM login_methods WHERE provider_id = ${ehr.providerId} ORDER BY label`,
  )
  const name = `Login of ${ehr.shortName}`
  assert.deepEqual(
    methods.map(({ label }) => label),
    [name, `${name} (Practitioner/dr-7)`],
  )
})
