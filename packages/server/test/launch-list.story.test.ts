// The list of launches with their timelines: what it costs the database, and how many failures it
// shows. Contract §3.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '../src/db/database.ts'
import { type Story, startStory } from './story.ts'

const MAX_FAILURES = 20

let story: Story
const ids: string[] = []
before(async () => {
  story = await startStory()
  for (let number = 1; number <= 3; number += 1) {
    const { id } = await story.launch()
    ids.push(id)
    for (let failure = 1; failure <= number; failure += 1)
      await fail(id, `FAILURE_${'ABC'[failure - 1]}`)
  }
})
after(() => story.close())

async function fail(launchId: string, code: string): Promise<void> {
  story.service.clock.advance(1)
  const url = `/api/launches/${launchId}/steps`
  const answer = await story.api('POST', url, { step: 'handshake', outcome: 'failed', code })
  assert.equal(answer.statusCode, 204, answer.body)
}

async function list(limit: number) {
  const url = `/api/launches?sessionId=${story.sessionId}&limit=${limit}`
  const answer = await story.api('GET', url)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().items
}

const show = async (id: string) => (await story.api('GET', `/api/launches/${id}`)).json()

test('reads the failures of a page of launches in one statement', async () => {
  const db = story.service.service.db as { -readonly [K in keyof Database]: Database[K] }
  const { read } = db
  const texts: string[] = []
  db.read = (statement) => {
    // The broadcast of the launches above may still be on its way.
    if (!statement.sql.includes('session_subscriptions')) texts.push(statement.sql)
    return read(statement)
  }
  const countReads = async (limit: number) => {
    texts.length = 0
    await list(limit)
    return [texts.length, texts.filter((text) => text.includes('launch_failures')).length]
  }
  try {
    await list(1)
    const [readsOfOne] = await countReads(1)
    assert.deepEqual(await countReads(3), [readsOfOne, 1])
  } finally {
    db.read = read
  }
})

test('lists each launch with its own failures, as its timeline shows them', async () => {
  const views = await list(3)
  assert.deepEqual(views, await Promise.all(ids.toReversed().map(show)))
  const codes = (await show(ids[1] ?? '')).steps.flatMap(
    ({ code }: { code?: string }) => code ?? [],
  )
  assert.deepEqual(codes, ['FAILURE_A', 'FAILURE_B'])
})

test('keeps the first failures of a launch and counts the others', async () => {
  const [id = ''] = ids
  const all = ['FAILURE_A']
  for (const suffix of 'BCDEFGHIJKLMNOPQRSTUVWXYZ') {
    all.push(`FAILURE_${suffix}`)
    await fail(id, `FAILURE_${suffix}`)
  }
  const failuresOf = (view: { steps: { code?: string; outcome: string }[] }) =>
    view.steps.filter(({ outcome }) => outcome === 'failed').map(({ code }) => code)
  const listed = (await list(3)).find((view: { id: string }) => view.id === id)
  for (const view of [listed, await show(id)]) {
    assert.deepEqual(failuresOf(view), all.slice(0, MAX_FAILURES))
    assert.equal(view.failureCount, all.length)
  }
})

test('keeps the time of a step that is reported again', async () => {
  const { id } = await story.launch()
  const report = () =>
    story.api('POST', `/api/launches/${id}/steps`, { step: 'opened', outcome: 'ok' })
  assert.equal((await report()).statusCode, 204)
  const { steps } = await show(id)
  story.service.clock.advance(1)
  assert.equal((await report()).statusCode, 204)
  assert.deepEqual((await show(id)).steps, steps)
})
