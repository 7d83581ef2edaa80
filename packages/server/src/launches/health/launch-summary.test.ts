// How wide the bars of launches over time are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideSlotSeconds } from './launch-summary.ts'

test('divides a time into at most sixty bars of a round width', () => {
  const minute = 60_000
  const widths = [1, 20, 60, 24 * 60, 7 * 24 * 60, 90 * 24 * 60].map((minutes) =>
    decideSlotSeconds(minutes * minute, false),
  )
  assert.deepEqual(widths, [10, 30, 60, 1800, 10_800, 172_800])
  assert.equal(decideSlotSeconds(20 * minute, true), 300)
})
