// Records of the backend API: entity tags, conditional changes, merge patches, Location of new records.
// RFC 9110, RFC 7396, security U04.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { beginPeople, otherAccount, person } from './people.ts'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

const send = (
  method: 'GET' | 'HEAD' | 'PATCH' | 'DELETE',
  url: string,
  headers = {},
  body?: object,
) =>
  story.request({
    method,
    url,
    headers: { authorization: `Bearer ${story.adminToken}`, ...headers },
    ...(body ? { payload: body } : {}),
  })

const made = async (url: string, body: object) => {
  const answer = await story.api('POST', url, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return { ...answer.json(), url: String(answer.headers.location), etag: answer.headers.etag }
}
const newApp = (name = 'x') => made('/api/apps', { accountId: story.accountId, name })

test('takes as the expiry of a secret only a time that exists, with its zone', async () => {
  const url = `/api/apps/${story.app.id}/secrets`
  const year = new Date(story.service.clock()).getUTCFullYear() + 1
  const expiryOf = async (expiresAt: unknown) => {
    const answer = await story.api('POST', url, { expiresAt })
    return answer.json().expiresAt ?? answer.json().errors[0].field
  }
  assert.equal(await expiryOf(`${year}-03-02T01:00:00+02:00`), `${year}-03-01T23:00:00.000Z`)
  const bad = ['', 'soon', `${year}-01-01`, `${year}-01-01T00:00:00`, `${year}-02-30T00:00:00Z`]
  for (const text of [...bad, '2020-01-01T00:00:00Z']) {
    assert.equal(await expiryOf(text), '/expiresAt', text)
  }
})

test('tags every record of GET and HEAD, and answers 304 to a known tag', async () => {
  const launch = await story.launch()
  const collections = (await send('GET', '/api/collections')).json()
  const collection = `/api/collections/${collections.items[0].id}`
  const urls = [
    ...['/api/users/me', '/api/accounts', '/api/apps', '/api/collections', '/api/launches'],
    ...[`/api/accounts/${story.accountId}`, `/api/apps/${story.app.id}`, collection],
    ...[`${collection}/versions`, `${collection}/versions/1`, `/api/sessions/${story.sessionId}`],
    ...[`/api/launches/${launch.id}`, `/api/apps/${story.app.id}/secrets`],
  ]
  for (const url of urls) {
    const shown = await send('GET', url)
    const { etag } = shown.headers
    assert.match(String(etag), /^"[A-Za-z0-9_-]{22}"$/, url)
    assert.equal(shown.headers['cache-control'], 'private, no-cache', url)
    const again = await send('GET', url, { 'if-none-match': etag })
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', etag], url)
    const head = await send('HEAD', url)
    assert.deepEqual([head.statusCode, head.body, head.headers.etag], [200, '', etag], url)
  }
})

test('answers POST with the Location and the tag of the new record', async () => {
  const { accountId } = story
  for (const record of [
    await made('/api/accounts', { name: 'Hillside' }),
    await newApp(),
    await made('/api/collections', { accountId, name: 'x' }),
    await made('/api/sessions', { accountId, ehrType: 'meadow', deviceId: 'd' }),
  ]) {
    assert.ok(record.url.endsWith(record.id))
    const shown = await send('GET', record.url)
    assert.deepEqual([shown.statusCode, shown.headers.etag], [200, record.etag], record.url)
  }
})

test('refuses an outdated change with the current tag [U04]', async () => {
  const { accountId } = story
  for (const { url, etag } of [
    await made('/api/accounts', { name: 'Ours' }),
    await newApp(),
    await made('/api/collections', { accountId, name: 'Ours' }),
  ]) {
    const theirs = await send('PATCH', url, {}, { name: 'theirs' })
    const now = theirs.headers.etag
    assert.notEqual(now, etag)
    for (const method of ['PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { name: 'ours' } : undefined
      const late = await send(method, url, { 'if-match': etag }, body)
      assert.deepEqual([late.statusCode, late.json().code], [412, 'precondition_failed'], url)
      assert.equal(late.headers.etag, now)
    }
    assert.equal((await send('GET', url)).json().name, 'theirs')
    const ours = await send('PATCH', url, { 'if-match': now }, { name: 'ours' })
    assert.equal(ours.headers.etag, (await send('GET', url)).headers.etag)
    assert.deepEqual([ours.statusCode, ours.json().name], [200, 'ours'])
    const gone = await send('DELETE', url, { 'if-match': ours.headers.etag })
    assert.equal(gone.statusCode, 204)
    assert.equal((await send('DELETE', url)).statusCode, 404, 'a second time it is not there')
  }
})

test('refuses an outdated end of an EHR session [U04]', async () => {
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const { url, etag } = await made('/api/sessions', body)
  assert.equal((await send('DELETE', url, { 'if-match': '"older"' })).statusCode, 412)
  assert.equal((await send('DELETE', url, { 'if-match': etag })).statusCode, 204)
  assert.equal((await send('GET', url)).json().state, 'ended')
})

test('refuses an outdated change of the own name [U04]', async () => {
  const me = '/api/users/me'
  const { etag } = (await send('GET', me)).headers
  const first = await send('PATCH', me, { 'if-match': etag }, { name: 'First' })
  assert.deepEqual([first.statusCode, first.json().name], [200, 'First'])
  const late = await send('PATCH', me, { 'if-match': etag }, { name: 'Late' })
  assert.deepEqual([late.statusCode, late.headers.etag], [412, first.headers.etag])
  assert.equal((await send('GET', me)).headers.etag, first.headers.etag)
})

test('applies one of N parallel PATCHes with If-Match, and all without [U04]', async () => {
  const { url, etag } = await newApp()
  const same = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      send('PATCH', url, { 'if-match': etag }, { name: `n${i}` }),
    ),
  )
  const statuses = same.map(({ statusCode }) => statusCode).sort()
  assert.deepEqual(statuses, [200, ...Array(9).fill(412)])
  const fields = {
    iconUrl: 'https://a.example/i',
    launchUrl: 'https://a.example/l',
    workerLaunchUrl: 'https://a.example/w',
    idTokenLifetimeSeconds: 600,
    requirePkce: true,
    enabled: false,
  }
  const each = await Promise.all(
    Object.entries(fields).map(([name, value]) => send('PATCH', url, {}, { [name]: value })),
  )
  for (const answer of each) assert.equal(answer.statusCode, 200, answer.body)
  const stored = (await send('GET', url)).json()
  const found = Object.fromEntries(Object.keys(fields).map((name) => [name, stored[name]]))
  assert.deepEqual(found, fields)
})

test('removes by null, merges objects and replaces lists in a PATCH [RFC 7396]', async () => {
  const type = { 'content-type': 'application/merge-patch+json' }
  const patch = async (url: string, body: object) => {
    const answer = await send('PATCH', url, type, body)
    return { ...answer.json(), statusCode: answer.statusCode }
  }
  const app = await newApp()
  const urls = { redirectUris: ['https://a.example/1', 'https://a.example/2'] }
  await patch(app.url, { ...urls, iconUrl: 'https://a.example/i', requirePkce: true })
  const changed = await patch(app.url, {
    iconUrl: null,
    requirePkce: null,
    redirectUris: ['https://a.example/3'],
  })
  assert.deepEqual(
    [changed.iconUrl, changed.requirePkce, changed.redirectUris],
    [undefined, false, ['https://a.example/3']],
  )
  const nameless = await patch(app.url, { name: null })
  assert.deepEqual([nameless.statusCode, nameless.errors[0].field], [400, '/name'])

  const { items } = (await send('GET', '/api/collections')).json()
  const steering = items.find((item: { latestVersion: number }) => item.latestVersion > 0)
  const account = await made('/api/accounts', {
    name: 'x',
    collection: { id: steering.id, version: 'latest' },
  })
  const pinned = await patch(account.url, { collection: { version: 1 } })
  assert.deepEqual(pinned.collection, { id: steering.id, version: 1 })
  const unpublished = await patch(account.url, { collection: { version: 999 } })
  assert.deepEqual(
    [unpublished.statusCode, unpublished.errors[0].field],
    [400, '/collection/version'],
  )
  assert.equal((await patch(account.url, { collection: null })).collection, null)
  const half = await patch(account.url, { collection: { version: 1 } })
  assert.deepEqual([half.statusCode, half.errors[0].field], [400, '/collection/id'])

  const collection = await made('/api/collections', {
    accountId: story.accountId,
    name: 'x',
    draft: { ehrs: [{ ehrType: 'a', name: 'A', matches: [] }], apps: [] },
  })
  const apps = [{ appId: app.id, autoLaunch: false }]
  const { draft } = await patch(collection.url, { draft: { apps } })
  assert.deepEqual([draft.ehrs.length, draft.apps], [1, apps])
  const emptied = await patch(collection.url, { draft: null })
  assert.deepEqual(emptied.draft, { ehrs: [], apps: [] })
})

test('refuses an app whose exchange and token endpoint disagree', async () => {
  const { accountId } = story
  const tokenEndpoint = 'https://a.example/token'
  const wrong = [
    { exchange: 'identity_provider', tokenEndpoint },
    { exchange: 'app', tokenEndpoint },
    { tokenEndpoint },
    { exchange: 'token_endpoint' },
  ]
  for (const fields of wrong) {
    const answer = await story.api('POST', '/api/apps', { accountId, name: 'x', ...fields })
    assert.deepEqual([answer.statusCode, answer.json().errors[0].field], [400, '/tokenEndpoint'])
  }
  const app = await made('/api/apps', { accountId, name: 'x' })
  const patch = (body: object) => send('PATCH', app.url, {}, body)
  for (const half of [{ tokenEndpoint }, { exchange: 'token_endpoint' }]) {
    assert.equal((await patch(half)).statusCode, 400)
  }
  assert.equal((await patch({ exchange: 'token_endpoint', tokenEndpoint })).statusCode, 200)
  for (const half of [
    { exchange: 'identity_provider' },
    { tokenEndpoint: null },
    { exchange: null },
  ]) {
    const answer = await patch(half)
    assert.deepEqual([answer.statusCode, answer.json().errors[0].field], [400, '/tokenEndpoint'])
  }
  const back = await patch({ exchange: 'identity_provider', tokenEndpoint: null })
  assert.deepEqual([back.statusCode, back.json().tokenEndpoint], [200, undefined])
})

test('keeps platform approval and staging access through other changes of an app', async () => {
  const { accountId } = story
  const app = await made('/api/apps', { accountId, name: 'x', stagingAccess: true })
  const over = await send('PATCH', app.url, {}, { accessTokenLifetimeSeconds: 86_400 })
  assert.deepEqual(
    [over.statusCode, over.json().errors[0].field],
    [400, '/accessTokenLifetimeSeconds'],
  )
  const renamed = await send('PATCH', app.url, {}, { name: 'y' })
  assert.deepEqual([renamed.statusCode, renamed.json().stagingAccess], [200, true])
})

test('finds an app by its client_id, for callers who see it alone [U01]', async () => {
  const { id, clientId } = story.app
  const url = `/api/apps?clientId=${clientId}`
  const find = async (api: Story['api'], at = url) =>
    (await api('GET', at)).json().items.map((app: { id: string }) => app.id)
  assert.deepEqual(await find(story.api), [id])
  const member = await person()
  assert.deepEqual(await find(member.api), [id])
  const accountId = await otherAccount()
  const stranger = await person(accountId)
  assert.deepEqual(await find(stranger.api), [])
  assert.deepEqual(await find(story.api, `${url}&accountId=${accountId}`), [])
  assert.deepEqual(await find(story.api, '/api/apps?clientId=cli_unknown'), [])
})

test('shows a member no account that was deleted, among their memberships [P01]', async () => {
  const account = await otherAccount()
  const member = await person(account)
  const memberships = async () =>
    (await member.api('GET', '/api/users/me')).json().memberships.length
  assert.equal(await memberships(), 1)
  assert.equal((await story.api('DELETE', `/api/accounts/${account}`)).statusCode, 204)
  assert.equal(await memberships(), 0)
})
