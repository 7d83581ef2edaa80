// The map of sessions: lifetime and maximum size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExpiringMap } from '../src/expiring-map.ts'

test('deletes what is too old, and the oldest of too many', () => {
  let time = 0
  const map = new ExpiringMap<number>({ lifetimeMs: 10, maxEntries: 3, now: () => time })
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index)
  map.set('a', 7)
  map.set('d', 8)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('d'), map.size], [7, undefined, 8, 3])
  map.delete('c')
  time = 10
  assert.equal(map.get('a'), undefined)
  map.set('e', 9)
  assert.deepEqual([map.get('e'), map.size], [9, 1])
})
