// One member of any account tries to slow the service for all: thousands of secrets, versions, apps,
// collections and members, and lists of fat records. Contract §9, security V02, V03.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { MAX_LIVE_SECRETS } from '../src/kernel/record-limits.ts'
import { EHR } from './account-fixture.ts'
import { beginPeople, otherAccount, person } from './people.ts'
import { type Story, startStory } from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

const LIMIT = 3

let story: Story
let second: TestService
before(async () => {
  const limits = ['APPS_PER_ACCOUNT', 'COLLECTIONS_PER_ACCOUNT', 'MEMBERS_PER_ACCOUNT']
  const environment = {
    ...Object.fromEntries(limits.map((name) => [`CHARTSIDE_MAX_${name}`, String(LIMIT)])),
    CHARTSIDE_MAX_VERSIONS_PER_COLLECTION: '5',
  }
  story = await startStory(environment)
  second = await startTestService(environment, { beside: story.service })
  beginPeople(story)
})
after(async () => {
  await second.close()
  await story.close()
})

/** The same request many times at once, on two nodes. */
async function atOnce(count: number, url: string, bodyOf: (i: number) => object) {
  const headers = { authorization: `Bearer ${story.adminToken}` }
  const nodes = [story.service, second]
  const answers = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      nodes[i % 2]?.server.inject({ method: 'POST', url, headers, payload: bodyOf(i) }),
    ),
  )
  const refused = answers.filter((answer) => answer?.statusCode !== 201)
  const problems = refused.map((answer) => answer?.json())
  for (const problem of problems) {
    assert.deepEqual(
      [problem.status, problem.code, problem.errors.length],
      [409, 'limit_reached', 1],
    )
  }
  return { made: count - refused.length, refused: problems }
}

test('refuses the secret that is one too many, also when many are made at once [V03]', async () => {
  const { id } = (await story.api('GET', `/api/apps/${story.app.id}`)).json()
  const url = `/api/apps/${id}/secrets`
  const { made, refused } = await atOnce(60, url, () => ({}))
  assert.equal(made, MAX_LIVE_SECRETS - 1, 'the app has one already')
  assert.match(refused[0].detail, /20 live secrets/)
  const { items } = (await story.api('GET', `${url}?limit=200`)).json()
  assert.equal(items.length, MAX_LIVE_SECRETS)
  // Retiring one makes room for one; an expired one makes room by itself.
  assert.equal((await story.api('DELETE', `${url}/${items[1].id}`)).statusCode, 204)
  const expiresAt = new Date(story.service.clock() + 60_000).toISOString()
  assert.equal((await story.api('POST', url, { expiresAt })).statusCode, 201)
  assert.equal((await story.api('POST', url, {})).statusCode, 409)
  story.service.clock.advance(61)
  assert.equal((await story.api('POST', url, {})).statusCode, 201)
  assert.equal((await story.api('POST', url, {})).statusCode, 409)
})

test('bounds apps, collections and members of an account, at once on two nodes [V03]', async () => {
  const accountId = await otherAccount()
  const kinds = [
    ['apps', '/api/apps', (i: number) => ({ accountId, name: `app ${i}` })],
    ['collections', '/api/collections', (i: number) => ({ accountId, name: `collection ${i}` })],
    [
      'members',
      `/api/accounts/${accountId}/members`,
      (i: number) => ({ email: `many${i}@x.example`, name: 'x', role: 'provider' }),
    ],
  ] as const
  for (const [what, url, bodyOf] of kinds) {
    const { made, refused } = await atOnce(12, url, bodyOf)
    assert.equal(made, LIMIT, what)
    const variable = `CHARTSIDE_MAX_${what.toUpperCase()}_PER_ACCOUNT`
    assert.match(refused[0].detail, new RegExp(`This account has 3 ${what}.*${variable}`))
    assert.deepEqual(refused[0].errors[0].field, what)
  }
  const late = { email: 'late@x.example', name: 'x', role: 'provider' }
  await story.api('POST', `/api/accounts/${accountId}/members`, late)
  const stored = sql`SELECT id FROM users WHERE email = ${late.email}`
  assert.deepEqual(await story.service.service.db.read(stored), [], 'a full account stores no user')
  // A record that is deleted makes room; another account has its own.
  const [app] = (await story.api('GET', `/api/apps?accountId=${accountId}`)).json().items
  assert.equal((await story.api('DELETE', `/api/apps/${app.id}`)).statusCode, 204)
  assert.equal((await atOnce(2, '/api/apps', () => ({ accountId, name: 'one more' }))).made, 1)
})

test('bounds the versions of a collection, published at once on two nodes [V03]', async () => {
  const accountId = await otherAccount()
  const made = await story.api('POST', '/api/collections', { accountId, name: 'x' })
  const url = `/api/collections/${made.json().id}/versions`
  const published = await Promise.all(Array.from({ length: 20 }, () => story.api('POST', url, {})))
  const codes = published.map((answer) => answer.json().code ?? answer.statusCode)
  assert.equal(codes.filter((code) => code === 201).length, 5)
  assert.ok(
    codes.every((code) => code === 201 || code === 'limit_reached'),
    String(codes),
  )
  const { items } = (await story.api('GET', url)).json()
  assert.deepEqual(
    items.map(({ version }: { version: number }) => version),
    [5, 4, 3, 2, 1],
  )
})

test('lists versions and collections without content, however fat they are [V02]', async () => {
  const accountId = await otherAccount()
  const { api } = await person(accountId, 'admin')
  const matches = Array.from({ length: 50 }, (_, i) => `https://e${i}.example/${'x'.repeat(400)}*`)
  const ehrs = Array.from({ length: 11 }, (_, i) => ({ ...EHR, ehrType: `ehr${i}`, matches }))
  const made = await api('POST', '/api/collections', {
    ...{ accountId, name: 'Fat' },
    draft: { ehrs, apps: [] },
  })
  assert.equal(made.statusCode, 201, made.body)
  const url = `/api/collections/${made.json().id}`
  for (let i = 0; i < 5; i++) {
    assert.equal((await api('POST', `${url}/versions`, {})).statusCode, 201)
  }
  assert.ok((await api('GET', url)).body.length > 200_000, 'the record itself has its draft')
  assert.ok((await api('GET', `${url}/versions/5`)).body.length > 200_000)
  const versions = await api('GET', `${url}/versions?limit=200`)
  const collections = await api('GET', `/api/collections?accountId=${accountId}&limit=200`)
  assert.equal(versions.json().items.length, 5)
  assert.equal(collections.json().items.length, 1)
  for (const { body } of [versions, collections]) assert.ok(body.length < 2000, body)
})

test('ends a page of fat records at its maximum size, and loses none of them [V02]', async () => {
  const wide = await startStory({ CHARTSIDE_MAX_APPS_PER_ACCOUNT: '1000' })
  try {
    const { accountId } = wide
    const redirectUris = Array.from(
      { length: 8 },
      (_, i) => `https://fat.example/${i}/${'x'.repeat(1800)}`,
    )
    for (let i = 0; i < 120; i++) {
      // A character of the name has three bytes.
      const body = { accountId, name: `${i} ${'患'.repeat(190)}`, redirectUris }
      assert.equal((await wide.api('POST', '/api/apps', body)).statusCode, 201)
    }
    const ids: string[] = []
    let cursor: string | null = ''
    for (let page = 0; cursor !== null; page++) {
      const answer = await wide.api('GET', `/api/apps?limit=200&cursor=${cursor}`)
      const bytes = answer.rawPayload.length
      assert.ok(bytes <= 1_048_576, `${bytes} bytes`)
      const { items, nextCursor } = answer.json()
      assert.ok(items.length > 0 && page < 10)
      ids.push(...items.map(({ id }: { id: string }) => id))
      cursor = nextCursor
    }
    assert.equal(new Set(ids).size, 121)
    assert.equal(ids.length, 121)
  } finally {
    await wide.close()
  }
})
