// What waits in the live tail: merging in steps, changed rows, and launches that have left the list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Launch } from '@chartside/protocol/payloads'
import { TailQueue } from './tail-queue.ts'

const START = Date.parse('2026-01-01T09:00:00Z')

/** The launch of a second; ids are ordered by time. */
const launchAt = (second: number, change: Partial<Launch> = {}) =>
  ({
    id: `lau_${String(second).padStart(3, '0')}`,
    createdAt: new Date(START + second * 1000).toISOString(),
    outcome: 'opening',
    steps: [],
    failureCount: 0,
    ended: undefined,
    ...change,
  }) as unknown as Launch

const page = (items: readonly Launch[], nextCursor: string | null = null) => ({ items, nextCursor })
const idsOf = (rows: readonly Launch[]) => rows.map(({ id }) => id)

test('merges the oldest first, a few at a time', () => {
  const queue = new TailQueue()
  const rows = queue.receive([launchAt(1)], page([launchAt(3), launchAt(2)]), undefined, false)
  assert.deepEqual(idsOf(rows), ['lau_001'])
  const first = queue.merge(rows, 1)
  assert.deepEqual(idsOf(first), ['lau_002', 'lau_001'])
  assert.equal(queue.isEmpty, false)
  assert.deepEqual(idsOf(queue.merge(first, 16)), ['lau_003', 'lau_002', 'lau_001'])
  assert.equal(queue.isEmpty, true)
})

test('takes a shown launch only when its row would change, and never counts it as new', () => {
  const queue = new TailQueue()
  const rows = [launchAt(1)]
  queue.receive(rows, page(rows), undefined, false)
  assert.equal(queue.isEmpty, true)
  queue.receive(rows, page([launchAt(2), launchAt(1, { outcome: 'ready' })]), undefined, false)
  assert.equal(queue.countNew(rows), 1)
  const merged = queue.merge(rows, 16)
  assert.deepEqual(idsOf(merged), ['lau_002', 'lau_001'])
  assert.equal(merged[1]?.outcome, 'ready')
})

test('drops a row that a complete answer does not have, unless the person reads', () => {
  const rows = [launchAt(2), launchAt(1)]
  const from = launchAt(1).createdAt
  const answer = page([launchAt(1)])
  assert.deepEqual(idsOf(new TailQueue().receive(rows, answer, from, true)), ['lau_002', 'lau_001'])
  assert.deepEqual(idsOf(new TailQueue().receive(rows, answer, from, false)), ['lau_001'])
  const partial = page([launchAt(1)], 'more')
  assert.deepEqual(idsOf(new TailQueue().receive(rows, partial, from, false)), [
    'lau_002',
    'lau_001',
  ])
})

test('forgets a waiting launch that has left the list', () => {
  const queue = new TailQueue()
  queue.receive([], page([launchAt(2)]), undefined, false)
  queue.receive([], page([]), launchAt(1).createdAt, true)
  assert.equal(queue.isEmpty, true)
})

test('is empty after the list was left', () => {
  const queue = new TailQueue()
  queue.receive([], page([launchAt(1)]), undefined, false)
  queue.clear()
  assert.deepEqual(queue.merge([], 16), [])
})
