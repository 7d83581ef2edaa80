// When a rollout goes on by itself: time, share and count of launches decide, at their bounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideWidening } from './rollout.ts'

const at = 1_000_000
const WEEK_MS = 7 * 86_400_000
const plan = { at, readyPercent: 98 }

test('goes to all at its time, when enough launches are as ready as was asked', () => {
  const good = { ready: 98, failed: 2 }
  assert.equal(decideWidening(plan, good, at - 1), 'wait')
  assert.equal(decideWidening(plan, good, at), 'widen')
  assert.equal(decideWidening({ at, readyPercent: 100 }, { ready: 20, failed: 0 }, at), 'widen')
})

test('stops as soon as too few launches are ready, before its time too', () => {
  assert.equal(decideWidening(plan, { ready: 97, failed: 3 }, at - 1), 'stop')
  assert.equal(decideWidening(plan, { ready: 97, failed: 3 }, at), 'stop')
})

test('waits a week at most for enough launches', () => {
  assert.equal(decideWidening(plan, { ready: 0, failed: 19 }, at - 1), 'wait')
  assert.equal(decideWidening(plan, { ready: 19, failed: 0 }, at + WEEK_MS), 'wait')
  assert.equal(decideWidening(plan, { ready: 19, failed: 0 }, at + WEEK_MS + 1), 'stop')
})
