// The clock of a node by its rules alone: the database's time and the monotonic clock decide, whatever the
// clock of the machine says. A clock that is set, a machine that sleeps, a slow answer. Security V13.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClockFault, databaseClock } from './database-clock.ts'

const DAY_MS = 86_400_000
const START = Date.parse('2026-03-01T12:00:00Z')

/** A node, its machine and the database, each clock in the hands of the test. */
function startNode(isShared: boolean) {
  const clocks = { wall: START, monotonic: 1000, uptime: 9000, database: START }
  const faults: (ClockFault['kind'] | 'right')[] = []
  const reading = (tookMs = 0) => ({
    databaseTime: clocks.database,
    sentAt: clocks.monotonic - tookMs,
    receivedAt: clocks.monotonic,
  })
  const clock = databaseClock(
    {
      wall: () => clocks.wall,
      monotonic: () => clocks.monotonic,
      uptime: () => clocks.uptime,
    },
    { maxOffsetMs: 2000, isShared },
    reading(),
    (fault) => faults.push(fault?.kind ?? 'right'),
  )
  return {
    clocks,
    clock,
    faults,
    pass(ms: number) {
      for (const name of ['wall', 'monotonic', 'uptime', 'database'] as const) clocks[name] += ms
    },
    check: (tookMs = 0) => clock.take(reading(tookMs)),
  }
}

test('goes by the database while the clock of the machine is set and set back [V13]', () => {
  const { clocks, clock, faults, pass, check } = startNode(true)
  check()
  for (const by of [30 * DAY_MS, 3_600_000, -3_600_000, 2100]) {
    clocks.wall += by
    assert.equal(clock.hasJumped(), true, 'the next request asks the database')
    pass(500)
    check()
    assert.equal(clock.now(), clocks.database)
    assert.equal(clock.offsetMs(), by)
    assert.deepEqual(clock.findFault(), { kind: 'offset', offsetMs: by })
    assert.equal(clock.mayDelete(), false)
    clocks.wall -= by
    check()
    assert.equal(clock.findFault(), undefined)
    assert.equal(clock.mayDelete(), true)
  }
  assert.deepEqual(faults, Array(4).fill(['offset', 'right']).flat())
})

test('allows two seconds, and more by as much as a slow answer leaves open', () => {
  const { clocks, clock, check } = startNode(true)
  clocks.wall += 1999
  check()
  assert.equal(clock.findFault(), undefined)
  clocks.wall += 1400
  // The middle of the answer is a second back; the database read its clock up to a second earlier or later.
  check(2000)
  assert.equal(clock.offsetMs(), 2399)
  assert.equal(clock.findFault(), undefined)
  check()
  assert.equal(clock.findFault()?.kind, 'offset')
})

test('follows the database after a sleep of the machine and never goes back a little', () => {
  const { clocks, clock, pass, check } = startNode(true)
  check()
  for (const name of ['wall', 'uptime', 'database'] as const) clocks[name] += 8 * 3_600_000
  assert.equal(clock.hasJumped(), true)
  check()
  assert.equal(clock.now(), clocks.database)
  assert.equal(clock.findFault(), undefined)
  clocks.database -= 40
  check()
  assert.equal(clock.now(), clocks.database + 40)
  pass(100)
  assert.equal(clock.now(), clocks.database)
})

test('an embedded database: notices a clock that is set, and believes it later [V13]', () => {
  const { clocks, clock, faults, pass, check } = startNode(false)
  check()
  for (const name of ['wall', 'database'] as const) clocks[name] += 30 * DAY_MS
  assert.equal(clock.hasJumped(), true)
  check()
  assert.deepEqual(clock.findFault(), { kind: 'step', offsetMs: 30 * DAY_MS })
  assert.equal(clock.now(), START, 'no sign-in ends by it')
  assert.equal(clock.mayDelete(), false)
  pass(14_000)
  check()
  assert.equal(clock.now(), START + 14_000)
  pass(1000)
  check()
  assert.equal(clock.findFault(), undefined)
  assert.equal(clock.now(), clocks.database)
  assert.equal(clock.mayDelete(), false, 'an operator can still set it right')
  pass(10 * 60_000)
  check()
  assert.equal(clock.mayDelete(), true)
  assert.deepEqual(faults, ['step', 'right'])
})

test('an embedded database: a clock that is set back at once has changed nothing', () => {
  const { clocks, clock, pass, check } = startNode(false)
  check()
  for (const by of [3_600_000, -3_600_000]) {
    for (const name of ['wall', 'database'] as const) clocks[name] += by
    pass(1000)
    check()
    assert.equal(clock.now(), START + (by > 0 ? 1000 : 2000))
  }
  assert.equal(clock.findFault(), undefined)
  assert.equal(clock.mayDelete(), true)
})

test('an embedded database: the sleep of a machine is time that has passed', () => {
  const { clocks, clock, faults, check } = startNode(false)
  check()
  for (const name of ['wall', 'uptime', 'database'] as const) clocks[name] += 8 * 3_600_000
  check()
  assert.equal(clock.now(), clocks.database)
  assert.deepEqual(faults, [])
})

test('leaves its time alone for a difference that is the jitter of two right clocks', () => {
  const { clocks, clock, pass, check } = startNode(true)
  check()
  const before = clock.now()
  clocks.database += 5
  check()
  assert.equal(clock.now(), before)
  clocks.database += 1
  check()
  assert.equal(clock.now(), before + 6)
  pass(10)
  assert.equal(clock.now(), before + 16)
})
