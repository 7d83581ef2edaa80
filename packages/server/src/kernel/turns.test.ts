// The turns of a long calculation: requests are answered between them, and a job that is late rests no more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from './turns.ts'

/** How many of so many items each turn took. */
async function turnsFor(items: number): Promise<number[]> {
  const turns = new Turns()
  const taken = [0]
  for (let at = 0; at < items; at++) {
    if (turns.isFull()) {
      await turns.rest()
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
  await new Turns().rest()
  assert.equal(isDone, true)
})

/** Whether a rest is longer than one iteration of the event loop. */
async function isLong(turns: Turns): Promise<boolean> {
  let isPast = false
  setImmediate(() => setImmediate(() => (isPast = true)))
  await turns.rest()
  return isPast
}

test('a job rests between its turns, until it is late', async () => {
  const turns = new Turns({ ms: 20, atMost: 2 })
  assert.deepEqual([await isLong(turns), await isLong(turns)], [true, true])
  assert.deepEqual([await isLong(turns), await isLong(turns)], [false, false])
})

test('a job rests no more when its node ends', async () => {
  const ending = new AbortController()
  const turns = new Turns({ ms: 20, atMost: 9 }, ending.signal)
  assert.equal(await isLong(turns), true)
  ending.abort()
  assert.equal(await isLong(turns), false)
})
