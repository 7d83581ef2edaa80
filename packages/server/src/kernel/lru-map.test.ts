// A bounded map forgets what was used longest ago, and no more than it must.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lruMap, memoize } from './lru-map.ts'

test('forgets the oldest entry that was not used', () => {
  const map = lruMap<number>(3)
  for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value)
  assert.equal(map.get('a'), 0)
  map.set('d', 3)
  assert.deepEqual(['a', 'b', 'c', 'd'].map(map.has), [true, false, true, true])
  map.set('c', 9)
  map.set('e', 4)
  assert.deepEqual(['a', 'c', 'd', 'e'].map(map.get), [undefined, 9, 3, 4])
  map.clear()
  assert.equal(map.get('e'), undefined)
})

test('makes room where every entry was used, and never holds more than it may', () => {
  const map = lruMap<number>(3)
  const keys = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const key of keys) {
    map.set(key, 1)
    for (const known of keys) map.get(known)
    assert.ok(keys.filter(map.has).length <= 3)
    assert.ok(map.has(key))
  }
})

test('keeps most of a set that is a little larger than it', () => {
  const map = lruMap<number>(1000)
  let missed = 0
  let seed = 1
  for (let i = 0; i < 50_000; i++) {
    seed = (seed * 16_807) % 2_147_483_647
    const key = `${seed % 1100}`
    if (map.get(key) === undefined) missed += 1
    map.set(key, i)
  }
  assert.ok(missed < 0.2 * 50_000, `${missed} of 50000`)
})

test('computes each text once, an answer of undefined too', () => {
  const computed: string[] = []
  const find = memoize((text) => {
    computed.push(text)
    return text === 'none' ? undefined : text.toUpperCase()
  })
  assert.deepEqual(['a', 'none', 'a', 'none'].map(find), ['A', undefined, 'A', undefined])
  assert.deepEqual(computed, ['a', 'none'])
})

test('keeps a bounded number of answers, and none to a long text', () => {
  let count = 0
  const find = memoize(() => ++count)
  for (let index = 0; index < 10_000; index++) find(`text ${index}`)
  assert.equal(find('text 1'), 2)
  find('one more')
  assert.equal(find('text 1'), 2)
  assert.equal(find('text 0'), 10_002, 'the oldest is computed again')
  const long = 'x'.repeat(200)
  assert.notEqual(find(long), find(long))
})
