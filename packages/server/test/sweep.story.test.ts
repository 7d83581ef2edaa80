// The sweep: what is old goes, in small batches, what lives stays, and of several nodes one does it at
// a time without being missed when it dies. Security F06.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { acquireLease } from '../src/cluster/leases.ts'
import { listOccurrences } from '../src/cluster/occurrence-store.ts'
import type { Database } from '../src/db/database.ts'
import { identifier, sql } from '../src/db/sql.ts'
import { SWEEP, sweep } from '../src/jobs/sweep.ts'
import { deleteBatch } from '../src/jobs/sweep-store.ts'
import {
  authorize,
  exchange,
  freshCode,
  isActive,
  type Story,
  signIn,
  startStory,
} from './story.ts'
import { ADMIN, startTestService } from './test-service.ts'

const HOUR = 3600
const RETENTION = 168 * HOUR
const NONE_REMOVED = {
  launches: 0,
  launch_failures: 0,
  ehr_sessions: 0,
  sign_ins: 0,
  problem_reports: 0,
  developer_keys: 0,
  webhook_deliveries: 0,
}

let story: Story
beforeEach(async () => {
  story = await startStory()
})
afterEach(() => story.close())

const noPause = async () => {}
const sweepNow = (options: object = {}) =>
  sweep(story.service.service, { pause: noPause, ...options })
const { leaseMs, intervalMs } = SWEEP
const rest = () => story.service.clock.advance(intervalMs / 1000)

async function count(table: string): Promise<number> {
  const [row] = await story.service.service.db.read(
    sql`SELECT COUNT(*) AS n FROM ${identifier(table)}`,
  )
  return Number(row?.n)
}

/** A launch that came to its token, and one whose exchange failed. */
async function twoLaunches(): Promise<string> {
  const answer = await exchange(story, await freshCode(story))
  assert.equal(answer.statusCode, 200)
  await exchange(story, await freshCode(story), { redirect_uri: 'https://wrong.example/' })
  return answer.json().access_token
}

test('deletes rows after their retention, not earlier [F06]', async () => {
  await twoLaunches()
  story.service.clock.advance(RETENTION - 1)
  assert.deepEqual((await sweepNow())?.removed, NONE_REMOVED)
  story.service.clock.advance(intervalMs / 1000 + 1)
  const swept = await sweepNow()
  assert.equal(swept?.isDone, true)
  assert.deepEqual(swept.removed, {
    launches: 2,
    launch_failures: 1,
    ehr_sessions: 1,
    sign_ins: 1,
    problem_reports: 0,
    developer_keys: 0,
    webhook_deliveries: 0,
  })
  for (const table of Object.keys(NONE_REMOVED)) assert.equal(await count(table), 0, table)
  // The installation itself is untouched.
  assert.ok(await signIn(story.service, ADMIN))
  assert.equal(await count('apps'), 1)
})

test('keeps newer rows, with their timelines', async () => {
  await twoLaunches()
  story.service.clock.advance(RETENTION + 60)
  const token = await signIn(story.service, ADMIN)
  const api: Story['api'] = (method, url, body) =>
    story.request({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { payload: body } : {}),
    })
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'device-1' }
  const sessionId = (await api('POST', '/api/sessions', body)).json().id
  const launch = { appId: story.app.id, kind: 'ui' }
  const opened = (await api('POST', `/api/sessions/${sessionId}/launches`, launch)).json()
  assert.equal((await sweepNow())?.removed.launches, 2)
  assert.equal(await count('launches'), 1)
  const code = (await authorize(story, opened.launchId)).searchParams.get('code') ?? ''
  const answer = await exchange(story, code)
  assert.equal(answer.statusCode, 200)
  assert.equal(await isActive(story, answer.json().access_token), true)
  assert.equal((await api('GET', `/api/launches/${opened.id}`)).statusCode, 200)
})

test('keeps an old launch with a live token, with its session and sign-in', async () => {
  const token = await twoLaunches()
  const { db } = story.service.service
  const far = story.service.clock() + 2 * RETENTION * 1000
  await db.write(
    sql`UPDATE launches SET token_expires_at = ${far} WHERE token_hash IS NOT NULL`,
    sql`UPDATE sign_ins SET expires_at = ${far}, last_seen_at = ${far}`,
    sql`UPDATE ehr_sessions SET expires_at = ${far}, last_seen_at = ${far}`,
  )
  story.service.clock.advance(RETENTION + 60)
  const swept = await sweepNow()
  assert.deepEqual(
    [swept?.removed.launches, swept?.removed.ehr_sessions, swept?.removed.sign_ins],
    [1, 0, 0],
  )
  assert.equal(await isActive(story, token), true)
})

test('deletes in small batches with pauses, and continues in the next run', async () => {
  for (let i = 0; i < 7; i++) await story.launch()
  story.service.clock.advance(RETENTION + 60)
  const pauses: number[] = []
  const first = await sweepNow({
    batch: 2,
    runMs: 1000,
    pause: async (ms: number) => {
      pauses.push(ms)
      if (pauses.length === 2) story.service.clock.advance(1)
    },
  })
  assert.equal(first?.isDone, false)
  assert.equal(first.removed.launches, 4)
  assert.ok(pauses.every((ms) => ms >= SWEEP.minPauseMs))
  const second = await sweepNow({ batch: 2 })
  assert.equal(second?.isDone, true)
  assert.equal(second.removed.launches, 3)
})

test('one node sweeps at a time; when it dies another continues [F06]', async (t) => {
  const other = await startTestService({}, { beside: story.service })
  t.after(() => other.close())
  const { clock } = story.service
  const claim = () => ({ now: clock(), leaseExpiresAt: clock() + leaseMs, maxLeaseMs: intervalMs })
  const nodes = [story.service.service.db, other.service.db]
  const claims = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      acquireLease(nodes[i % 2] ?? other.service.db, 'sweep', claim()),
    ),
  )
  assert.equal(claims.filter(Boolean).length, 1)
  // The node that holds the lease has stopped.
  assert.equal(await sweep(other.service, { pause: noPause }), undefined)
  clock.advance(leaseMs / 1000)
  assert.ok(await sweep(other.service, { pause: noPause }))
  const seen = await listOccurrences(other.service.db)
  assert.equal(seen.get('sweep'), other.clock(), 'the metrics show it')
  // Everything is deleted, so the sweep is not due for a while.
  assert.equal(await sweepNow(), undefined)
  rest()
  assert.ok(await sweepNow())
})

test('a wrong clock cannot stop the sweep for long', async () => {
  const { db } = story.service.service
  await sweepNow()
  const year = 365 * 24 * HOUR * 1000
  await db.write(sql`UPDATE leases SET due_at = ${story.service.clock() + year}`)
  assert.ok(await sweepNow())
})

test('two nodes that sweep at once delete every row once', async (t) => {
  const other = await startTestService({}, { beside: story.service })
  t.after(() => other.close())
  for (let i = 0; i < 40; i++) await story.launch()
  story.service.clock.advance(RETENTION + 60)
  const now = story.service.clock()
  const range = { after: '', createdBefore: now - RETENTION * 1000, limit: 3, now }
  const emptied = async (db: Database) => {
    let total = 0
    for (let removed = -1; removed !== 0; total += removed) {
      removed = (await deleteBatch(db, 'launches', range)).removed
    }
    return total
  }
  const totals = await Promise.all([story.service, other].map(({ service }) => emptied(service.db)))
  assert.equal((totals[0] ?? 0) + (totals[1] ?? 0), 40)
  assert.equal(await count('launches'), 0)
})
