// Every list of the backend API takes limit and cursor, and takes a cursor of its own only: another text would
// leave out or repeat records without a word. Contract §4, security U04.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Story, signIn, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

interface Listed {
  readonly status: number
  readonly items: readonly { readonly id: string; readonly name?: string }[]
  readonly nextCursor: string | null
  readonly errors?: readonly { readonly field: string; readonly message: string }[]
}

async function list(url: string, query: string): Promise<Listed> {
  const answer = await story.api('GET', `${url}?${query}`)
  return { status: answer.statusCode, ...answer.json() }
}

const LISTS = [
  ...['/api/accounts', '/api/apps', '/api/collections', '/api/launches', '/api/sessions'],
  ...['/api/users', '/api/users/me/login-methods', '/api/users/me/sign-ins', '/api/audit-events'],
  ...['/api/accounts/:account/members', '/api/accounts/:account/audit-events'],
  '/api/apps/:app/secrets',
]

for (const path of LISTS) {
  test(`refuses a cursor of another list: ${path}`, async () => {
    const { id: app } = (await list('/api/apps', 'limit=1')).items[0] ?? {}
    const url = path.replace(':account', story.accountId).replace(':app', String(app))
    for (const cursor of ['bad', 'nod_0000000000', '7']) {
      const { status, errors } = await list(url, `limit=1&cursor=${cursor}`)
      assert.deepEqual([status, errors?.[0]?.field], [400, 'cursor'], cursor)
    }
    const first = await list(url, 'limit=1&cursor=')
    assert.equal(first.status, 200)
    if (first.nextCursor === null) return
    const second = await list(url, `limit=1&cursor=${first.nextCursor}`)
    assert.notEqual(second.items[0]?.id, first.items[0]?.id)
  })
}

for (const kind of ['accounts', 'apps', 'users', 'collections', 'members'] as const) {
  test(`lists by name, whatever its case, without gaps or repeats: ${kind}`, async () => {
    const path = kind === 'members' ? `/api/accounts/${story.accountId}/members` : `/api/${kind}`
    const names = ['beta', 'Alpha', 'Beta', 'alpha two', 'Gamma']
    for (const [k, name] of names.entries()) await makeNamed(kind, path, name, k)
    const { items: all } = await list(path, 'limit=200')
    const wanted = all
      .map(({ id, name = '' }) => ({ id, key: name.toLowerCase() }))
      .sort((a, b) => a.key.localeCompare(b.key, 'en') || (a.id < b.id ? -1 : 1))
      .filter(({ key }) => names.some((name) => name.toLowerCase() === key))
      .map(({ id }) => id)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Listed = await list(path, `sort=name&limit=2&cursor=${cursor}`)
      assert.ok(page.items.length <= 2)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    assert.equal(new Set(seen).size, all.length)
    assert.deepEqual([seen.length, seen.filter((id) => wanted.includes(id))], [all.length, wanted])
    if (kind !== 'members') assert.equal((await list(path, 'q=alpha%20two')).items.length, 1)
    const refused = await list(path, 'sort=age')
    assert.deepEqual([refused.status, refused.errors?.[0]?.field], [400, 'sort'])
    assert.match(refused.errors?.[0]?.message ?? '', /one of name/)
  })
}

type Kind = 'accounts' | 'apps' | 'users' | 'collections' | 'members'

async function makeNamed(kind: Kind, path: string, name: string, k: number): Promise<void> {
  const [redirectUris, launchUrl] = [['https://named.example/callback'], 'https://named.example/']
  const body = {
    accounts: { name },
    collections: { accountId: story.accountId, name },
    members: { name, email: `member-${k}@lakeside.example`, role: 'provider' },
    apps: { accountId: story.accountId, name, launchUrl, redirectUris },
    users: { name, email: `named-${k}@lakeside.example` },
  }[kind]
  const answer = await story.api('POST', path, body)
  assert.equal(answer.statusCode, 201, answer.body)
}

test('pages through the own sign-ins, newest first, without gaps or repeats [U04]', async () => {
  for (let n = 0; n < 4; n++) {
    story.service.clock.advance(1)
    await signIn(story.service, ADMIN)
  }
  const { items: all } = await list('/api/users/me/sign-ins', 'limit=200')
  assert.ok(all.length >= 5)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Listed = await list('/api/users/me/sign-ins', `limit=2&cursor=${cursor}`)
    assert.ok(page.items.length <= 2)
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  assert.deepEqual(
    seen,
    all.map(({ id }) => id),
  )
  assert.deepEqual(seen, [...seen].sort().reverse())
})

test('gives the login methods in pages', async () => {
  const page = await list('/api/users/me/login-methods', 'limit=1')
  assert.deepEqual([page.status, page.items.length, page.nextCursor], [200, 1, null])
  const [method] = page.items
  const rest = await list('/api/users/me/login-methods', `limit=1&cursor=${method?.id}`)
  assert.deepEqual([rest.status, rest.items, rest.nextCursor], [200, [], null])
})

test('gives fifty records without a limit, and takes a limit from 1 to 200 [V02]', async () => {
  for (let n = 0; n < 51; n++) await story.api('POST', '/api/accounts', { name: `Practice ${n}` })
  assert.equal((await list('/api/accounts', '')).items.length, 50)
  for (const [limit, expected] of [
    ['0', 400],
    ['1', 200],
    ['200', 200],
    ['201', 400],
    ['-1', 400],
    ['1.5', 400],
  ] as const) {
    assert.equal((await list('/api/accounts', `limit=${limit}`)).status, expected, limit)
  }
})

test('says that the list of people has changed when the last one seen has left', async () => {
  const path = `/api/accounts/${story.accountId}/members`
  const { items } = await list(path, 'sort=name&limit=1')
  const [first] = items
  assert.ok(first)
  const cursor = (await list(path, 'sort=name&limit=1')).nextCursor
  const { statusCode } = await story.api('DELETE', `${path}/${first.id}`)
  assert.equal(statusCode, 204)
  const refused = await list(path, `sort=name&limit=1&cursor=${cursor}`)
  assert.deepEqual([refused.status, refused.errors?.[0]?.field], [400, 'cursor'])
})
