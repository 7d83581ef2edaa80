// The times of a launch as they are stored: authorize and exchange as they arrived and as they were
// answered, write included, without a statement more. Contract §3.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Launch } from '@chartside/protocol/launch'
import type { Database } from '../src/db/database.ts'
import { authorize, exchange, type Story, startStory } from './story.ts'
import { startTestService } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
  // A commit takes five milliseconds of the test's clock.
  const db = story.service.service.db as { -readonly [K in keyof Database]: Database[K] }
  const { write } = db
  db.write = async (...statements) => {
    const results = await write(...statements)
    if (statements[0]?.sql.startsWith('UPDATE launches')) story.service.clock.advance(0.005)
    return results
  }
})
after(() => story.close())

const report = (id: string, step: string) =>
  story.api('POST', `/api/launches/${id}/steps`, { step, outcome: 'ok' })

const spansOf = async (id: string) => {
  const { spans }: Launch = (await story.api('GET', `/api/launches/${id}`)).json()
  return spans
}

test('measures authorize and exchange with their writes, and the parties between', async () => {
  const { id, launchId } = await story.launch()
  const { clock } = story.service
  clock.advance(0.1)
  await report(id, 'opened')
  clock.advance(0.5)
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  clock.advance(0.3)
  assert.equal((await exchange(story, code)).statusCode, 200)
  clock.advance(0.2)
  await report(id, 'handshake')
  clock.advance(0.05)
  await report(id, 'context')
  assert.deepEqual(
    (await spansOf(id)).map(({ span, party, outcome, durationMs }) =>
      [span, party, outcome, durationMs].join(' '),
    ),
    [
      'open host ok 100',
      'load app_page ok 505',
      'authorize service ok 5',
      'prepare app_server ok 300',
      'exchange service ok 5',
      'hello app_page ok 200',
      'context host ok 55',
    ],
  )
})

test('keeps the order of cause and effect when the report of the host comes late', async () => {
  const { id, launchId } = await story.launch()
  story.service.clock.advance(0.4)
  await authorize(story, launchId)
  story.service.clock.advance(0.3)
  await report(id, 'opened')
  const { steps }: Launch = (await story.api('GET', `/api/launches/${id}`)).json()
  const names = steps.map(({ step }) => step)
  assert.deepEqual(names, ['created', 'opened', 'authorize', 'code'])
})

test('keeps the beginning of the write where another node goes on', async () => {
  const beside = await startTestService({}, { beside: story.service })
  try {
    const { id, launchId } = await story.launch()
    const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
    const payload = {
      ...{ grant_type: 'authorization_code', code, client_id: story.app.clientId },
      client_secret: story.app.secret,
    }
    const answer = await beside.server.inject({ method: 'POST', url: '/app-auth/token', payload })
    assert.equal(answer.statusCode, 200, answer.body)
    const authorized = (await spansOf(id)).find(({ span }) => span === 'authorize')
    assert.deepEqual([authorized?.outcome, authorized?.durationMs], ['ok', 0])
  } finally {
    await beside.close()
  }
})

test('names the exchange as the span that failed, with reason and trace id', async () => {
  const { id, launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const refused = await exchange(story, code, { client_secret: 'cs_wrong' })
  const spans = await spansOf(id)
  const failed = spans.find(({ outcome }) => outcome === 'failed')
  assert.deepEqual(
    [failed?.span, failed?.party, failed?.reason, failed?.traceId],
    ['exchange', 'service', 'secret_wrong', refused.json().trace_id],
  )
  assert.deepEqual(
    spans.slice(-2).map(({ outcome }) => outcome),
    ['did_not_happen', 'did_not_happen'],
  )
})
