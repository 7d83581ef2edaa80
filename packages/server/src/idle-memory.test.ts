// When an idle process hands memory back: after its start, and after work once it has had a long break.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idleRule, type Look } from './idle-memory.ts'

/** Looks of half a second each, as the process takes them. */
const BUSY: Look = { active: 300, idle: 200 }
/** Background jobs alone. */
const QUIET: Look = { active: 1, idle: 499 }
const MINUTE_OF_LOOKS = 120

const countDue = (isDue: (look: Look) => boolean, look: Look, times: number) =>
  Array.from({ length: times }).filter(() => isDue(look)).length

test('collects once at the first quiet moment after a start', () => {
  const isDue = idleRule()
  assert.equal(isDue(BUSY), false, 'requests came at once')
  assert.equal(isDue(QUIET), true)
  assert.equal(countDue(isDue, QUIET, 20 * MINUTE_OF_LOOKS), 1, 'in twenty minutes of jobs alone')
})

test('collects after work only once a break of two minutes began', () => {
  const isDue = idleRule()
  isDue(QUIET)
  assert.equal(countDue(isDue, BUSY, MINUTE_OF_LOOKS), 0, 'under load')
  assert.equal(countDue(isDue, QUIET, 2 * MINUTE_OF_LOOKS - 1), 0, 'in a short break')
  assert.equal(isDue(QUIET), true)
})

test('begins the break anew with every request burst, and leaves little work alone', () => {
  const isDue = idleRule()
  isDue(QUIET)
  isDue(BUSY)
  assert.equal(countDue(isDue, QUIET, 3 * MINUTE_OF_LOOKS), 0, 'a third of a second of work')
  for (let burst = 0; burst < 10; burst++) {
    isDue(BUSY)
    assert.equal(countDue(isDue, QUIET, MINUTE_OF_LOOKS), 0, `after burst ${burst}`)
  }
  assert.equal(countDue(isDue, QUIET, MINUTE_OF_LOOKS), 1)
})
