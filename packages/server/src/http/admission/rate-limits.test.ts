// What a node remembers of the callers that are over a limit; the counters themselves are tested on two
// nodes in test/rate-limit.story.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../db/database.ts'
import type { Statement } from '../../db/sql.ts'
import { rateLimits } from './rate-limits.ts'

/** Every count is beyond every limit. */
const alwaysOver = {
  write: async (...statements: readonly Statement[]) =>
    statements.map(({ args: [key] }) => [{ key, count: 1_000_000, window_ends_at: 60_000 }]),
} as unknown as Database

test('holds a bounded number of refused callers in memory [V05]', async () => {
  const limits = rateLimits(alwaysOver)
  const caller = (i: number) => ({ address: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}` })
  for (let i = 0; i < 10_001; i++) {
    await assert.rejects(limits.count(caller(i), 0, 'authorize'), { code: 'rate_limited' })
  }
  assert.ok(limits.findRefusal(caller(10_000), 0, 'authorize'))
  assert.equal(limits.findRefusal(caller(0), 0, 'authorize'), undefined, 'the counter still holds')
})
