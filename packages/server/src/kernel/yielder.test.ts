// A long calculation yields between its portions: requests are answered there, and a late job pauses no more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Yielder } from './yielder.ts'

/** How many of so many items each turn took. */
async function turnsFor(items: number): Promise<number[]> {
  const yielder = new Yielder()
  const taken = [0]
  for (let at = 0; at < items; at++) {
    if (yielder.isDue()) {
      await yielder.yieldNow()
      taken.push(0)
    }
    taken[taken.length - 1] = (taken.at(-1) ?? 0) + 1
  }
  return taken
}

test('a turn takes 100 items, the last one what is left', async () => {
  assert.deepEqual(await turnsFor(100), [100])
  assert.deepEqual(await turnsFor(101), [100, 1])
  assert.deepEqual(await turnsFor(308), [100, 100, 100, 8])
})

test('what waits in the event loop is done before the next turn', async () => {
  let isDone = false
  setImmediate(() => {
    isDone = true
  })
  await new Yielder().yieldNow()
  assert.equal(isDone, true)
})

/** Whether a rest is longer than one iteration of the event loop. */
async function isLong(yielder: Yielder): Promise<boolean> {
  let isPast = false
  setImmediate(() => setImmediate(() => (isPast = true)))
  await yielder.yieldNow()
  return isPast
}

test('a job pauses between its portions, until it is late', async () => {
  const yielder = new Yielder({ ms: 20, atMost: 2 })
  assert.deepEqual([await isLong(yielder), await isLong(yielder)], [true, true])
  assert.deepEqual([await isLong(yielder), await isLong(yielder)], [false, false])
})

test('a job rests no more when its node ends', async () => {
  const ending = new AbortController()
  const yielder = new Yielder({ ms: 20, atMost: 9 }, ending.signal)
  assert.equal(await isLong(yielder), true)
  ending.abort()
  assert.equal(await isLong(yielder), false)
})
