// What the dialog says before a secret is retired: the only one, one beside a secret that no server sends, one that was
// replaced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientSecret } from '@chartside/protocol/payloads'
import { describeRetire } from './secret-words.ts'

const NOW = Date.parse('2026-11-27T18:00:00Z')
const secretOf = (
  id: string,
  lastUsedAt: string | null,
  expiresAt: string | null = null,
): ClientSecret => ({
  ...{ id, label: id, createdAt: '2026-01-01T00:00:00Z' },
  ...{ lastUsedAt, expiresAt, retiresAt: null },
})
const formatTime = (at: number) => new Date(at).toISOString().slice(11, 16)
const old = secretOf('Old', '2026-11-27T17:50:00Z')
const describe = (others: readonly ClientSecret[], one = old) =>
  describeRetire(one, [one, ...others], NOW, formatTime)

test('warns before the only secret that works is retired', () => {
  const expired = secretOf('Expired', null, '2026-11-01T00:00:00Z')
  const retired = { ...secretOf('Retired', null), retiresAt: '2026-11-01T00:00:00Z' }
  for (const others of [[], [expired, retired]]) {
    const { used, others: text, isRisky } = describe(others)
    assert.equal(used, 'It was used last at 17:50.')
    assert.deepEqual([text, isRisky], ['No other secret of the app works.', true])
  }
})

test('says that no server sends the other secret', () => {
  const { others, isRisky } = describe([secretOf('New', null)])
  assert.match(others, /^“New” works too, but it was never used/)
  assert.equal(isRisky, true)
})

test('does not warn once the other secret is in use, or of one never used', () => {
  const used = secretOf('New', '2026-11-27T17:55:00Z')
  const text = '“New” works too. It was used last at 17:55.'
  assert.deepEqual(describe([used]), {
    used: 'It was used last at 17:50.',
    others: text,
    isRisky: false,
  })
  assert.equal(describe([secretOf('New', null)], secretOf('Old', null)).isRisky, false)
})
