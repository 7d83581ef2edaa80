// A version of a few accounts that goes to all by itself: at its time, once, while its launches become ready, and not
// after they failed. Decision 89.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PLATFORM } from '../src/audit/audit.ts'
import { listEvents } from '../src/audit/audit-trail.ts'
import { sql } from '../src/db/sql.ts'
import { widenRollouts } from '../src/running/rollout-widening.ts'
import { EHR } from './account-fixture.ts'
import { type Story, startStory } from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

const HOUR = 3600
const LAUNCHES = 20

let story: Story
let beside: TestService
before(async () => {
  story = await startStory({
    CHARTSIDE_SESSION_IDLE_SECONDS: '86400',
    CHARTSIDE_SESSION_LIFETIME_SECONDS: '86400',
  })
  beside = await startTestService({}, { beside: story.service })
})
after(async () => {
  await beside.close()
  await story.close()
})

async function api(method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, body?: object) {
  const answer = await story.api(method, url, body)
  assert.ok(answer.statusCode < 500, answer.body)
  return answer.json()
}

/** A collection whose second version goes to one of two accounts, and to both after two hours. */
async function begin() {
  const { accountId } = story
  const urls = { launchUrl: 'https://notes.example/', redirectUris: [] }
  const app = await api('POST', '/api/apps', { accountId, name: 'Visit Notes', ...urls })
  const draft = { ehrs: [EHR], apps: [{ appId: app.id, autoLaunch: true }] }
  const { id } = await api('POST', '/api/collections', { accountId, name: 'Notes', draft })
  const url = `/api/collections/${id}`
  await api('POST', `${url}/versions`, {})
  const collection = { id, version: 'latest' }
  const early = await api('POST', '/api/accounts', { name: 'Early', collection })
  await api('POST', '/api/accounts', { name: 'Late', collection })
  const audience = { accountIds: [early.id] }
  const widen = { readyPercent: 90, afterHours: 2 }
  const version = await api('POST', `${url}/versions`, { audience, widen })
  assert.deepEqual([version.widening.readyPercent, version.widening.stopped], [90, null])
  return { id, url, early: String(early.id), audience }
}

/** So many launches of the early account, of which so many fail. */
async function launch(accountId: string, failed: number): Promise<void> {
  const { db, clock } = story.service.service
  for (let n = 0; n < LAUNCHES; n++) {
    const body = { accountId, ehrType: 'meadow', deviceId: `d${n}`, launch: ['ui'] }
    const { id } = await api('POST', '/api/sessions', body)
    await db.write(
      n < failed
        ? sql`UPDATE launches SET failure_count = 1 WHERE session_id = ${id}`
        : sql`UPDATE launches SET context_at = ${clock()} WHERE session_id = ${id}`,
    )
  }
}

/** A minute later both nodes look. */
async function look(): Promise<void> {
  story.service.clock.advance(61)
  await Promise.all([story.service, beside].map((node) => widenRollouts(node.service)))
}

async function listActions(about: string) {
  const { db } = story.service.service
  const page = { about, before: 'evt_~', limit: 50 }
  const trails = await Promise.all(
    [story.accountId, PLATFORM].map((accountId) => listEvents(db, { ...page, accountId })),
  )
  return trails.map((events) =>
    events
      .filter(({ action }) => action === 'widenRollout' || action === 'stopRollout')
      .map(({ actor, action, detail }) => `${actor} ${action} ${detail.ready} ${detail.failed}`),
  )
}

test('gives a version to all at its time, once, while its launches become ready', async () => {
  const { id, url, early } = await begin()
  await launch(early, 2)
  await look()
  assert.equal((await api('GET', `${url}/rollout`)).givenTo, 1, 'not before its time')
  story.service.clock.advance(2 * HOUR)
  await look()
  const { audience, widening } = await api('GET', `${url}/versions/2`)
  assert.deepEqual([audience, widening], [null, null])
  await look()
  const done = ['service widenRollout 18 2']
  assert.deepEqual(await listActions(id), [done, done])
})

test('stops a rollout whose launches fail, and says so to vendor and platform', async () => {
  const { id, url, early, audience } = await begin()
  await launch(early, 3)
  await look()
  const { widening, audience: given } = await api('GET', `${url}/versions/2`)
  assert.deepEqual([widening.stopped.ready, widening.stopped.failed], [17, 3])
  assert.equal(given.accounts, 1, 'those that have it keep it')
  story.service.clock.advance(3 * HOUR)
  await look()
  const done = ['service stopRollout 17 3']
  assert.deepEqual(await listActions(id), [done, done])
  const again = await api('PUT', `${url}/versions/2/audience`, { audience, widen: null })
  assert.equal(again.widening, null)
})

test('leaves a rollout alone that a person has changed meanwhile', async () => {
  const { id, url, early, audience } = await begin()
  await launch(early, 0)
  await api('PUT', `${url}/versions/2/audience`, { audience })
  story.service.clock.advance(3 * HOUR)
  await look()
  assert.deepEqual((await api('GET', `${url}/versions/2`)).audience.accounts, 1)
  assert.deepEqual(await listActions(id), [[], []])
  const late = { audience: 'all', widen: { readyPercent: 90, afterHours: 2 } }
  const refused = await api('PUT', `${url}/versions/2/audience`, late)
  assert.equal(refused.errors[0].field, '/widen')
})
