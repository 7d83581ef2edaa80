// Parallel changes that saw the same record: with If-Match one of them succeeds and the others get
// 412, on every kind of record that has PATCH. RFC 9110 13.1, contract §4, security V17.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runBeforeWrite } from './before-write.ts'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const PARALLEL = 10

const send = (
  method: 'DELETE' | 'GET' | 'PATCH',
  url: string,
  headers: object = {},
  payload?: object,
) =>
  story.request({
    method,
    url,
    headers: { authorization: `Bearer ${story.adminToken}`, ...headers },
    ...(payload ? { payload } : {}),
  })

async function create(url: string, body: object): Promise<string> {
  const answer = await story.api('POST', url, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return String(answer.headers.location)
}

const naming = (n: number) => ({ name: `change ${n}` })
const drafting = (n: number) => ({
  draft: { ehrs: [{ ehrType: `e${n}`, name: 'E', matches: [] }], apps: [] },
})

const RECORDS: [string, () => Promise<string>, (n: number) => object][] = [
  ['an account', () => create('/api/accounts', { name: 'x' }), naming],
  ['an app', () => create('/api/apps', { accountId: story.accountId, name: 'x' }), naming],
  [
    'the name of a collection',
    () => create('/api/collections', { accountId: story.accountId, name: 'x' }),
    naming,
  ],
  [
    'the draft of a collection',
    () => create('/api/collections', { accountId: story.accountId, name: 'x' }),
    drafting,
  ],
  ['a user', async () => '/api/users/me', naming],
]

test('ends a launch under If-Match only as its caller has seen it [V17]', async () => {
  const { launchId } = await story.launch()
  const [launch] = (await story.api('GET', `/api/launches?launch_id=${launchId}`)).json().items
  const url = `/api/launches/${launch.id}`
  const etag = String((await send('GET', url)).headers.etag)
  assert.equal((await send('DELETE', url, { 'if-match': '"stale"' })).statusCode, 412)
  assert.equal((await send('GET', url)).headers.etag, etag, 'it lives on')
  assert.equal((await send('DELETE', url, { 'if-match': etag })).statusCode, 204)
  assert.equal((await send('GET', url)).json().state, 'ended')
})

test('lets one of two changes of an identity provider succeed under If-Match [V17]', async () => {
  const providers = `/api/accounts/${story.accountId}/identity-providers`
  const body = { name: 'x', issuer: 'https://login.example', clientId: 'x' }
  const url = `${providers}/${(await story.api('POST', providers, body)).json().id}`
  const etag = String((await send('PATCH', url, {}, {})).headers.etag)
  const hasRun = runBeforeWrite(story.service.service.db, /^UPDATE identity_providers/, () =>
    send('PATCH', url, {}, { name: 'first' }),
  )
  const late = await send('PATCH', url, { 'if-match': etag }, { name: 'second' })
  assert.ok(hasRun())
  assert.equal(late.statusCode, 412, late.body)
  assert.equal((await story.api('GET', providers)).json().items[0].name, 'first')
})

test('lets one of two changes of a member succeed under If-Match [V17]', async () => {
  const members = `/api/accounts/${story.accountId}/members`
  const person = { email: 'raced@lakeside.example', name: 'Raced', role: 'provider' }
  const invited = await story.api('POST', members, person)
  const url = `${members}/${invited.json().id}`
  // A member is read in the list; a change that changes nothing has the tag.
  const tagOf = async () => String((await send('PATCH', url, {}, {})).headers.etag)
  const etag = await tagOf()
  for (const method of ['PATCH', 'DELETE'] as const) {
    const payload = method === 'PATCH' ? { role: 'admin' } : undefined
    const refused = await send(method, url, { 'if-match': '"stale"' }, payload)
    assert.equal(refused.statusCode, 412, method)
  }
  const answers = await Promise.all(
    ['admin', 'developer'].map((role) => send('PATCH', url, { 'if-match': etag }, { role })),
  )
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 412])
  const stored = answers.find(({ statusCode }) => statusCode === 200)?.headers.etag
  assert.equal(stored, await tagOf())
  assert.equal((await send('DELETE', url, { 'if-match': etag })).statusCode, 412)
  assert.equal((await send('DELETE', url, { 'if-match': await tagOf() })).statusCode, 204)
})

for (const [record, locate, change] of RECORDS) {
  test(`lets one of ${PARALLEL} changes of ${record} succeed under If-Match [V17]`, async () => {
    const url = await locate()
    for (let round = 0; round < 5; round++) {
      const { etag } = (await send('GET', url)).headers
      const answers = await Promise.all(
        Array.from({ length: PARALLEL }, (_, n) =>
          send('PATCH', url, { 'if-match': etag }, change(round * PARALLEL + n)),
        ),
      )
      const done = answers.filter(({ statusCode }) => statusCode === 200)
      const refused = answers.filter(({ statusCode }) => statusCode === 412)
      assert.deepEqual([done.length, refused.length], [1, PARALLEL - 1])
      const { updatedAt: _, ...kept } = done[0]?.json() ?? {}
      const { updatedAt: __, ...stored } = (await send('GET', url)).json()
      assert.deepEqual(stored, kept, 'the change that was acknowledged is the one that is stored')
    }
  })
}
