// What a broadcast writes, and what it says when it cannot: test/process/session-broadcast.test.ts has whole nodes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../db/database.ts'
import type { Statement } from '../db/sql.ts'
import { systemRandomness } from '../kernel/randomness.ts'
import { sessionBroadcast } from './session-broadcast.ts'

function startBroadcast() {
  const state = { isDown: false }
  const written: string[] = []
  const lost: unknown[] = []
  const db = {
    read: async () => {
      if (state.isDown) throw new Error('away')
      return [{ session_id: 'ses_1' }]
    },
    write: async (...statements: readonly Statement[]) => {
      written.push(...statements.map(({ sql }) => sql.trim().split(/\s+/, 3).join(' ')))
      return []
    },
  } as unknown as Database
  const broadcast = sessionBroadcast({
    db,
    clock: () => 1_000_000,
    randomness: systemRandomness(),
    onLost: (error) => lost.push(error),
  })
  return { state, written, lost, broadcast }
}

test('keeps the subscription of a stream that closes and opens again at once', async () => {
  const { broadcast, written } = startBroadcast()
  await broadcast.subscribe('ses_1')
  broadcast.unsubscribe('ses_1')
  await broadcast.subscribe('ses_1')
  assert.ok(
    written.every((statement) => statement.startsWith('INSERT')),
    written.join(),
  )
  broadcast.unsubscribe('ses_1')
  await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal(written.at(-1), 'DELETE FROM session_subscriptions')
})

test('says that notifications are lost when they could not be written [I04]', async () => {
  const { state, broadcast, lost } = startBroadcast()
  state.isDown = true
  await broadcast.publish({ sessionId: 'ses_1', launchId: 'lau_1', ended: undefined })
  assert.equal(lost.length, 1)
})

test('writes one notification of a launch, however many of its steps came at once', async () => {
  const { broadcast, written } = startBroadcast()
  const of = (launchId: string) => ({ sessionId: 'ses_1', launchId, ended: undefined })
  await Promise.all(['lau_1', 'lau_1', 'lau_2'].map((id) => broadcast.publish(of(id))))
  assert.equal(written.length, 2)
})
