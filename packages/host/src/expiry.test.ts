// The lifetime of a token as a table: when to warn, when it ends, and when only the service can
// tell. Contract §5 step 6.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planExpiry } from './expiry.ts'

test('warns a minute before the end, or at once when less time is left', () => {
  assert.deepEqual(planExpiry(3_600_000, 0), { warnInMs: 3_540_000, endInMs: 3_600_000 })
  assert.deepEqual(planExpiry(30_000, 0), { warnInMs: 0, endInMs: 30_000 })
})

test('plans nothing when the end is unknown, or past by a wrong clock', () => {
  assert.equal(planExpiry(null, 0), null)
  assert.equal(planExpiry(1_000, 2_000), null)
})
