// Searches of lists by name: members, accounts and apps, within what the caller sees, page after page, with
// whatever characters. Contract §4, security P01, V10.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, beginPeople, invite, person } from './people.ts'
import { type Story, startStory } from './story.ts'

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
    const query = new URLSearchParams({ find: text, limit: '2', ...(cursor ? { cursor } : {}) })
    const answer = await call('GET', `${path}?${query}`)
    assert.equal(answer.statusCode, 200, answer.body)
    names.push(...answer.json().items.map(({ name }: Named) => name))
    cursor = answer.json().nextCursor ?? ''
  } while (cursor)
  return names
}

test('finds members by part of name or address, in any case, page after page', async () => {
  for (const name of ['Dr. Amara Okafor', 'Olu Okafor', 'Ben OKAFOR-Lee', 'Mei 100%_Tanaka']) {
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
  // A character that PostgreSQL does not store, and a blank search.
  assert.ok((await story.api('GET', `${path}?find=%00`)).statusCode < 500)
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
  assert.deepEqual(await listed('role=admin&find=dev'), [])
  assert.equal(await listed('role=owner'), undefined)
})
