// The text of the changes of a chart: what was appended last of a change counts. Contract §11.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatChartChange, parseChartChanges } from './chart-changes.ts'

test('reads back each change with its first time and its last report', () => {
  const text = [
    { change: 1, handled: 'cover', at: 10 },
    { change: 2, handled: 'returned', shownMs: 0, at: 20 },
    { change: 1, handled: 'cover', shownMs: 90, at: 100 },
  ] as const
  assert.deepEqual(parseChartChanges(text.map(formatChartChange).join('')), [
    { change: 1, handled: 'cover', at: 10, shownMs: 90 },
    { change: 2, handled: 'returned', at: 20, shownMs: 0 },
  ])
  assert.deepEqual(parseChartChanges(undefined), [])
})
