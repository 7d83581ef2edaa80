// The lifetime of a token as a table: when to warn, when it ends, and when only the service can
// tell. Contract §5 step 6.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEnd, planExpiry } from './expiry.ts'

test('warns a minute before the end, or at once when less time is left', () => {
  assert.deepEqual(planExpiry(3_600_000, 0), { warnInMs: 3_540_000, endInMs: 3_600_000 })
  assert.deepEqual(planExpiry(30_000, 0), { warnInMs: 0, endInMs: 30_000 })
})

test('plans nothing when the end is unknown, or past by a wrong clock', () => {
  assert.equal(planExpiry(null, 0), null)
  assert.equal(planExpiry(1_000, 2_000), null)
})

test('finds the end of a token on a computer whose clock is wrong', () => {
  const token = { expiresAt: 3_600_000, lifetimeMs: 3_600_000 }
  const openedAt = -2_000
  const now = 3_000
  assert.equal(findEnd(token, openedAt, now), 3_600_000, 'right')
  const late = { ...token, expiresAt: 10_000 }
  assert.equal(findEnd(late, openedAt, now), 3_598_000, 'an hour ahead: no launch after launch')
  const early = { ...token, expiresAt: 7_200_000 }
  assert.equal(findEnd(early, openedAt, now), 3_603_000, 'an hour behind')
  assert.equal(findEnd({ ...token, lifetimeMs: null }, openedAt, now), 3_600_000)
  assert.equal(findEnd({ ...token, expiresAt: null }, openedAt, now), null)
})
