// The decision on a token as a table.
// Contract §5 step 5; security L05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideToken } from './token-verdict.ts'

test('accepts a live token of the launch', () => {
  const token = { active: true, launchId: 'lnch_1', expiresAt: 5_000 }
  assert.deepEqual(decideToken(token, 'lnch_1'), { accepted: true, expiresAt: 5_000 })
})

for (const [token, code] of [
  [{ active: false, launchId: null, expiresAt: null }, 'TOKEN_REJECTED'],
  [{ active: false, launchId: 'lnch_1', expiresAt: 5_000 }, 'TOKEN_REJECTED'],
  [{ active: true, launchId: 'lnch_2', expiresAt: 5_000 }, 'LAUNCH_MISMATCH'],
  [{ active: true, launchId: null, expiresAt: 5_000 }, 'LAUNCH_MISMATCH'],
] as const) {
  test(`answers ${code} to a ${token.active ? 'live' : 'dead'} token of ${token.launchId} [L05]`, () => {
    const verdict = decideToken(token, 'lnch_1')
    assert.equal(!verdict.accepted && verdict.code, code)
  })
}
