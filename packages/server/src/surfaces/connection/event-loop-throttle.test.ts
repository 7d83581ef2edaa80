// The throttle begins works in order, loses and doubles none, and keeps no queue for long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { eventLoopThrottle } from './event-loop-throttle.ts'

function throttled(minPerIteration = 2) {
  const done: number[] = []
  const throttle = eventLoopThrottle({ minPerIteration })
  const arrive = (from: number, to = from) => {
    for (let i = from; i <= to; i++) throttle(() => done.push(i))
  }
  return { done, arrive }
}

test('a work that arrives alone begins at once', async () => {
  const { done, arrive } = throttled()
  arrive(1)
  assert.deepEqual(done, [1])
  await nextIteration()
  arrive(2, 3)
  assert.deepEqual(done, [1, 2, 3])
})

test('begins two works in an iteration, in order, each once [K04]', async () => {
  const { done, arrive } = throttled()
  arrive(1, 7)
  assert.deepEqual(done, [1, 2])
  await nextIteration()
  assert.deepEqual(done, [1, 2, 3, 4])
  arrive(8)
  for (let i = 0; i < 5; i++) await nextIteration()
  assert.deepEqual(done, [1, 2, 3, 4, 5, 6, 7, 8])
  arrive(9)
  assert.equal(done.at(-1), 9)
})

test('begins as many works in an iteration as is set [K04]', async () => {
  const { done, arrive } = throttled(24)
  arrive(1, 60)
  assert.equal(done.length, 24)
  await nextIteration()
  assert.equal(done.length, 48)
  await nextIteration()
  assert.equal(done.length, 60)
})

test('begins ten thousand works within two thousand iterations [F07]', async () => {
  const { done, arrive } = throttled()
  arrive(1, 10_000)
  let iterations = 0
  for (; done.length < 10_000; iterations++) await nextIteration()
  assert.ok(iterations <= 2000, `${iterations} iterations`)
})
