// What ends with the provider of a practice, and what a practice that requires its provider is reached by. Every
// race leaves no session that came otherwise. Contract §13.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { as, invite, otherAccount, person } from './people.ts'
import {
  answerFor,
  beginPracticeStory,
  bindAt,
  endPracticeStory,
  memberOf,
  type Practice,
  practice,
  signInAt,
  story,
  visit,
} from './practice-provider-story.ts'
import { testBrowser, testClient } from './sign-in-browser.ts'

before(beginPracticeStory)
after(endPracticeStory)

const ofRole = async (at: Practice, role: string) => person(at.accountId, role)
const open = (api: typeof story.api, accountId: string) =>
  api('POST', '/api/sessions', { accountId, ehrType: 'meadow', deviceId: 'd' })
/** A practice runs the collection of the account of the story. */
async function runningPractice(): Promise<Practice> {
  const made = await practice()
  const { collection } = (await story.api('GET', `/api/accounts/${story.accountId}`)).json()
  await story.api('PATCH', `/api/accounts/${made.accountId}`, { collection })
  return made
}
const change = (at: Practice, body: object, api = story.api) => api('PATCH', at.path, body)
const methodsOf = (userId: string) =>
  story.service.service.db.read(sql`SELECT id FROM login_methods WHERE user_id = ${userId}`)

const ENDS: Readonly<Record<string, (at: Practice) => Promise<{ statusCode: number }>>> = {
  'is removed': (at) => story.api('DELETE', at.path),
  'gets another issuer': (at) =>
    change(at, { issuer: 'https://other.example', clientSecret: 'another' }),
}

for (const [what, end] of Object.entries(ENDS)) {
  test(`ends bindings, sign-ins and sessions of a provider that ${what}`, async () => {
    const at = await runningPractice()
    const amy = await memberOf(at)
    const otherwise = await ofRole(at, 'provider')
    const session = await open(amy.api, at.accountId)
    assert.equal(session.statusCode, 201, session.body)
    const kept = (await open(otherwise.api, at.accountId)).json().id
    // A sign-in that its client has not collected yet.
    const [browser, client] = [testBrowser(story.service), testClient(story.service)]
    const question = await browser.open(await answerFor(at, client.url, browser))
    await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
    // One that waits for its yes, one that is at the provider, and a binding that waits for its yes.
    const waiting = testBrowser(story.service)
    const asked = await waiting.open(await answerFor(at, testClient(story.service).url, waiting))
    const away = testBrowser(story.service)
    const answer = await answerFor(at, testClient(story.service).url, away)
    const invited = await invite(at.accountId)
    const binding = testBrowser(story.service)
    at.provider.person = { sub: 'a newcomer' }
    const offered = await binding.open(
      await visit(at, await binding.open(invited.invitationUrl), binding),
    )
    assert.match(offered.html, /Yes, that is me/)

    assert.ok((await end(at)).statusCode < 300)
    assert.equal((await amy.api('GET', '/api/users/me')).statusCode, 401)
    const shown = await story.api('GET', `/api/sessions/${session.json().id}`)
    assert.equal(shown.json().ended.reason, 'revoked')
    assert.equal((await story.api('GET', `/api/sessions/${kept}`)).json().state, 'live')
    assert.deepEqual(await methodsOf(amy.userId), [])
    assert.equal((await client.poll()).statusCode, 404)
    const late = await waiting.send(asked, '/auth/sign-in/approve', { answer: 'yes' })
    assert.equal(late.status, 410)
    assert.ok([401, 503].includes((await away.open(answer)).status))
    const yes = await binding.send(offered, '/auth/invitation/provider', { answer: 'yes' })
    assert.equal(yes.status, 410)
    assert.deepEqual(await methodsOf(invited.userId ?? invited.id), [])
  })
}

test('reaches a practice that requires its provider by a sign-in there only', async () => {
  const at = await runningPractice()
  const admin = await memberOf(at, 'admin')
  const elsewhere = await otherAccount()
  const { email, token, api } = await ofRole(at, 'admin')
  await story.api('POST', `/api/accounts/${elsewhere}/members`, { email, name: 'x', role: 'admin' })
  const ended = (await open(api, at.accountId)).json().id
  const goesOn = (await open(admin.api, at.accountId)).json().id
  const launched = await api('POST', `/api/sessions/${ended}/launches`, {
    appId: story.app.id,
    kind: 'ui',
  })
  assert.equal(launched.statusCode, 201, launched.body)
  assert.equal((await change(at, { required: true }, admin.api)).statusCode, 200)
  assert.equal((await story.api('GET', `/api/sessions/${ended}`)).json().ended.reason, 'revoked')
  assert.equal((await story.api('GET', `/api/sessions/${goesOn}`)).json().state, 'live')
  const refused = [
    `/api/accounts/${at.accountId}`,
    `/api/accounts/${at.accountId}/members`,
    `/api/sessions/${ended}`,
    `/api/launches/${launched.json().id}`,
    `/api/launches?accountId=${at.accountId}`,
  ]
  for (const path of refused) assert.equal((await api('GET', path)).statusCode, 404, path)
  assert.deepEqual((await api('GET', '/api/sessions')).json().items, [])
  assert.deepEqual((await api('GET', '/api/launches')).json().items, [])
  assert.equal((await open(api, at.accountId)).statusCode, 404)
  assert.deepEqual((await api('GET', '/api/users/me')).json().memberships, [])
  for (const path of refused) {
    assert.equal((await story.api('GET', path)).statusCode, 200, `the platform: ${path}`)
  }
  // The platform runs it and opens no session there; the account for emergencies does.
  assert.equal((await open(story.api, at.accountId)).statusCode, 401)
  const { db } = story.service.service
  const usr = (await api('GET', '/api/users/me')).json().id
  await db.write(sql`UPDATE users SET emergency_at = 1, role = 'admin' WHERE id = ${usr}`)
  assert.equal((await open(as(token), at.accountId)).statusCode, 201)
  await db.write(sql`UPDATE users SET emergency_at = NULL, role = 'member' WHERE id = ${usr}`)
  // They add the provider while signed in, and reach the practice by it.
  const { url } = (await api('POST', '/api/users/me/login-methods')).json()
  at.provider.person = { sub: 'the administrator' }
  await bindAt(at, url)
  const back = as(await signInAt(at))
  assert.equal((await back('GET', `/api/accounts/${at.accountId}`)).statusCode, 200)
  assert.equal((await change(at, { required: false }, admin.api)).statusCode, 200)
  assert.equal((await api('GET', `/api/accounts/${at.accountId}`)).statusCode, 200)
})

test('takes the provider that is required, and not another one of the practice', async () => {
  const at = await runningPractice()
  const beside = await practice(at)
  const [first, second] = [await memberOf(at, 'admin'), await memberOf(beside)]
  const session = (await open(second.api, at.accountId)).json().id
  assert.equal((await change(at, { required: true }, first.api)).statusCode, 200)
  assert.equal((await story.api('GET', `/api/sessions/${session}`)).json().state, 'ended')
  assert.equal((await second.api('GET', `/api/accounts/${at.accountId}`)).statusCode, 404)
  assert.equal((await change(beside, { required: true })).statusCode, 200)
  assert.equal((await second.api('GET', `/api/accounts/${at.accountId}`)).statusCode, 200)
  assert.equal((await story.api('DELETE', at.path)).statusCode, 204)
  assert.equal((await open(second.api, at.accountId)).statusCode, 201)
  const { invitationUrl } = await invite(at.accountId)
  const page = await testBrowser(story.service).open(invitationUrl)
  assert.match(page.html, new RegExp(`id="${beside.providerId}"`))
  assert.doesNotMatch(page.html, /New password/)
  assert.equal((await story.api('DELETE', beside.path)).statusCode, 204)
  const otherwise = await ofRole(at, 'provider')
  assert.equal((await open(otherwise.api, at.accountId)).statusCode, 201, 'nothing is required now')
})

test('offers the provider of a practice to no person who is only invited [V07]', async () => {
  const at = await practice()
  const [member, stranger] = [await ofRole(at, 'provider'), await person(await otherAccount())]
  const invitation = { email: stranger.email, name: 'x', role: 'provider' }
  await story.api('POST', `/api/accounts/${at.accountId}/members`, invitation)
  for (const [api, isOffered] of [
    [member.api, true],
    [stranger.api, false],
  ] as const) {
    const { url } = (await api('POST', '/api/users/me/login-methods')).json()
    const page = await testBrowser(story.service).open(url)
    assert.equal(page.html.includes(at.providerId), isOffered, page.html)
  }
})

test('requires no provider at which no administrator has signed in', async () => {
  const at = await runningPractice()
  const admin = await ofRole(at, 'admin')
  await memberOf(at)
  const proof = async (api: typeof story.api, body: object) => {
    const answer = await change(at, body, api)
    return [answer.statusCode, answer.json().code]
  }
  assert.deepEqual(await proof(admin.api, { required: true }), [409, 'conflict'])
  const list = `/api/accounts/${at.accountId}/identity-providers`
  const body = { name: 'x', issuer: 'https://x.example', clientId: 'x', required: true }
  assert.equal((await admin.api('POST', list, body)).statusCode, 409)
  const bound = await memberOf(at, 'admin')
  assert.equal((await change(at, { required: true }, bound.api)).statusCode, 200)
  // Another issuer has proved nothing.
  const moved = { issuer: 'https://moved.example', clientSecret: 'x' }
  assert.deepEqual(await proof(bound.api, moved), [409, 'conflict'])
})

test('leaves no session that came otherwise, whatever opens while it is required', async () => {
  const at = await runningPractice()
  const admin = await memberOf(at, 'admin')
  const [provider, platform] = [await ofRole(at, 'provider'), story.api]
  const openings = Array.from({ length: 12 }, (_, i) =>
    open(i % 3 === 0 ? platform : i % 3 === 1 ? provider.api : admin.api, at.accountId),
  )
  const [required, ...opened] = await Promise.all([
    change(at, { required: true }, admin.api),
    ...openings,
  ])
  assert.equal(required?.statusCode, 200, required?.body)
  assert.ok(opened.every(({ statusCode }) => [201, 401, 404].includes(statusCode)))
  const { db } = story.service.service
  const live = await db.read(
    sql`SELECT s.provider_id FROM ehr_sessions e JOIN sign_ins s ON s.id = e.sign_in_id
      WHERE e.account_id = ${at.accountId} AND e.ended_at IS NULL`,
  )
  assert.ok(live.length > 0)
  for (const row of live) assert.equal(row.provider_id, at.providerId)
})

test('signs no person in at a provider that is removed at this moment', async () => {
  const at = await runningPractice()
  const amy = await memberOf(at)
  const ready = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const [browser, client] = [testBrowser(story.service), testClient(story.service)]
      const question = await browser.open(await answerFor(at, client.url, browser))
      return { browser, client, question }
    }),
  )
  const invited = await invite(at.accountId)
  at.provider.person = { sub: 'at the last moment' }
  const joining = testBrowser(story.service)
  const offered = await joining.open(
    await visit(at, await joining.open(invited.invitationUrl), joining),
  )
  await Promise.all([
    ...ready.map(async ({ browser, client, question }) => {
      await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
      await client.poll()
    }),
    joining.send(offered, '/auth/invitation/provider', { answer: 'yes' }),
    story.api('DELETE', at.path),
  ])
  const { db } = story.service.service
  const live = await db.read(
    sql`SELECT id FROM sign_ins WHERE provider_id = ${at.providerId} AND ended_at IS NULL`,
  )
  assert.deepEqual(live, [])
  assert.deepEqual(await methodsOf(amy.userId), [])
  const bound = await db.read(
    sql`SELECT id FROM login_methods WHERE provider_id = ${at.providerId}`,
  )
  assert.deepEqual(bound, [])
  for (const { client } of ready) assert.equal((await client.poll()).statusCode === 200, false)
})
