// A node of a cluster whose machine has the wrong time, beside one that is right: it goes by the
// database's time, so nothing ends early or late, it is not ready, and it deletes nothing until its clock
// is right. Security V13.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../src/db/sql.ts'
import { exchange, freshCode, isActive, type Story, startStory } from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

const DAY = 86_400

let story: Story
let wrong: TestService
let offsetSeconds = 30 * DAY
before(async () => {
  story = await startStory()
  const { clock } = story.service
  const wall = () => clock() + offsetSeconds * 1000
  wrong = await startTestService({}, { beside: story.service, wall })
})
after(async () => {
  await wrong?.close()
  await story?.close()
})

async function readyWith(seconds: number) {
  offsetSeconds = seconds
  story.service.clock.advance(1)
  await wrong.service.cacheVersions.check()
  const answer = await wrong.server.inject({ url: '/health/ready' })
  return { status: answer.statusCode, cause: String(answer.json().cause) }
}

test('a node whose clock is wrong is not ready and says why, until it is right [V13]', async () => {
  assert.match(
    (await readyWith(30 * DAY)).cause,
    /2592000 s ahead of the database's; 2 s are allowed/,
  )
  assert.match((await readyWith(-3600)).cause, /3600 s behind of the database's/)
  assert.match(
    wrong.logText(),
    /"fault":"clock offset","offsetMs":2592000000,"msg":"not ready: clock"/,
  )
  assert.equal((await readyWith(1.9)).status, 200)
  assert.match(wrong.logText(), /the clock is right again/)
})

test('neither 401 nor an expired code comes from the clock of a node [V13]', async () => {
  const there: Story = { ...story, request: (options) => wrong.server.inject(options) }
  for (const seconds of [30 * DAY, -30 * DAY, 3600]) {
    assert.equal((await readyWith(seconds)).status, 503)
    const headers = { authorization: `Bearer ${story.adminToken}` }
    assert.equal((await there.request({ url: '/api/users/me', headers })).statusCode, 200)
    const issued = await exchange(there, await freshCode(story))
    assert.equal(issued.statusCode, 200, issued.body)
    assert.equal(await isActive(story, issued.json().access_token), true)
    assert.equal(await isActive(there, issued.json().access_token), true)
  }
})

test('deletes nothing while its clock is wrong, and what is due after it [V13]', async () => {
  const { db } = story.service.service
  const count = async () => (await db.read(sql`SELECT id FROM launches`)).length
  assert.ok((await count()) > 0)
  story.service.clock.advance(9 * DAY)
  assert.equal((await readyWith(3600)).status, 503)
  const kept = await count()
  wrong.startJobs()
  await sleep(300)
  assert.equal(await count(), kept)
  offsetSeconds = 0
  story.service.clock.advance(1)
  for (let waited = 0; (await count()) > 0; waited += 50) {
    assert.ok(waited < 10_000, 'the sweep runs again')
    await sleep(50)
  }
})
