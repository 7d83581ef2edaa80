// Three nodes on one PostgreSQL: what happens on one reaches the event streams of the others within a
// second; other sessions get no notification; a node that lost the database checks its sessions
// again. Contract §5 (within one second), security I04.

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sessionBroadcast } from '../../packages/server/src/cluster/session-broadcast.ts'
import type { Database } from '../../packages/server/src/db/database.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts'
import {
  exchange,
  freshCode,
  type Story,
  signIn,
  startStory,
} from '../../packages/server/test/story.ts'
import {
  ADMIN,
  startTestService,
  type TestService,
} from '../../packages/server/test/test-service.ts'

const WITHIN_MS = 1000
const POLL_MS = 10
/** What one poll counts at most: beyond that this process, with all three nodes, had no turn on the machine. */
const TURN_MS = 50

/** Waits for a condition; gives how long that took, without the time in which the machine stood still. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<number> {
  let took = 0
  while (!(await isTrue()) && took < 5 * WITHIN_MS) {
    const begun = performance.now()
    await sleep(POLL_MS)
    took += Math.min(performance.now() - begun, TURN_MS)
  }
  return took
}

let postgres: TestPostgres
let story: Story
let nodes: TestService[]
const streams: Stream[] = []
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.stop())
beforeEach(async () => {
  const url = await postgres.freshDividedDatabase()
  story = await startStory({ CHARTSIDE_DATABASE_URL: url })
  const beside = { beside: story.service }
  nodes = [await startTestService({}, beside), await startTestService({}, beside)]
  for (const node of [story.service, ...nodes]) {
    await node.server.listen({ port: 0, host: '127.0.0.1' })
    node.startJobs()
  }
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
  await Promise.all(nodes.map((node) => node.close()))
  await story.close()
})

interface Stream {
  /** Waits for an event that matches; gives how long that took. */
  expect(pattern: RegExp): Promise<number>
  readonly text: () => string
  readonly ended: Promise<void>
  close(): void
}

async function openStream(
  node: TestService,
  sessionId: string,
  token = story.adminToken,
): Promise<Stream> {
  const address = node.server.server.address()
  assert.ok(address && typeof address === 'object')
  const abort = new AbortController()
  const url = `http://127.0.0.1:${address.port}/api/sessions/${sessionId}/events`
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(url, { headers, signal: abort.signal })
  assert.equal(answer.status, 200)
  let text = ''
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString()
  })().catch(() => {})
  const stream: Stream = {
    text: () => text,
    ended: reading,
    close: () => abort.abort(),
    async expect(pattern) {
      const took = await until(() => pattern.test(text))
      assert.match(text, pattern)
      return took
    },
  }
  streams.push(stream)
  await stream.expect(/event: session/)
  return stream
}

const onOtherNodes = () => Promise.all(nodes.map((node) => openStream(node, story.sessionId)))

async function assertAllHear(others: readonly Stream[], pattern: RegExp): Promise<void> {
  for (const took of await Promise.all(others.map((stream) => stream.expect(pattern)))) {
    assert.ok(took < WITHIN_MS, `took ${took} ms`)
  }
}

test('every node’s stream shows a launch being created, authorized and exchanged', async () => {
  const others = await onOtherNodes()
  const code = await freshCode(story)
  await assertAllHear(others, /"state":"authorized"/)
  assert.equal((await exchange(story, code)).statusCode, 200)
  await assertAllHear(others, /"state":"exchanged"/)
})

test('a sign-out ends the streams of every node within a second', async () => {
  const others = await onOtherNodes()
  const headers = { authorization: `Bearer ${story.adminToken}` }
  await story.request({ method: 'POST', url: '/auth/sign-out', headers })
  await assertAllHear(others, /event: ended\ndata: {"reason":"signed_out"}/)
  await Promise.all(others.map(({ ended }) => ended))
})

test('the end of an EHR session and of an account end the streams of every node', async () => {
  const first = await openStream(nodes[0] ?? story.service, story.sessionId)
  await story.api('DELETE', `/api/sessions/${story.sessionId}`)
  await assertAllHear([first], /event: ended/)
  const again = await openStream(nodes[1] ?? story.service, await story.openSession())
  await story.api('DELETE', `/api/accounts/${story.accountId}`)
  await assertAllHear([again], /event: ended\ndata: {"reason":"account_closed"}/)
})

test('every node’s stream shows a revoked token within a second [I04]', async () => {
  const others = await onOtherNodes()
  const { access_token } = (await exchange(story, await freshCode(story))).json()
  await assertAllHear(others, /"state":"exchanged"/)
  await story.request({
    method: 'POST',
    url: '/app-auth/revoke',
    payload: {
      token: access_token,
      client_id: story.app.clientId,
      client_secret: story.app.secret,
    },
  })
  await assertAllHear(others, /"state":"ended"/)
})

test('notifies only subscribed sessions, and writes nothing without subscriptions', async () => {
  const [node = story.service] = nodes
  const token = await signIn(story.service, ADMIN)
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'device-9' }
  const opened = await story.service.server.inject({
    method: 'POST',
    url: '/api/sessions',
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  })
  const bystander = await openStream(node, opened.json().id, token)
  await freshCode(story)
  await sleep(2 * WITHIN_MS)
  assert.doesNotMatch(bystander.text(), /event: launch/)
  bystander.close()
  await freshCode(story)
  const { db } = story.service.service
  await until(async () => (await db.read(sql`SELECT * FROM session_subscriptions`)).length === 0)
  assert.equal((await db.read(sql`SELECT * FROM session_subscriptions`)).length, 0)
  assert.equal((await db.read(sql`SELECT * FROM session_notifications`)).length, 0)
})

test('a node checks its sessions again after it lost the database', async () => {
  const others = await onOtherNodes()
  const { db } = story.service.service
  // As if the notification was lost: the session ends without one.
  await db.write(sql`UPDATE ehr_sessions SET ended_at = 1, ended_reason = 'closed'`)
  await postgres.takeDown()
  await sleep(700)
  await postgres.bringBack()
  await Promise.all(others.map((stream) => stream.expect(/event: ended/)))
})

test('deletes the subscriptions and notifications of a dead node', async () => {
  const { service } = story.service
  const row = sql`INSERT INTO session_subscriptions VALUES ('ses_x', 'nod_dead', 1)`
  const notification = sql`INSERT INTO session_notifications VALUES ('nod_dead', 'evt_x', 'ses_x', NULL, NULL, 1)`
  await service.db.write(row, notification)
  await service.broadcast?.renew()
  assert.equal((await service.db.read(sql`SELECT * FROM session_subscriptions`)).length, 0)
  assert.equal((await service.db.read(sql`SELECT * FROM session_notifications`)).length, 0)
})

test('writes no notification of a session without a stream on another node', async () => {
  await onOtherNodes()
  const { service } = story.service
  const written: string[] = []
  const write: Database['write'] = (...statements) => {
    written.push(...statements.map((statement) => statement.sql))
    return service.db.write(...statements)
  }
  const { clock, randomness } = service
  const onLost = (error: unknown) => assert.fail(String(error))
  const parts = { db: { ...service.db, write }, clock, randomness, onLost }
  const broadcast = sessionBroadcast(parts)
  const notify = (sessionId: string, launchId: string) =>
    broadcast.publish({ sessionId, launchId, ended: undefined })
  await Promise.all(['a', 'b', 'c'].map((launchId) => notify('ses_without_stream', launchId)))
  assert.deepEqual(written, [])
  await Promise.all(['a', 'b', 'c'].map((launchId) => notify(story.sessionId, launchId)))
  assert.equal(written.length, 3)
})

test('a stream that closes and opens again at once stays subscribed', async () => {
  const { db, randomness } = story.service.service
  const { clock } = story.service
  const sessionId = 'ses_reopened'
  for (const pause of [async () => {}, () => sleep(1)]) {
    // Another connection of the pool may be quicker than the one of the write before.
    let isSlow = false
    const write: Database['write'] = async (...statements) => {
      if (isSlow) {
        isSlow = false
        await sleep(50)
      }
      return db.write(...statements)
    }
    const onLost = (error: unknown) => assert.fail(String(error))
    const node = sessionBroadcast({ db: { ...db, write }, clock, randomness, onLost })
    await node.subscribe(sessionId)
    isSlow = true
    node.unsubscribe(sessionId)
    await pause()
    await node.subscribe(sessionId)
    await sleep(100)
    const [row] = await db.read(
      sql`SELECT COUNT(*) AS nodes FROM session_subscriptions WHERE session_id = ${sessionId}`,
    )
    assert.equal(row?.nodes, 1)
    node.unsubscribe(sessionId)
    await sleep(50)
  }
})

test('a node subscribes again after it was suspended beyond its expiry', async () => {
  const [stream] = await onOtherNodes()
  const [node = story.service] = nodes
  await node.service.db.write(sql`DELETE FROM session_subscriptions`)
  await node.service.broadcast?.renew()
  await freshCode(story)
  await stream?.expect(/event: launch/)
})
