// Tests when a worker that ended starts again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planRestart } from './worker-supervisor.ts'

test('a worker that ends again and again stays away longer, up to a limit', () => {
  let failures = 0
  const delays = Array.from({ length: 9 }, () => {
    const plan = planRestart(failures, 1000)
    failures = plan.failures
    return plan.delayMs
  })
  assert.deepEqual(delays.slice(0, 4), [250, 500, 1000, 2000])
  assert.equal(delays.at(-1), 30_000)
})

test('a worker that ran for a minute starts again at once', () => {
  assert.deepEqual(planRestart(8, 60_000), { failures: 1, delayMs: 250 })
})
