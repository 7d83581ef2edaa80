// An EHR session together with its launches: one request, one write, as a browser extension asks for it.
// Contract §3, security U01, L01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { runBeforeWrite } from './before-write.ts'
import { authorize, exchange, type Story, signIn, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const open = (changes: object = {}) =>
  story.request({
    method: 'POST',
    url: '/api/sessions',
    headers: { authorization: `Bearer ${story.adminToken}` },
    payload: { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd', ...changes },
  })

test('opens the session and the launches of the kinds that were asked for', async () => {
  const answer = await open({ launch: ['worker', 'ui'] })
  assert.equal(answer.statusCode, 201, answer.body)
  assert.equal(answer.headers['cache-control'], 'no-store')
  const { id, launches } = answer.json()
  assert.equal(launches.length, 1)
  const [launch] = launches
  assert.deepEqual([launch.kind, launch.app.id, launch.seed.sessionId], ['ui', story.app.id, id])
  assert.equal(new URL(launch.launchUrl).searchParams.get('launch_id'), launch.launchId)
})

test('answers without launches when none were asked for, with none when none match', async () => {
  assert.ok(!('launches' in (await open()).json()))
  assert.deepEqual((await open({ launch: ['worker'] })).json().launches, [])
  assert.deepEqual((await open({ launch: [] })).json().launches, [])
})

test('gives launches that an app can authorize and exchange [L01]', async () => {
  const [launch] = (await open({ launch: ['ui'] })).json().launches
  const code = (await authorize(story, launch.launchId)).searchParams.get('code') ?? ''
  assert.equal((await exchange(story, code)).statusCode, 200)
})

test('launches no app that is opened by hand, and lists no disabled one', async () => {
  const [byHand, disabled] = [await story.registerApp('by-hand'), await story.registerApp('off')]
  await story.api('PATCH', `/api/apps/${disabled.id}`, { enabled: false })
  const account = (await story.api('GET', `/api/accounts/${story.accountId}`)).json()
  const url = `/api/collections/${account.collection.id}`
  const { draft } = (await story.api('GET', url)).json()
  const apps = draft.apps.map((item: { appId: string }) =>
    item.appId === byHand.id ? { ...item, autoLaunch: false } : item,
  )
  await story.api('PATCH', url, { draft: { ...draft, apps } })
  await story.api('POST', `${url}/versions`, {})
  const opened = (await open({ launch: ['ui'] })).json()
  const ids = (items: { id: string }[]) => items.map(({ id }) => id)
  assert.deepEqual(ids(opened.apps), [story.app.id, byHand.id])
  assert.deepEqual(ids(opened.launches.map(({ app }: { app: { id: string } }) => app)), [
    story.app.id,
  ])
})

test('launches the other apps when one is disabled in the same moment [V12]', async () => {
  const stopped = await story.registerApp('stopped')
  const { apps } = story.service.service
  const { findApp } = apps
  const asked = new Set<string>()
  // The session still lists the app; when its launch is prepared, the app is disabled.
  Object.assign(apps, {
    async findApp(id: string) {
      const found = await findApp.call(apps, id)
      const isDisabled = id === stopped.id && asked.has(id)
      asked.add(id)
      return isDisabled && found ? { ...found, enabled: false } : found
    },
  })
  const answer = await open({ launch: ['ui'] })
  Object.assign(apps, { findApp })
  assert.equal(answer.statusCode, 201, answer.body)
  const launched = answer.json().launches.map(({ app }: { app: { id: string } }) => app.id)
  assert.deepEqual([launched.includes(story.app.id), launched.includes(stopped.id)], [true, false])
})

test('refuses kinds that there are not', async () => {
  for (const launch of [['both'], ['ui', 'ui'], 'ui', ['ui', 'worker', 'ui']]) {
    const answer = await open({ launch })
    assert.equal(answer.statusCode, 400, JSON.stringify(launch))
    assert.equal(answer.json().code, 'invalid_request')
  }
})

test('gives and counts only the launches that the write has stored [V12]', async (t) => {
  const stopped = await story.registerApp('stopped-in-the-write')
  const { db, metrics } = story.service.service
  const noted = t.mock.method(metrics, 'noteLaunch')
  const hasRun = runBeforeWrite(db, /INSERT INTO launches/, () =>
    db.write(sql`UPDATE apps SET disabled_at = 1 WHERE id = ${stopped.id}`),
  )
  const answer = await open({ launch: ['ui'] })
  assert.equal(hasRun(), true)
  await db.write(sql`UPDATE apps SET disabled_at = NULL WHERE id = ${stopped.id}`)
  assert.equal(answer.statusCode, 201, answer.body)
  const { launches } = answer.json()
  const ids = launches.map(({ app }: { app: { id: string } }) => app.id)
  assert.deepEqual([ids.includes(story.app.id), ids.includes(stopped.id)], [true, false])
  const opened = noted.mock.calls.filter(({ arguments: [outcome] }) => outcome === 'opened')
  assert.equal(opened.length, launches.length)
})

test('stores neither session nor launch for a sign-in that ended meanwhile [U01]', async () => {
  const { db } = story.service.service
  const count = async () => Number((await db.read(sql`SELECT COUNT(*) AS n FROM launches`))[0]?.n)
  const before = await count()
  const pending = Array.from({ length: 6 }, () => open({ launch: ['ui'] }))
  const signedOut = await story.request({
    method: 'POST',
    url: '/auth/sign-out',
    headers: { authorization: `Bearer ${story.adminToken}` },
  })
  assert.equal(signedOut.statusCode, 204)
  const answers = await Promise.all(pending)
  const opened = answers.filter(({ statusCode }) => statusCode === 201)
  assert.ok(answers.every(({ statusCode }) => [201, 401].includes(statusCode)))
  const launched = opened.flatMap((answer) => answer.json().launches)
  assert.equal(await count(), before + launched.length)
})

test('lists the live sessions of the sign-in that asks, and of no other', async () => {
  const signedIn = async () => {
    const token = await signIn(story.service, ADMIN)
    const headers = { authorization: `Bearer ${token}` }
    const payload = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
    const post = () => story.request({ method: 'POST', url: '/api/sessions', headers, payload })
    const list = async (query = '') =>
      (await story.request({ url: `/api/sessions?signIn=this&state=live${query}`, headers })).json()
    const end = (id: string) =>
      story.request({ method: 'DELETE', url: `/api/sessions/${id}`, headers })
    return { post, list, end }
  }
  const [mine, other] = [await signedIn(), await signedIn()]
  await other.post()
  const opened: string[] = []
  for (let index = 0; index < 3; index += 1) {
    opened.push((await mine.post()).json().id)
    story.service.clock.advance(1)
  }
  await mine.end(opened[1] ?? '')
  const { items } = await mine.list()
  assert.deepEqual(
    items.map(({ id, state }: { id: string; state: string }) => [id, state]),
    [opened[2], opened[0]].map((id) => [id, 'live']),
  )
  const first = await mine.list('&limit=1')
  const second = await mine.list(`&limit=1&cursor=${first.nextCursor}`)
  assert.deepEqual([first.items[0].id, second.items[0].id], [opened[2], opened[0]])
  assert.equal(second.nextCursor, null)
})
