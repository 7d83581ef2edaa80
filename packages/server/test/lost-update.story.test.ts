// Parallel changes that saw the same record: with If-Match one of them succeeds and the others get
// 412, on every kind of record that has PATCH. RFC 9110 13.1, contract §4, security V17.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const PARALLEL = 10

const send = (method: 'GET' | 'PATCH', url: string, headers: object = {}, payload?: object) =>
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
