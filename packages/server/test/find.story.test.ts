// Searches of lists by name: members, users, accounts and apps, within what the caller sees, page after page,
// with whatever characters, and by an index. Contract §4, §16, security P01, V10.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { visiblePageStatement } from '../src/db/page.ts'
import { sql } from '../src/db/sql.ts'
import { as, beginPeople, invite, otherAccount, person } from './people.ts'
import { type Story, startStory } from './story.ts'
import { isOnPostgres } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

type Named = { readonly name: string }

/** The names of every page of a list. */
async function find(path: string, text: string, call: Story['api'] = story.api): Promise<string[]> {
  const names: string[] = []
  let cursor = ''
  do {
    const query = new URLSearchParams({ q: text, limit: '2', ...(cursor ? { cursor } : {}) })
    const answer = await call('GET', `${path}?${query}`)
    assert.equal(answer.statusCode, 200, answer.body)
    names.push(...answer.json().items.map(({ name }: Named) => name))
    cursor = answer.json().nextCursor ?? ''
  } while (cursor)
  return names
}

test('finds members by part of name or address, in any case, page after page', async () => {
  const names = ['Dr. Amara Okafor', 'Olu Okafor', 'Ben OKAFOR-Lee', 'Mei 100%_Tanaka', 'Who? Zed']
  for (const name of names) {
    const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@find.example`
    await invite(story.accountId, { name, email })
  }
  const path = `/api/accounts/${story.accountId}/members`
  assert.deepEqual((await find(path, 'okafor')).sort(), [
    'Ben OKAFOR-Lee',
    'Dr. Amara Okafor',
    'Olu Okafor',
  ])
  assert.deepEqual(await find(path, 'amara.okafor@'), ['Dr. Amara Okafor'])
  // What is a pattern for the database is text here.
  assert.deepEqual(await find(path, '100%_t'), ['Mei 100%_Tanaka'])
  for (const text of ['%okafor%%', '_', '!', "' OR 1=1 --"]) {
    const found = await find(path, text)
    assert.ok(!found.includes('Olu Okafor'), text)
  }
  // A question mark ends no query (RFC 3986 3.4).
  assert.equal((await story.api('GET', `${path}?q=who?`)).json().items.length, 1)
  // A character that PostgreSQL does not store, and a blank search.
  assert.ok((await story.api('GET', `${path}?q=%00`)).statusCode < 500)
  assert.ok((await find(path, '  ')).includes('Olu Okafor'))
})

test('finds nothing by the name of an existing user who has not accepted [V10]', async () => {
  const known = await person()
  const { email, name } = (await as(known.token)('GET', '/api/users/me')).json()
  const { id } = (await story.api('POST', '/api/accounts', { name: 'Hillside' })).json()
  await invite(id, { email, name: 'As the inviter says' })
  const path = `/api/accounts/${id}/members`
  assert.deepEqual(await find(path, name), [])
  assert.deepEqual(await find(path, 'inviter says'), ['As the inviter says'])
})

test('finds accounts and apps only among those that the caller sees [P01]', async () => {
  const owner = await person(story.accountId, 'developer')
  const api = as(owner.token)
  const { id } = (await story.api('POST', '/api/accounts', { name: 'Zebra Clinic' })).json()
  const addresses = {
    launchUrl: 'https://zebra.example/launch',
    redirectUris: ['https://zebra.example/callback'],
  }
  await story.api('POST', '/api/apps', { accountId: id, name: 'Zebra Notes', ...addresses })
  assert.deepEqual(await find('/api/accounts', 'zebra'), ['Zebra Clinic'])
  assert.deepEqual(await find('/api/apps', 'ZEBRA'), ['Zebra Notes'])
  assert.deepEqual(await find('/api/accounts', 'zebra', api), [])
  assert.deepEqual(await find('/api/apps', 'zebra', api), [])
  assert.deepEqual(await find('/api/accounts', 'lake', api), ['Lakeside'])
})

test('lists the members of one role, by a search too', async () => {
  const { id } = (await story.api('POST', '/api/accounts', { name: 'Role Clinic' })).json()
  const { email } = await invite(id, { email: 'ada@hillside.example', role: 'admin' })
  await invite(id, { email: 'dev@hillside.example', role: 'developer' })
  const listed = async (query: string) =>
    (await story.api('GET', `/api/accounts/${id}/members?${query}`))
      .json()
      .items?.map((member: { email: string }) => member.email)
  assert.deepEqual(await listed('role=admin'), [email])
  assert.deepEqual(await listed('role=admin&q=dev'), [])
  assert.equal(await listed('role=owner'), undefined)
})

test('finds users of the platform by part of name or address, also disabled ones', async () => {
  const { id, token } = await person()
  const { email } = (await as(token)('GET', '/api/users/me')).json()
  const emails = async (query: string) =>
    (await story.api('GET', `/api/users?${query}`))
      .json()
      .items.map((user: { email: string }) => user.email)
  await story.api('PATCH', `/api/users/${id}`, { disabled: true })
  assert.deepEqual(await emails(`q=${email.slice(2, -4).toUpperCase()}`), [email])
  assert.deepEqual(await emails(`q=${email}&disabled=false`), [])
  assert.equal((await as((await person()).token)('GET', `/api/users?q=a`)).statusCode, 403)
})

test('reads apps by their identifiers, of those that the caller sees [P01]', async () => {
  const { items } = (await story.api('GET', '/api/apps')).json()
  const ids = items.map(({ id }: { id: string }) => id)
  const read = async (asked: readonly string[], api: Story['api'] = story.api) =>
    (await api('GET', `/api/apps?ids=${asked.join(',')}`)).json()
  assert.ok(ids.length > 1)
  const named = await read([...ids, 'app_0000000000000000000000', "' OR 1=1 --"])
  assert.deepEqual(
    named.items.map(({ id }: { id: string }) => id),
    ids,
  )
  const stranger = await person(await otherAccount())
  assert.deepEqual((await read(ids, as(stranger.token))).items, [])
  const many = await read(Array.from({ length: 101 }, () => 'app_x'))
  assert.deepEqual([many.code, many.errors[0].field], ['invalid_request', 'ids'])
})

test('searches 1,000 apps and accounts in the order of an index', async (t) => {
  const { db } = story.service.service
  await db.write(
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO accounts (id, name, collection_id, created_at, updated_at)
      SELECT 'acc_00plan' || (1000000 + i), 'Practice ' || i, 'col_' || i, 0, 0 FROM n`,
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO apps (id, client_id, account_id, name, redirect_uris, allowed_iframe_urls, exchange,
        access_token_lifetime_seconds, id_token_lifetime_seconds, created_at, updated_at)
      SELECT 'app_00plan' || (1000000 + i), 'cli_' || i, 'acc_00plan' || (1000000 + i % 40),
        'App ' || i, '[]', '[]', 'app', 60, 60, 0, 0 FROM n`,
  )
  if (isOnPostgres) await db.write(sql`ANALYZE`)
  const page = { accountIds: 'all', cursor: '', limit: 51 } as const
  const ofVendor = { ...page, accountIds: ['acc_00plan1000007'], q: 'App' }
  const plans = {
    'apps by part of a name': visiblePageStatement('apps', { ...page, q: 'App 99' }),
    'accounts by part of a name': visiblePageStatement('accounts', { ...page, q: 'Practice 99' }),
    'apps of a vendor by part of a name': visiblePageStatement('apps', ofVendor),
    'apps by identifier': visiblePageStatement('apps', { ...page, ids: ['app_00plan1000007'] }),
    'accounts by collection': visiblePageStatement('accounts', { ...page, collectionId: 'col_7' }),
  }
  for (const [what, statement] of Object.entries(plans)) {
    const explain = isOnPostgres ? 'EXPLAIN ' : 'EXPLAIN QUERY PLAN '
    const rows = await db.read({ ...statement, sql: explain + statement.sql })
    const plan = rows.map((row) => String(isOnPostgres ? row['QUERY PLAN'] : row.detail)).join('|')
    t.diagnostic(`${what}: ${plan}`)
    // PostgreSQL reads a table of 1,000 rows faster than any index.
    if (isOnPostgres && /^(apps|accounts) by/.test(what) && !what.endsWith('identifier')) continue
    assert.match(plan, /SEARCH|Index/, what)
    assert.doesNotMatch(plan, /SCAN |Seq Scan|TEMP B-TREE/, what)
  }
})
