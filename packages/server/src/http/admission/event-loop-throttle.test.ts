// A crowd is taken up in portions, in order; none is lost or doubled, and no crowd waits for long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventLoopThrottle } from './event-loop-throttle.ts'

function door() {
  const done: number[] = []
  const take = eventLoopThrottle()
  const arrive = (from: number, to = from) => {
    for (let i = from; i <= to; i++) take(() => done.push(i))
  }
  return { done, arrive }
}

test('who comes alone does not wait', async () => {
  const { done, arrive } = door()
  arrive(1)
  assert.deepEqual(done, [1])
  await nextTurn()
  arrive(2, 3)
  assert.deepEqual(done, [1, 2, 3])
})

test('a crowd is taken up two in a turn, in order, each once [K04]', async () => {
  const { done, arrive } = door()
  arrive(1, 7)
  assert.deepEqual(done, [1, 2])
  await nextTurn()
  assert.deepEqual(done, [1, 2, 3, 4])
  arrive(8)
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  assert.deepEqual(done, [1, 2, 3, 4, 5, 6, 7, 8])
  arrive(9)
  assert.equal(done.at(-1), 9)
})

test('a crowd of ten thousand is through within two thousand turns [F07]', async () => {
  const { done, arrive } = door()
  arrive(1, 10_000)
  let turns = 0
  for (; done.length < 10_000; turns++) await nextTurn()
  assert.ok(turns <= 2000, `${turns} turns`)
})
