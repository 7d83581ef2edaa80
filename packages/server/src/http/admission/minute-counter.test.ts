// How many log lines or bodies of a caller are admitted in a minute.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteCounter } from './minute-counter.ts'

test('admits one line a minute of a caller, with the number of those left out [V05]', () => {
  const counter = minuteCounter()
  const lines = (now: number, count: number) =>
    Array.from({ length: count }, () => counter.allow('a', now, 1)).filter(
      ({ isAllowed }) => isAllowed,
    )
  assert.deepEqual(lines(0, 500), [{ isAllowed: true, suppressed: 0 }])
  assert.deepEqual(lines(59_999, 500), [])
  assert.deepEqual(lines(60_000, 500), [{ isAllowed: true, suppressed: 999 }])
  assert.deepEqual(counter.allow('b', 60_000, 1), { isAllowed: true, suppressed: 0 })
})

test('tells how many were left out once, and not again in each later minute [V05]', () => {
  const counter = minuteCounter()
  const first = (now: number) => counter.allow('a', now, 1).suppressed
  assert.deepEqual([first(0), first(1)], [0, 1])
  assert.deepEqual([first(60_000), first(120_000)], [1, 0])
})

test('holds a bounded number of callers in memory [V01]', () => {
  const counter = minuteCounter()
  for (let i = 0; i < 25_000; i++) assert.equal(counter.allow(String(i), 0, 1).isAllowed, true)
  assert.equal(counter.allow('24999', 0, 1).isAllowed, false)
  assert.equal(counter.allow('0', 0, 1).isAllowed, true, 'the first of so many is forgotten')
})

test('begins a new minute after the clock was set back', () => {
  const counter = minuteCounter()
  assert.equal(counter.allow('a', 1_000_000, 1).isAllowed, true)
  assert.equal(counter.allow('a', 0, 1).isAllowed, true)
})
