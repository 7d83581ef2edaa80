// The concurrency limiter: order, bounds in number and time, and no slot is ever lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter.ts'

class Refused extends Error {}

const limiterOf = (limits: Partial<ConcurrencyLimits>) =>
  new ConcurrencyLimiter({
    maxRunning: 1,
    maxQueued: 10,
    buildRefusal: () => new Refused(),
    ...limits,
  })

/** Work that runs until the test ends it. */
function pendingWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { work: () => promise, end: () => resolve('done'), fail: () => reject(new Error('mine')) }
}

test('runs the bounded number at a time, and the next in order as one ends or fails', async () => {
  const limiter = limiterOf({ maxRunning: 2, maxQueueMs: 5000 })
  const begun: number[] = []
  const works = [pendingWork(), pendingWork(), pendingWork(), pendingWork()]
  const results = works.map(({ work }, i) =>
    limiter.run(() => {
      begun.push(i)
      return work()
    }),
  )
  await nextIteration()
  assert.deepEqual(begun, [0, 1])
  works[1]?.fail()
  await assert.rejects(Promise.resolve(results[1]), /mine/)
  await nextIteration()
  assert.deepEqual(begun, [0, 1, 2])
  works[0]?.end()
  works[2]?.end()
  works[3]?.end()
  assert.deepEqual(await Promise.all([results[0], results[2], results[3]]), Array(3).fill('done'))
  assert.equal(await limiter.run(async () => 'free again'), 'free again')
})

test('refuses at once when the queue is full, and after the maximum wait [F07]', async () => {
  const limiter = limiterOf({ maxQueued: 1, maxQueueMs: 50 })
  const first = pendingWork()
  const running = limiter.run(first.work)
  const queued = limiter.run(async () => 'too late')
  const startedAt = performance.now()
  await assert.rejects(
    limiter.run(async () => 'no room'),
    Refused,
  )
  assert.ok(performance.now() - startedAt < 40)
  await assert.rejects(queued, Refused)
  first.end()
  await running
  assert.equal(await limiter.run(async () => 'the slot is free'), 'the slot is free')
})

test('runs resumed work before new work, and never refuses it [F07]', async () => {
  const limiter = limiterOf({ maxQueued: 1, maxQueueMs: 5000 })
  const first = pendingWork()
  const order: string[] = []
  const record = (name: string) => async () => void order.push(name)
  const all = [
    limiter.run(first.work),
    limiter.run(record('new')),
    limiter.run(record('resumed'), 'resumed'),
    limiter.run(record('resumed too'), 'resumed'),
  ]
  await nextIteration()
  first.end()
  await Promise.all(all)
  assert.deepEqual(order, ['resumed', 'resumed too', 'new'])
})

test('without a maximum wait a queued call waits until it runs', async () => {
  const limiter = limiterOf({ maxQueued: 1 })
  const first = pendingWork()
  const running = limiter.run(first.work)
  const queued = limiter.run(async () => 'ran')
  await assert.rejects(
    limiter.run(async () => 'no room'),
    Refused,
  )
  first.end()
  assert.deepEqual(await Promise.all([running, queued]), ['done', 'ran'])
})
