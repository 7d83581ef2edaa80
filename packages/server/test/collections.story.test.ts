// Collections really steer what happens: pinned or latest, what a version keeps for ever, what
// publishing says, who may take which. Contract §4, security U03.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { createFixture, EHR } from './account-fixture.ts'
import { type Story, startStory } from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

let story: Story
let beside: TestService
before(async () => {
  story = await startStory()
  beside = await startTestService({}, { beside: story.service })
})
after(async () => {
  await beside.close()
  await story.close()
})

const api = async (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  body?: object,
) => {
  const answer = await story.api(method, url, body)
  return { status: answer.statusCode, ...(answer.body ? answer.json() : {}) }
}

const newApp = async (name: string) => {
  const urls = { launchUrl: `https://${name}.example/`, redirectUris: [] }
  return String((await api('POST', '/api/apps', { accountId: story.accountId, name, ...urls })).id)
}
const newCollection = async (draft: object) =>
  `/api/collections/${(await api('POST', '/api/collections', { accountId: story.accountId, name: 'C', draft })).id}`
const idOf = (url: string) => url.split('/')[3]
const entry = (appId: string, more = {}) => ({ appId, autoLaunch: true, ...more })
const summit = { ehrType: 'summit', name: 'Summit', matches: ['https://summit.example/*'] }

test('uses a new version at the next session; pinned and open ones stay', async () => {
  const [first, second] = [await newApp('first'), await newApp('second')]
  const url = await newCollection({ ehrs: [EHR], apps: [entry(first)] })
  await api('POST', `${url}/versions`, {})
  const accountWith = async (version: number | 'latest') =>
    String(
      (await api('POST', '/api/accounts', { name: 'x', collection: { id: idOf(url), version } }))
        .id,
    )
  const pinned = await accountWith(1)
  const latest = await accountWith('latest')
  const open = async (accountId: string, ehrType = 'meadow') =>
    api('POST', '/api/sessions', { accountId, ehrType, deviceId: 'd' })
  const idsOf = (session: { apps: { id: string }[] }) => session.apps.map(({ id }) => id)
  const before = await open(latest)
  assert.deepEqual([idsOf(before), before.collection.version], [[first], 1])

  const apps = [entry(second, { ehrTypes: ['summit'] }), entry(first)]
  await api('PATCH', url, { draft: { ehrs: [EHR, summit], apps } })
  assert.deepEqual(idsOf(await open(latest)), [first], 'a draft reaches no session')
  await api('POST', `${url}/versions`, {})

  const after = await open(latest, 'summit')
  assert.deepEqual(
    [idsOf(after), after.ehr, after.collection.version],
    [[second, first], summit, 2],
  )
  assert.deepEqual(idsOf(await open(latest)), [first])
  const kept = await open(pinned)
  assert.deepEqual([idsOf(kept), kept.collection.version], [[first], 1])
  assert.equal((await open(pinned, 'summit')).status, 400, 'version 1 has no such EHR')
  assert.deepEqual(idsOf(await api('GET', `/api/sessions/${before.id}`)), [first])

  await api('PATCH', `/api/accounts/${latest}`, { collection: null })
  const none = await open(latest)
  assert.deepEqual([none.apps, none.ehr, none.collection], [[], null, null])
})

test('gives a version to some practices, then to all, and takes it back', async () => {
  const [first, second] = [await newApp('one'), await newApp('two')]
  const url = await newCollection({ ehrs: [EHR], apps: [entry(first)] })
  await api('POST', `${url}/versions`, {})
  const collection = { id: idOf(url), version: 'latest' }
  const ids: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    ids.push((await api('POST', '/api/accounts', { name, collection })).id)
  const [early = '', late = ''] = ids
  const appsOf = async (accountId: string) => {
    const body = { accountId, ehrType: 'meadow', deviceId: 'd' }
    return (await api('POST', '/api/sessions', body)).apps.map(({ id }: { id: string }) => id)
  }
  const hook = { url: 'https://hooks.example/' }
  assert.equal((await api('POST', `/api/accounts/${story.accountId}/webhooks`, hook)).status, 201)
  const countEvents = async () => {
    const { db } = story.service.service
    const rows = await db.read(
      sql`SELECT practice_id FROM webhook_deliveries WHERE app_id = ${second} ORDER BY id`,
    )
    return rows.length
  }
  await api('PATCH', url, { draft: { apps: [entry(first), entry(second)] } })
  const stranger = { accountIds: [story.accountId] }
  const refused = await api('POST', `${url}/versions`, { audience: stranger })
  assert.equal(refused.errors[0].field, '/audience/accountIds/0')
  const published = await api('POST', `${url}/versions`, { audience: { accountIds: [early] } })
  assert.deepEqual(published.audience, { accounts: 1, accountIds: [early] })
  assert.deepEqual([await appsOf(early), await appsOf(late)], [[first, second], [first]])
  assert.equal(await countEvents(), 1)
  const { version } = (await api('GET', `/api/accounts/${late}/running`)) as { version: number }
  assert.equal(version, 1)

  const give = (audience: unknown, number = 2) =>
    api('PUT', `${url}/versions/${number}/audience`, { audience })
  assert.equal((await give('all', 1)).status, 409, 'only the newest')
  const share = await give({ share: 30 })
  assert.equal(share.audience.accounts, 2)
  const wider = await give({ share: 60 })
  for (const id of share.audience.accountIds) assert.ok(wider.audience.accountIds.includes(id))
  const rollout = await api('GET', `${url}/rollout`)
  assert.deepEqual([rollout.following, rollout.givenTo], [5, 3])
  assert.deepEqual((await give('all')).audience, null)
  assert.deepEqual(await appsOf(late), [first, second])
  const before = await countEvents()
  assert.deepEqual((await give({ accountIds: [] })).audience, { accounts: 0, accountIds: [] })
  assert.deepEqual([await appsOf(early), await appsOf(late)], [[first], [first]])
  assert.equal((await countEvents()) - before, 5, 'one for each practice that loses the app')
  const another = await api('POST', `${url}/versions`, {})
  assert.deepEqual([another.version, await appsOf(late)], [3, [first, second]])
})

test('ends the open sessions of a version where it is taken back, and no other', async () => {
  const url = await newCollection({ ehrs: [EHR], apps: [entry(await newApp('shown'))] })
  await api('POST', `${url}/versions`, {})
  const collection = { id: idOf(url), version: 'latest' }
  const [kept, lost] = [
    await api('POST', '/api/accounts', { name: 'kept', collection }),
    await api('POST', '/api/accounts', { name: 'lost', collection }),
  ]
  const open = async ({ id }: { id: string }) =>
    api('POST', '/api/sessions', {
      accountId: id,
      ehrType: 'meadow',
      deviceId: 'd',
      launch: ['ui'],
    })
  const before = await open(lost)
  await api('POST', `${url}/versions`, {})
  const [here, there] = [await open(kept), await open(lost)]
  const give = (body: object) => api('PUT', `${url}/versions/2/audience`, body)
  await give({ audience: { accountIds: [kept.id] } })
  assert.equal((await api('GET', `${url}/rollout`)).openElsewhere, 1)
  const endOf = async ({ id }: { id: string }) =>
    (await api('GET', `/api/sessions/${id}`)).ended?.reason
  assert.equal(await endOf(there), undefined)
  assert.equal((await give({ audience: 'kept', endSessions: true })).status, 200)
  assert.equal(await endOf(there), 'app_disabled')
  assert.deepEqual([await endOf(here), await endOf(before)], [undefined, undefined])
  const [{ id: launchId }] = there.launches
  assert.equal((await api('GET', `/api/launches/${launchId}`)).state, 'ended')
  assert.equal((await api('GET', `${url}/rollout`)).openElsewhere, 0)
})

test('of parallel changes of an audience that saw the same version one succeeds', async () => {
  const url = await newCollection({ ehrs: [], apps: [] })
  await api('POST', `${url}/versions`, {})
  const read = await story.api('GET', `${url}/versions/1`)
  const changes = Array.from({ length: 10 }, (_, n) =>
    (n % 2 ? story.service : beside).server.inject({
      method: 'PUT',
      url: `${url}/versions/1/audience`,
      payload: { audience: n % 3 ? 'all' : { accountIds: [] } },
      headers: {
        authorization: `Bearer ${story.adminToken}`,
        'if-match': String(read.headers.etag),
      },
    }),
  )
  const statuses = (await Promise.all(changes)).map(({ statusCode }) => statusCode)
  assert.deepEqual(statuses.toSorted(), [200, ...Array.from({ length: 9 }, () => 412)])
})

test('keeps a published version when its draft or app changes [U03]', async () => {
  const app = await newApp('passing')
  const draft = { ehrs: [EHR], apps: [entry(app, { ehrTypes: ['meadow'] })] }
  const url = await newCollection(draft)
  const published = await api('POST', `${url}/versions`, { notes: 'First' })
  const read = async () => (await story.api('GET', `${url}/versions/1`)).body
  const asPublished = await read()
  await api('PATCH', url, { draft: null, name: 'Other' })
  await api('POST', `${url}/versions`, {})
  await api('DELETE', `/api/apps/${app}`)
  assert.equal(await read(), asPublished)
  const { version, notes, content } = JSON.parse(asPublished)
  assert.deepEqual([version, notes, content], [1, 'First', draft])
  assert.deepEqual({ ...published, status: 0 }, { ...JSON.parse(asPublished), status: 0 })
  for (const method of ['PATCH', 'DELETE'] as const) {
    assert.equal((await api(method, `${url}/versions/1`, {})).status, 405)
  }
})

test('publishing says what changed since the version before', async () => {
  const [a, b] = [await newApp('a'), await newApp('b')]
  const url = await newCollection({ ehrs: [EHR], apps: [entry(a)] })
  const first = await api('POST', `${url}/versions`, {})
  assert.deepEqual(first.changes.apps, { added: [a], removed: [], changed: [] })
  const ehrs = [{ ...EHR, name: 'Meadow 2' }, summit]
  await api('PATCH', url, { draft: { ehrs, apps: [entry(b)] } })
  const second = await api('POST', `${url}/versions`, {})
  assert.deepEqual(second.changes, {
    ehrs: { added: ['summit'], removed: [], changed: ['meadow'] },
    apps: { added: [b], removed: [a], changed: [] },
  })
  assert.deepEqual((await api('GET', `${url}/versions/1`)).changes, first.changes)
  assert.deepEqual((await api('GET', `${url}/versions/2`)).changes, second.changes)
  assert.match(second.publishedBy, /^usr_/)
})

test('stores an incomplete draft and refuses to publish it, field by field', async () => {
  const url = await newCollection({ ehrs: [EHR, EHR], apps: [entry('app_unknown')] })
  const refused = await api('POST', `${url}/versions`, {})
  assert.equal(refused.status, 400)
  assert.deepEqual(
    refused.errors.map(({ field }: { field: string }) => field),
    ['/draft/ehrs/1/ehrType', '/draft/apps/0/appId'],
  )
  assert.equal((await api('GET', url)).latestVersion, 0)
})

test('numbers 50 parallel publishes on two nodes consecutively [U03]', async () => {
  const url = await newCollection({ ehrs: [], apps: [] })
  const ehrOf = (n: number) => ({ ehrType: `e${n}`, name: 'E', matches: [] })
  const on = (node: TestService, method: 'POST' | 'PATCH', path: string, payload: object) =>
    node.server.inject({
      method,
      url: path,
      payload,
      headers: { authorization: `Bearer ${story.adminToken}` },
    })
  const nodes = [story.service, beside]
  const publishes = Array.from({ length: 50 }, (_, n) =>
    on(nodes[n % 2] ?? beside, 'POST', `${url}/versions`, { notes: String(n) }),
  )
  const patches = Array.from({ length: 5 }, (_, n) =>
    on(nodes[n % 2] ?? beside, 'PATCH', url, { draft: { ehrs: [ehrOf(n)] } }),
  )
  const answers = await Promise.all(publishes)
  await Promise.all(patches)
  for (const answer of answers) assert.equal(answer.statusCode, 201, answer.body)
  const numbers = answers.map((answer) => answer.json().version).sort((x, y) => x - y)
  assert.deepEqual(
    numbers,
    Array.from({ length: 50 }, (_, i) => i + 1),
  )
  const { items } = await api('GET', `${url}/versions?limit=200`)
  assert.equal(new Set(items.map(({ notes }: { notes: string }) => notes)).size, 50)
  assert.equal((await api('GET', url)).latestVersion, 50)
})

test('with If-Match just the draft that one saw is published [U04]', async () => {
  const url = await newCollection({ ehrs: [], apps: [] })
  const { etag } = (await story.api('GET', url)).headers
  await api('PATCH', url, { draft: { ehrs: [EHR] } })
  const publish = (tag: unknown) =>
    story.request({
      method: 'POST',
      url: `${url}/versions`,
      headers: { authorization: `Bearer ${story.adminToken}`, 'if-match': String(tag) },
    })
  const late = await publish(etag)
  assert.equal(late.statusCode, 412)
  assert.equal((await publish(late.headers.etag)).statusCode, 201)
})

test('a collection that steers an account cannot be deleted; one that steers none can', async () => {
  const url = await newCollection({ ehrs: [], apps: [] })
  await api('POST', `${url}/versions`, {})
  const collection = { id: idOf(url), version: 'latest' }
  const account = await api('POST', '/api/accounts', { name: 'x', collection })
  assert.deepEqual((await api('DELETE', url)).code, 'conflict')
  await api('DELETE', `/api/accounts/${account.id}`)
  assert.equal((await api('DELETE', url)).status, 204)
  assert.equal((await api('GET', `${url}/versions/1`)).status, 404)
  assert.equal((await api('DELETE', url)).status, 404)
})

test('refuses a foreign collection, and keeps one that the platform assigned [U01]', async () => {
  const [ours, theirs] = [await createFixture(story.service), await createFixture(story.service)]
  const patch = (token: string, accountId: string, collection: object) =>
    story.request({
      method: 'PATCH',
      url: `/api/accounts/${accountId}`,
      headers: { authorization: `Bearer ${token}` },
      payload: { collection },
    })
  const { accountAdmin, platformAdmin } = ours.people
  const foreign = { id: theirs.collectionId, version: 'latest' }
  const refused = await patch(accountAdmin.token, ours.accountId, foreign)
  assert.deepEqual([refused.statusCode, refused.json().errors[0].field], [400, '/collection'])
  const given = await patch(platformAdmin.token, ours.accountId, foreign)
  assert.equal(given.statusCode, 200, given.body)
  const pinned = await patch(accountAdmin.token, ours.accountId, { version: 1 })
  assert.deepEqual([pinned.statusCode, pinned.json().collection.version], [200, 1])
})

test('collections of one account and secrets of one app page like every list', async () => {
  const { accountId } = await createFixture(story.service)
  const ofAccount = `/api/collections?accountId=${accountId}&limit=1`
  const first = await api('GET', ofAccount)
  const second = await api('GET', `${ofAccount}&cursor=${first.nextCursor}`)
  assert.deepEqual([first.items.length, second.items.length, second.nextCursor], [1, 1, null])
  assert.notEqual(first.items[0].id, second.items[0].id)
  for (const { accountId: owner } of [...first.items, ...second.items]) {
    assert.equal(owner, accountId)
  }
  assert.equal((await api('GET', '/api/collections?accountId=acc_nope')).status, 404)
  const secrets = `/api/apps/${await newApp('secretive')}/secrets`
  for (const label of ['a', 'b', 'c']) await api('POST', secrets, { label })
  const page = await api('GET', `${secrets}?limit=2`)
  const rest = await api('GET', `${secrets}?limit=2&cursor=${page.nextCursor}`)
  const labels = [...page.items, ...rest.items].map(({ label }: { label: string }) => label)
  assert.deepEqual([labels.sort().join(''), rest.nextCursor], ['abc', null])
})

test('a cursor of another list is not taken for the end of the versions', async () => {
  const { collectionId } = await createFixture(story.service)
  const of = (cursor: string) =>
    api('GET', `/api/collections/${collectionId}/versions?cursor=${cursor}`)
  const { status, errors } = await of('col_0000000000')
  assert.deepEqual([status, errors[0].field], [400, 'cursor'])
  assert.deepEqual((await of('1')).items, [])
})

test('keeps pages without gaps or repeats while records come and go [U04]', async () => {
  const names = Array.from({ length: 9 }, (_, i) => `page${i}`)
  const ids: string[] = []
  for (const name of names) {
    story.service.clock.advance(1)
    ids.push(await newApp(name))
  }
  const seen: string[] = []
  let cursor = ''
  do {
    const { items, nextCursor } = await api('GET', `/api/apps?limit=2&cursor=${cursor}`)
    seen.push(...items.map(({ id }: { id: string }) => id))
    cursor = nextCursor ?? ''
    if (seen.length === 4) await api('DELETE', `/api/apps/${seen[1]}`)
    if (seen.length === 6) {
      story.service.clock.advance(1)
      ids.push(await newApp('late'))
    }
  } while (cursor)
  assert.deepEqual(
    ids.filter((id) => !seen.includes(id)),
    [],
  )
  assert.equal(new Set(seen).size, seen.length)
  assert.equal(seen.at(-1), ids.at(-1))
  const tilted = await api('GET', '/api/apps?cursor=app_0000000000')
  assert.equal(tilted.items[0].id, seen[0])
})

test('refuses a match pattern of every host as it is written, by POST and PATCH', async () => {
  const draftWith = (...matches: string[]) => ({ ehrs: [{ ...EHR, matches }], apps: [] })
  const body = { accountId: story.accountId, name: 'C', draft: draftWith('https://*/*') }
  const made = await api('POST', '/api/collections', body)
  assert.deepEqual([made.status, made.errors[0].field], [400, '/draft/ehrs/0/matches/0'])
  const url = await newCollection(draftWith('https://ehr.example/*'))
  for (const pattern of ['<all_urls>', '*://*/*', 'https://*.com/*', 'https://x.example']) {
    const changed = await api('PATCH', url, { draft: draftWith('https://a.example/*', pattern) })
    assert.deepEqual([changed.status, changed.errors[0].field], [400, '/draft/ehrs/0/matches/1'])
  }
  assert.deepEqual((await api('GET', url)).draft, draftWith('https://ehr.example/*'))
})
