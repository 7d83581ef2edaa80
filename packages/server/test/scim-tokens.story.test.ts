// The tokens by which the directory of an account calls: made, listed, deleted, by the administrators of the
// account alone. Contract §16, security K01, V21.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { LIMITS } from '../src/http/admission/rate-limit-rules.ts'
import { beginPeople, otherAccount, person } from './people.ts'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

test('shows a directory token once, keeps its hash, and lets an account have two [K01]', async () => {
  const admin = await person(story.accountId, 'admin')
  const path = `/api/accounts/${story.accountId}/scim-tokens`
  const made = await admin.api('POST', path, { label: 'Entra ID' })
  assert.equal(made.statusCode, 201, made.body)
  const { id, token } = made.json()
  assert.match(token, /^scim_[0-9a-z]{22}[\w-]{43}$/)
  const attempts = await Promise.all([1, 2, 3].map(() => admin.api('POST', path, {})))
  assert.deepEqual(attempts.map(({ statusCode }) => statusCode).sort(), [201, 409, 409])
  assert.equal(attempts.find(({ statusCode }) => statusCode === 409)?.json().code, 'limit_reached')

  const list = await admin.api('GET', path)
  assert.doesNotMatch(list.body, /scim_/)
  const shown = list.json().items.find((one: { id: string }) => one.id === id)
  assert.deepEqual([shown.label, shown.lastUsedAt], ['Entra ID', null])
  const rows = await story.service.service.db.read(sql`SELECT * FROM directory_tokens`)
  assert.ok(!JSON.stringify(rows).includes(token.slice(-40)))

  const otherId = await otherAccount()
  const elsewhere = { accountId: otherId, ...(await person(otherId, 'admin')) }
  assert.equal((await elsewhere.api('GET', path)).statusCode, 404)
  assert.equal((await elsewhere.api('DELETE', `${path}/${id}`)).statusCode, 404)
  const own = `/api/accounts/${elsewhere.accountId}/scim-tokens`
  assert.deepEqual((await elsewhere.api('GET', own)).json().items, [])
  assert.equal((await elsewhere.api('DELETE', `${own}/${id}`)).statusCode, 404)
  const provider = await person()
  assert.equal((await provider.api('POST', path, {})).statusCode, 403)

  const ask = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` }
    const url = `/scim/v2/${story.accountId}/Users`
    return (await story.service.server.inject({ url, headers })).statusCode
  }
  assert.equal(await ask(token), 200)
  const last = token.endsWith('A') ? 'B' : 'A'
  assert.equal(await ask(`${token.slice(0, -1)}${last}`), 401, 'another secret of the same token')
  assert.equal((await admin.api('DELETE', `${path}/${id}`)).statusCode, 204)
  assert.equal(await ask(token), 401, 'a deleted token')
  const right = attempts.find(({ statusCode }) => statusCode === 201)?.json().token
  for (let i = 2; i < LIMITS.directoryToken.most; i++) assert.equal(await ask(token), 401)
  assert.equal(await ask(token), 429, 'of one network')
  assert.equal(await ask(right), 200, 'a right one is accepted at any time')
  assert.equal((await admin.api('DELETE', `${path}/${id}`)).statusCode, 404)
  const events = (await admin.api('GET', `/api/accounts/${story.accountId}/audit-events`)).json()
    .items
  const actions = events.map(({ action }: { action: string }) => action)
  for (const action of ['createDirectoryToken', 'deleteDirectoryToken']) {
    assert.ok(actions.includes(action), action)
  }
  story.service.clock.advance(11 * 60)
  const late = await admin.api('POST', path, {})
  assert.deepEqual([late.statusCode, late.json().code], [403, 'sign_in_again'])
})

test('records a use once a minute, and takes no token of a deleted account', async () => {
  const account = await otherAccount()
  const path = `/api/accounts/${account}/scim-tokens`
  const { token } = (await story.api('POST', path, {})).json()
  const ask = async () =>
    (
      await story.service.server.inject({
        url: `/scim/v2/${account}/Users`,
        headers: { authorization: `Bearer ${token}` },
      })
    ).statusCode
  const uses = []
  for (const seconds of [0, 30, 31]) {
    story.service.clock.advance(seconds)
    assert.equal(await ask(), 200)
    uses.push((await story.api('GET', path)).json().items[0].lastUsedAt)
  }
  const [first, second, third] = uses
  assert.equal(first, second)
  assert.notEqual(second, third)
  assert.equal((await story.api('DELETE', `/api/accounts/${account}`)).statusCode, 204)
  assert.equal(await ask(), 401)
})
