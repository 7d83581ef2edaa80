// Developer keys: made once, read as a developer of one account, and refused at once when their user is that no more.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { LIMITS } from '../src/http/admission/rate-limit-rules.ts'
import { insertMemberStatement } from '../src/members/member-store.ts'
import { beginPeople, joinAs, otherAccount, person } from './people.ts'
import { type Story, startStory } from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

const KEYS = '/api/users/me/developer-keys'
const DAY_SECONDS = 24 * 3600

let story: Story
let second: TestService
before(async () => {
  story = await startStory({ CHARTSIDE_ENVIRONMENT: 'staging' })
  second = await startTestService({ CHARTSIDE_ENVIRONMENT: 'staging' }, { beside: story.service })
  beginPeople(story)
})
after(async () => {
  await second.close()
  await story.close()
})

type Maker = Awaited<ReturnType<typeof person>>

async function make({ api }: Pick<Maker, 'api'>, fields: object = {}) {
  const body = { accountId: story.accountId, name: 'Pipeline', ...fields }
  const answer = await api('POST', KEYS, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json() as { id: string; key: string; expiresAt: string }
}

/** What both nodes answer to a read of launches with the key. */
async function ask(key: string, url = '/api/launches') {
  const headers = { authorization: `Bearer ${key}` }
  const [here, there] = await Promise.all(
    [story.service, second].map(({ server }) => server.inject({ url, headers })),
  )
  assert.equal(here?.statusCode, there?.statusCode, there?.body)
  return { status: here?.statusCode, ...here?.json() }
}

test('shows a key once, keeps its hash, and a user has five at most [K01, V45]', async () => {
  const developer = await person(story.accountId, 'developer')
  const { id, key, expiresAt } = await make(developer)
  assert.match(key, /^dk_[0-9a-z]{22}[\w-]{43}$/)
  assert.equal(Date.parse(expiresAt) - story.service.clock(), 90 * DAY_SECONDS * 1000)
  const body = { accountId: story.accountId, name: 'Laptop' }
  const attempts = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((i) => {
      const headers = { authorization: `Bearer ${developer.token}` }
      const { server } = i % 2 ? story.service : second
      return server.inject({ method: 'POST', url: KEYS, headers, payload: body })
    }),
  )
  assert.equal(attempts.filter(({ statusCode }) => statusCode === 201).length, 4)
  const refused = attempts.filter(({ statusCode }) => statusCode === 409)
  assert.deepEqual(
    refused.map((answer) => answer.json().code),
    ['limit_reached', 'limit_reached'],
  )
  const list = await developer.api('GET', KEYS)
  assert.doesNotMatch(list.body, /dk_/)
  const shown = list.json().items.find((one: { id: string }) => one.id === id)
  assert.deepEqual([shown.name, shown.lastUsedAt], ['Pipeline', null])
  const rows = await story.service.service.db.read(sql`SELECT * FROM developer_keys`)
  assert.ok(!JSON.stringify(rows).includes(key.slice(-40)))
  const tooLong = await developer.api('POST', KEYS, { ...body, lifetimeDays: 91 })
  assert.deepEqual([tooLong.statusCode, tooLong.json().code], [400, 'invalid_request'])
})

test('reads launches and hands in runs as a developer, and nothing else [V45]', async () => {
  const admin = await person(story.accountId, 'admin')
  const { id, key } = await make(admin)
  const launch = await story.launch()
  const { items } = await ask(key)
  assert.ok(items.some((one: { id: string }) => one.id === launch.id))
  const me = await ask(key, '/api/users/me')
  assert.deepEqual([me.role, me.memberships[0].role], ['member', 'developer'])
  assert.equal((await ask(key, `/api/apps/${story.app.id}`)).status, 200)
  assert.equal((await ask(key, `/api/apps/${story.app.id}/fault-runs`)).status, 200)
  const elsewhere = await otherAccount()
  assert.equal((await ask(key, `/api/launches?accountId=${elsewhere}`)).status, 404)
  const refused = await ask(key, `/api/launches/${launch.id}`)
  assert.deepEqual([refused.status, refused.code], [401, 'not_signed_in'])
  assert.match(refused.detail, /developer key reads launches/)
  const asCookie = await story.service.server.inject({
    url: '/api/users/me',
    headers: { cookie: `__Host-chartside-session=${key}`, 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(asCookie.statusCode, 401)
  const used = (await admin.api('GET', KEYS)).json().items[0]
  assert.equal(Date.parse(used.lastUsedAt), story.service.clock())
  const events = await story.api('GET', `/api/accounts/${story.accountId}/audit-events`)
  const read = events
    .json()
    .items.find(
      (one: { action: string; actor: string }) =>
        one.action === 'listLaunches' && one.actor === admin.id,
    )
  assert.equal(read.detail.key, id, 'the trail names the key')
})

test('only a developer of the account makes a key, and only its user deletes it [V45]', async () => {
  const developer = await person(story.accountId, 'developer')
  const body = { accountId: story.accountId, name: 'Pipeline' }
  for (const role of ['provider', 'viewer']) {
    const { api } = await person(story.accountId, role)
    assert.equal((await api('POST', KEYS, body)).statusCode, 403, role)
  }
  const foreign = await person(await otherAccount(), 'admin')
  assert.equal((await foreign.api('POST', KEYS, body)).statusCode, 404)
  const platform = await story.api('POST', KEYS, { ...body, accountId: await otherAccount() })
  assert.deepEqual([platform.statusCode, platform.json().code], [409, 'conflict'])
  const { id } = await make(developer)
  assert.equal((await foreign.api('DELETE', `${KEYS}/${id}`)).statusCode, 404)
})

test('a key of a developer who also runs the platform has nothing of that [V45]', async () => {
  const developer = await person(story.accountId, 'developer')
  const { key } = await make(developer)
  const promoted = await story.api('PATCH', `/api/users/${developer.id}`, { role: 'admin' })
  assert.equal(promoted.statusCode, 200, promoted.body)
  const me = await ask(key, '/api/users/me')
  assert.deepEqual([me.role, me.memberships.length], ['member', 1])
  const elsewhere = await otherAccount()
  assert.equal((await ask(key, `/api/launches?accountId=${elsewhere}`)).status, 404)
})

async function usePasswordLink(url: string) {
  const { status, html } = await joinAs(url)
  return { statusCode: status, body: html }
}

const refusals: Readonly<Record<string, (maker: Maker, keyId: string) => Promise<unknown>>> = {
  'the key is deleted': ({ api }, keyId) => api('DELETE', `${KEYS}/${keyId}`),
  'its user signs out everywhere': ({ api }) => api('POST', '/auth/sign-out', { everywhere: true }),
  'its user is disabled': ({ id }) => story.api('PATCH', `/api/users/${id}`, { disabled: true }),
  'its user is removed': ({ id }) => story.api('DELETE', `/api/users/${id}`),
  'its user sets another password': async ({ api }) =>
    usePasswordLink((await api('POST', '/api/users/me/login-methods')).json().url),
  'its user is reset': async ({ id }) =>
    usePasswordLink((await story.api('POST', `/api/users/${id}/reset`)).json().url),
  'its user leaves the account': ({ id }) =>
    story.api('DELETE', `/api/accounts/${story.accountId}/members/${id}`),
  'its user becomes a provider': ({ id }) =>
    story.api('PATCH', `/api/accounts/${story.accountId}/members/${id}`, { role: 'provider' }),
}

for (const [when, act] of Object.entries(refusals)) {
  test(`both nodes refuse a key at once when ${when} [V45]`, async () => {
    const developer = await person(story.accountId, 'developer')
    const { id, key } = await make(developer)
    assert.equal((await ask(key)).status, 200)
    const done = (await act(developer, id)) as { statusCode: number; body: string }
    assert.ok(done.statusCode < 300, done.body)
    const { status, code } = await ask(key)
    const expected =
      when.includes('account') || when.includes('provider')
        ? [403, 'not_allowed']
        : [401, 'not_signed_in']
    assert.deepEqual([status, code], expected)
  })
}

test('a member who comes back does not bring an old key along [V45]', async () => {
  const developer = await person(story.accountId, 'developer')
  const { key } = await make(developer)
  await story.api('DELETE', `/api/accounts/${story.accountId}/members/${developer.id}`)
  story.service.clock.advance(1)
  const { accountId, service } = story
  const { db } = service.service
  await db.write(insertMemberStatement(accountId, developer.id, 'developer', service.clock()))
  const { key: newKey } = await make(developer)
  assert.equal((await ask(newKey)).status, 200)
  assert.equal((await ask(key)).status, 403)
})

test('an account that requires its provider takes no key [V45]', async () => {
  const developer = await person(story.accountId, 'developer')
  const { key } = await make(developer)
  const { db } = story.service.service
  const require = (ids: string | null) =>
    db.write(sql`UPDATE accounts SET required_providers = ${ids} WHERE id = ${story.accountId}`)
  await require('idp_01jnye6xw8q2v5n0m4r7ta,')
  const refused = await ask(key)
  const body = { accountId: story.accountId, name: 'Pipeline' }
  const made = await developer.api('POST', KEYS, body)
  await require(null)
  assert.deepEqual([refused.status, refused.code], [403, 'not_allowed'])
  assert.match(refused.detail, /requires its own identity provider/)
  assert.equal(made.statusCode, 404)
})

test('wrong keys are limited, and a right one is accepted at any time [T16]', async () => {
  const { key } = await make(await person(story.accountId, 'developer'))
  const inject = async (value: string) => {
    const headers = { authorization: `Bearer ${value}` }
    return (await story.service.server.inject({ url: '/api/launches', headers })).statusCode
  }
  const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
  const { most, windowSeconds } = LIMITS.developerKey
  story.service.clock.advance(windowSeconds)
  for (let i = 0; i < most; i++) assert.equal(await inject(wrong), 401)
  assert.equal(await inject(wrong), 429)
  assert.equal(await inject(key), 200)
})

test('a key takes a recent sign-in, outlives it, and ends at its time [V21, V45]', async () => {
  const developer = await person(story.accountId, 'developer')
  const lasting = 2 * DAY_SECONDS
  const { key } = await make(developer, { lifetimeDays: 2 })
  story.service.clock.advance(11 * 60)
  const body = { accountId: story.accountId, name: 'Late' }
  const late = await developer.api('POST', KEYS, body)
  assert.deepEqual([late.statusCode, late.json().code], [403, 'sign_in_again'])
  assert.equal((await developer.api('POST', '/auth/sign-out', {})).statusCode, 204)
  story.service.clock.advance(lasting - 11 * 60 - 1)
  assert.equal((await ask(key)).status, 200)
  story.service.clock.advance(1)
  const { status, code, detail } = await ask(key)
  assert.deepEqual([status, code], [401, 'not_signed_in'])
  assert.match(detail, /has ended/)
})
