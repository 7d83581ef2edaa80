// What keeps a sign-in alive is the activity of its person, reported by the host; the event stream warns
// before the end and sends the end at its moment. Contract §3, security P04.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStream } from './event-stream.ts'
import { authorize, exchange, isActive, type Story, signIn, startStory } from './story.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

const MINUTE = 60

let story: Story
/** A second node of the same installation. */
let second: TestService
before(async () => {
  story = await startStory()
  second = await startTestService({}, { beside: story.service })
  for (const node of [story.service, second]) {
    await node.server.listen({ port: 0, host: '127.0.0.1' })
    node.startJobs()
  }
})
after(async () => {
  await second.close()
  await story.close()
})

const advance = (seconds: number) => story.service.clock.advance(seconds)
const momentIn = (seconds: number) => new Date(story.service.clock() + seconds * 1000).toISOString()

/** A sign-in of its own with an EHR session and an app that has a token. */
async function signedIn() {
  const token = await signIn(story.service, ADMIN)
  const headers = { authorization: `Bearer ${token}` }
  const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    story.request({ method, url, headers, ...(payload ? { payload } : {}) })
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const sessionId = (await call('POST', '/api/sessions', body)).json().id
  const launches = `/api/sessions/${sessionId}/launches`
  const launch = async () =>
    (await call('POST', launches, { appId: story.app.id, kind: 'ui' })).json()
  const opened = await launch()
  const code = (await authorize(story, opened.launchId)).searchParams.get('code') ?? ''
  const accessToken = (await exchange(story, code)).json().access_token
  const url = `/api/sessions/${sessionId}/activity`
  const report = (node = story.service) => node.server.inject({ method: 'POST', url, headers })
  const timeline = `/api/launches/${opened.id}`
  return { token, headers, call, sessionId, launch, opened, accessToken, report, timeline }
}

test('keeps a sign-in alive by reported activity, at any node [P04]', async () => {
  const { report, accessToken } = await signedIn()
  for (const node of [story.service, second]) {
    advance(29 * MINUTE)
    const answer = await report(node)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(answer.json(), { endsAt: momentIn(30 * MINUTE), reason: 'idle' })
  }
  assert.equal(await isActive(story, accessToken), true)
})

test('takes no call of an app or of a host by itself for activity [P04]', async () => {
  const { call, headers, sessionId, launch, opened, accessToken, timeline } = await signedIn()
  const app = { client_id: story.app.clientId, client_secret: story.app.secret }
  const bearer = { authorization: `Bearer ${accessToken}` }
  const form = { token: accessToken }
  const calls: (() => Promise<{ statusCode: number }>)[] = [
    () =>
      story.request({ method: 'POST', url: '/app-auth/introspect', payload: { ...form, ...app } }),
    () => story.request({ method: 'POST', url: '/app-auth/introspect', headers, payload: form }),
    () => story.request({ url: '/app-auth/userinfo', headers: bearer }),
    () => call('GET', `/api/sessions/${sessionId}`),
    () => call('GET', timeline),
    () => call('GET', `/api/launches?sessionId=${sessionId}`),
    () => call('POST', `${timeline}/steps`, { step: 'context', outcome: 'ok' }),
    () =>
      call('POST', '/api/sessions', {
        accountId: story.accountId,
        ehrType: 'meadow',
        deviceId: 'd',
      }),
    async () => {
      const { launchId } = await launch()
      const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
      return exchange(story, code)
    },
    async () => call('DELETE', `/api/launches/${(await launch()).id}`),
  ]
  const stream = await openStream(story.service, sessionId, headers.authorization.slice(7))
  stream.close()
  advance(28 * MINUTE)
  for (const work of calls) {
    const { statusCode } = await work()
    assert.ok(statusCode < 300, String(statusCode))
  }
  advance(2 * MINUTE - 1)
  assert.equal(await isActive(story, accessToken), true)
  advance(1)
  assert.equal(await isActive(story, accessToken), false)
  // The administrator signs in anew to read the timeline.
  const reader = await signIn(story.service, ADMIN)
  const authorization = `Bearer ${reader}`
  const shown = await story.request({ url: timeline, headers: { authorization } })
  assert.deepEqual(
    [shown.json().state, shown.json().ended],
    ['ended', { at: momentIn(0), reason: 'idle' }],
    opened.id,
  )
})

test('revives no sign-in by activity after its end [P04]', async () => {
  const { report, token } = await signedIn()
  advance(30 * MINUTE)
  const answer = await report()
  assert.deepEqual(
    [answer.statusCode, answer.json().ended],
    [401, { at: momentIn(0), reason: 'idle' }],
  )
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await story.request({ url: '/api/users/me', headers })).statusCode, 401)
})

test('moves the end for the lifetime of the sign-in at most', async () => {
  const { report } = await signedIn()
  let answer = await report()
  for (let hour = 0; hour < 47; hour++) {
    advance(15 * MINUTE)
    answer = await report()
  }
  assert.deepEqual(answer.json(), { endsAt: momentIn(15 * MINUTE), reason: 'expired' })
  advance(15 * MINUTE)
  assert.equal((await report()).json().ended.reason, 'expired')
})

test('records activity at most once a minute, and never earlier than before', async () => {
  const { report } = await signedIn()
  advance(5 * MINUTE)
  const first = (await report()).json().endsAt
  advance(59)
  assert.equal((await report(second)).json().endsAt, first)
  advance(1)
  const later = (await report(second)).json().endsAt
  assert.equal(Date.parse(later) - Date.parse(first), MINUTE * 1000)
  advance(-30)
  assert.equal((await report()).json().endsAt, later, 'of a node whose clock is behind')
  advance(30)
})

test('counts activity in a live EHR session of the same sign-in only', async () => {
  const mine = await signedIn()
  const other = await signedIn()
  const url = `/api/sessions/${other.sessionId}/activity`
  assert.equal((await mine.call('POST', url)).statusCode, 404)
  await mine.call('DELETE', `/api/sessions/${mine.sessionId}`)
  const late = await mine.report()
  assert.deepEqual([late.statusCode, late.json().code], [409, 'session_ended'])
})

test('warns on the stream two minutes before the end, and ends at its moment', async (t) => {
  const { sessionId, token } = await signedIn()
  const endsAt = momentIn(30 * MINUTE)
  const streams = [
    await openStream(story.service, sessionId, token),
    await openStream(second, sessionId, token),
  ]
  t.after(() => {
    for (const stream of streams) stream.close()
  })
  const names = () => streams.flatMap((stream) => stream.list().map(({ event }) => event))
  advance(28 * MINUTE - 1)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  assert.ok(!names().includes('idle'))
  advance(1)
  for (const stream of streams) {
    const { found, tookMs } = await stream.next(({ event }) => event === 'idle')
    assert.deepEqual(found.data, { endsAt, reason: 'idle' })
    assert.ok(tookMs < 1500, `${tookMs} ms`)
  }
  advance(2 * MINUTE)
  for (const stream of streams) {
    const { found, tookMs } = await stream.next(({ event }) => event === 'ended')
    assert.deepEqual(found.data, { reason: 'idle' })
    assert.ok(tookMs < 1500, `${tookMs} ms`)
    await stream.closed
  }
})

test('takes the warning back on every node when activity is reported', async (t) => {
  const { sessionId, token, report } = await signedIn()
  // Nodes notify each other on PostgreSQL only; one node holds an SQLite file.
  const nodes = story.service.service.broadcast ? [story.service, second] : [story.service]
  const first = momentIn(30 * MINUTE)
  advance(29 * MINUTE)
  const streams = await Promise.all(nodes.map((node) => openStream(node, sessionId, token)))
  t.after(() => {
    for (const stream of streams) stream.close()
  })
  const warnings = (endsAt: string) =>
    Promise.all(
      streams.map((stream) =>
        stream.next(({ event, data }) => event === 'idle' && data.endsAt === endsAt),
      ),
    )
  await warnings(first)
  const { endsAt } = (await report(nodes.at(-1))).json()
  for (const { tookMs } of await warnings(endsAt)) assert.ok(tookMs < 1500, `${tookMs} ms`)
  advance(2 * MINUTE)
  assert.equal((await report()).statusCode, 200)
  assert.ok(streams.every((stream) => stream.list().every(({ event }) => event !== 'ended')))
})

test('says how a session ended to a host that comes back', async () => {
  const { call, sessionId, timeline } = await signedIn()
  await call('DELETE', `/api/sessions/${sessionId}`)
  const shown = (await call('GET', `/api/sessions/${sessionId}`)).json()
  assert.deepEqual([shown.state, shown.ended.reason], ['ended', 'closed'])
  assert.equal((await call('GET', timeline)).json().ended.reason, 'closed')
  await call('POST', '/auth/sign-out')
  const after = await call('GET', `/api/sessions/${sessionId}`)
  assert.deepEqual([after.statusCode, after.json().ended.reason], [401, 'signed_out'])
})

test('keeps the other EHR sessions of the sign-in alive too [P04]', async () => {
  const { call, report } = await signedIn()
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const other = (await call('POST', '/api/sessions', body)).json().id
  advance(29 * MINUTE)
  assert.equal((await report()).statusCode, 200)
  advance(2 * MINUTE)
  assert.equal((await call('GET', `/api/sessions/${other}`)).json().state, 'live')
})

test('records activity often enough for an idle time of a minute [P04]', async (t) => {
  const short = await startStory({ CHARTSIDE_SESSION_IDLE_SECONDS: '60' })
  t.after(() => short.close())
  for (let reports = 0; reports < 4; reports++) {
    short.service.clock.advance(20)
    const answer = await short.api('POST', `/api/sessions/${short.sessionId}/activity`)
    assert.equal(answer.statusCode, 200, answer.body)
    const endsAt = new Date(short.service.clock() + 60_000).toISOString()
    assert.deepEqual(answer.json(), { endsAt, reason: 'idle' })
  }
})
