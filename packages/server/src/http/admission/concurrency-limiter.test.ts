// The line of requests: in order, bounded in number and time, and no place is ever lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../db/database.ts'
import { concurrencyLimiter } from './concurrency-limiter.ts'

/** Work that goes on until it is told to end. */
function lasting() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { work: () => promise, end: () => resolve('done'), fail: () => reject(new Error('mine')) }
}

test('lets so many in, and the next in order as one ends or fails', async () => {
  const runLimited = concurrencyLimiter({ atWork: 2, waiting: 10, waitMs: 5000 })
  const begun: number[] = []
  const works = [lasting(), lasting(), lasting(), lasting()]
  const results = works.map(({ work }, i) =>
    runLimited(() => {
      begun.push(i)
      return work()
    }),
  )
  await turn()
  assert.deepEqual(begun, [0, 1])
  works[1]?.fail()
  await assert.rejects(Promise.resolve(results[1]), /mine/)
  await turn()
  assert.deepEqual(begun, [0, 1, 2])
  works[0]?.end()
  works[2]?.end()
  works[3]?.end()
  assert.deepEqual(await Promise.all([results[0], results[2], results[3]]), Array(3).fill('done'))
  assert.equal(await runLimited(async () => 'free again'), 'free again')
})

test('turns away at once when the line is full, and in time when nobody ends [F07]', async () => {
  const runLimited = concurrencyLimiter({ atWork: 1, waiting: 1, waitMs: 50 })
  const first = lasting()
  const working = runLimited(first.work)
  const waiting = runLimited(async () => 'too late')
  const isBusy = (error: unknown) =>
    error instanceof DatabaseUnavailable && error.trouble === 'busy'
  const began = performance.now()
  await assert.rejects(
    runLimited(async () => 'no room'),
    isBusy,
  )
  assert.ok(performance.now() - began < 40)
  await assert.rejects(waiting, isBusy)
  first.end()
  await working
  assert.equal(await runLimited(async () => 'its place went to nobody'), 'its place went to nobody')
})

test('who has had a turn goes on before those who begin, and is never turned away', async () => {
  const runLimited = concurrencyLimiter({ atWork: 1, waiting: 1, waitMs: 5000 })
  const first = lasting()
  const order: string[] = []
  const note = (what: string) => async () => void order.push(what)
  const all = [
    runLimited(first.work),
    runLimited(note('begins')),
    runLimited(note('goes on'), 'goes on'),
    runLimited(note('goes on too'), 'goes on'),
  ]
  await turn()
  first.end()
  await Promise.all(all)
  assert.deepEqual(order, ['goes on', 'goes on too', 'begins'])
})
