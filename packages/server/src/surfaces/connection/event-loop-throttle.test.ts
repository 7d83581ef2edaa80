// The throttle begins works in order, loses and doubles none, and keeps no queue for long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { eventLoopThrottle } from './event-loop-throttle.ts'

function throttled(minPerIteration = 2, isShedding = false) {
  const done: number[] = []
  const refused: number[] = []
  const clock = { now: 0 }
  const throttle = eventLoopThrottle({
    minPerIteration,
    ...(isShedding ? { shedsBy: () => clock.now } : {}),
  })
  const arrive = (from: number, to = from) => {
    for (let i = from; i <= to; i++) if (!throttle(() => done.push(i))) refused.push(i)
  }
  /** Each takes so many milliseconds. */
  const iterate = async (times: number, ms: number) => {
    for (let i = 0; i < times; i++) {
      clock.now += ms
      await nextIteration()
    }
  }
  return { done, refused, arrive, iterate }
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

test('takes a burst that it can work off within a second [F07]', async () => {
  const { done, refused, arrive, iterate } = throttled(2, true)
  arrive(1, 150)
  for (let at = 151; at < 200; at++) {
    await iterate(1, 10)
    arrive(at)
  }
  await iterate(100, 10)
  assert.deepEqual([done.length, refused.length], [199, 0])
})

test('turns works away while an overload lasts, and loses none [F07]', async () => {
  const { done, refused, arrive, iterate } = throttled(2, true)
  let next = 1
  // Twenty arrive where two can begin, for four seconds.
  for (let i = 0; i < 400; i++) {
    arrive(next, next + 19)
    next += 20
    await iterate(1, 10)
  }
  assert.ok(refused.length > 2 * done.length, `${refused.length} refused, ${done.length} done`)
  const seen = new Set([...done, ...refused])
  assert.equal(seen.size, done.length + refused.length)
  await iterate(2000, 10)
  assert.equal(done.length + refused.length, next - 1, 'none is lost')
  assert.deepEqual(
    done,
    done.toSorted((a, b) => a - b),
  )
  // The queue is empty: what comes now waits and is not refused.
  const before = refused.length
  arrive(next, next + 99)
  assert.equal(refused.length, before)
})

test('turns no work away unless it is asked to [K04]', async () => {
  const { refused, arrive, iterate } = throttled(2)
  for (let at = 1; at < 4000; at += 20) {
    arrive(at, at + 19)
    await iterate(1, 10)
  }
  assert.deepEqual(refused, [])
})

test('begins ten thousand works within two thousand iterations [F07]', async () => {
  const { done, arrive } = throttled()
  arrive(1, 10_000)
  let iterations = 0
  for (; done.length < 10_000; iterations++) await nextIteration()
  assert.ok(iterations <= 2000, `${iterations} iterations`)
})
