// The partition of an account: never the number of rows without one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partChars, partOf, partOfId } from './partitions.ts'

test('gives no account the part of rows without one', () => {
  const seen = new Set<number>()
  for (let i = 0; i < 150_000; i++) seen.add(partOf(`acc_${i}`))
  const parts = [...seen].sort((a, b) => a - b)
  assert.deepEqual([parts[0], parts.at(-1)], [1, 32_767])
  for (const part of [1, 32, 1_023, 32_767]) {
    assert.equal(partOfId(`ses_0123456789${partChars(part)}abc`), part)
  }
})
