// Tests the measure of idle processors on made-up counters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openIdleMeter } from './idle-processors.ts'

const processor = (user: number, idle: number) => ({
  times: { user, idle, nice: 0, sys: 0, irq: 0 },
})

test('tells how many processors were idle since the last look', () => {
  const looks = [
    [processor(0, 0), processor(0, 0)],
    [processor(100, 0), processor(50, 50)],
    [processor(200, 0), processor(150, 50)],
  ]
  const meter = openIdleMeter(() => looks.shift() ?? [], 2)
  assert.equal(meter.take(), 0.5)
  assert.equal(meter.take(), 0)
})

test('calls none idle for a process that may not use all, or at once', () => {
  let passed = 0
  const read = () => [processor(0, passed), processor(0, passed)]
  const limited = openIdleMeter(read, 1)
  const whole = openIdleMeter(read, 2)
  assert.equal(whole.take(), 0)
  passed = 100
  assert.deepEqual([limited.take(), whole.take()], [0, 2])
})
