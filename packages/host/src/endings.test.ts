// The words of an end: a launch that never had a token reads otherwise than one whose access was taken
// back, for the person and for the developer. Contract §3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainEnd } from './endings.ts'

test('does not speak of an end of access where there was no token', () => {
  for (const reason of ['expired', 'revoked'] as const) {
    const before = explainEnd(reason, { hadToken: false })
    const after = explainEnd(reason, { hadToken: true })
    assert.notEqual(before.developer, after.developer)
    assert.match(before.developer, /before the app got a token|without a token/)
    assert.match(before.person, /opened/)
    assert.doesNotMatch(before.person, /access/)
  }
})

test('has the same words for the other ends, with a token or without', () => {
  for (const reason of [
    'signed_out',
    'idle',
    'app_disabled',
    'account_closed',
    'closed',
  ] as const) {
    assert.deepEqual(
      explainEnd(reason, { hadToken: false }),
      explainEnd(reason, { hadToken: true }),
    )
  }
})
