// The judgement of a token and of its lifetime, as tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeToken, planExpiry } from './token-verdict.ts'

test('accepts a live token of the launch', () => {
  const token = { active: true, launchId: 'lau_1', expiresAt: 5_000 }
  assert.deepEqual(judgeToken(token, 'lau_1'), { accepted: true, expiresAt: 5_000 })
})

for (const [token, code] of [
  [{ active: false, launchId: null, expiresAt: null }, 'TOKEN_REJECTED'],
  [{ active: false, launchId: 'lau_1', expiresAt: 5_000 }, 'TOKEN_REJECTED'],
  [{ active: true, launchId: 'lau_2', expiresAt: 5_000 }, 'LAUNCH_MISMATCH'],
  [{ active: true, launchId: null, expiresAt: 5_000 }, 'LAUNCH_MISMATCH'],
] as const) {
  test(`answers ${code} to ${JSON.stringify(token)} [L05]`, () => {
    const verdict = judgeToken(token, 'lau_1')
    assert.equal(!verdict.accepted && verdict.code, code)
  })
}

test('warns a minute before the end, or at once when less is left', () => {
  assert.deepEqual(planExpiry(3_600_000, 0), { warnInMs: 3_540_000, endInMs: 3_600_000 })
  assert.deepEqual(planExpiry(30_000, 0), { warnInMs: 0, endInMs: 30_000 })
})

test('plans nothing when the end is unknown, or past by a clock that must be wrong', () => {
  assert.equal(planExpiry(null, 0), null)
  assert.equal(planExpiry(1_000, 2_000), null)
})
