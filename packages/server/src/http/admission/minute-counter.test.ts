// How many log lines or bodies of a caller are admitted in a minute.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteCounter } from './minute-counter.ts'

test('admits one line a minute of a caller, with the number of those left out [V05]', () => {
  const counter = minuteCounter()
  const lines = (now: number, count: number) =>
    Array.from({ length: count }, () => counter.admit('a', now, 1)).filter(
      ({ isAdmitted }) => isAdmitted,
    )
  assert.deepEqual(lines(0, 500), [{ isAdmitted: true, leftOut: 0 }])
  assert.deepEqual(lines(59_999, 500), [])
  assert.deepEqual(lines(60_000, 500), [{ isAdmitted: true, leftOut: 999 }])
  assert.deepEqual(counter.admit('b', 60_000, 1), { isAdmitted: true, leftOut: 0 })
})

test('tells how many were left out once, and not again in each later minute [V05]', () => {
  const counter = minuteCounter()
  const first = (now: number) => counter.admit('a', now, 1).leftOut
  assert.deepEqual([first(0), first(1)], [0, 1])
  assert.deepEqual([first(60_000), first(120_000)], [1, 0])
})

test('holds a bounded number of callers in memory [V01]', () => {
  const counter = minuteCounter()
  for (let i = 0; i < 25_000; i++) assert.equal(counter.admit(String(i), 0, 1).isAdmitted, true)
  assert.equal(counter.admit('24999', 0, 1).isAdmitted, false)
  assert.equal(counter.admit('0', 0, 1).isAdmitted, true, 'the first of so many is forgotten')
})

test('begins a new minute after the clock was set back', () => {
  const counter = minuteCounter()
  assert.equal(counter.admit('a', 1_000_000, 1).isAdmitted, true)
  assert.equal(counter.admit('a', 0, 1).isAdmitted, true)
})
