// Times and durations as the page shows them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, formatTime, formatUtc } from './times.ts'

test('writes a duration in the unit that fits', () => {
  const written = [0, 6, 999, 1_396, 10_107, 59_960, 125_000].map(formatDuration)
  assert.deepEqual(written, ['0 ms', '6 ms', '999 ms', '1.4 s', '10.1 s', '1 min 0 s', '2 min 5 s'])
})

test('writes a time with its zone, and UTC for the tooltip', () => {
  const at = Date.UTC(2026, 10, 21, 23, 21, 24, 107)
  assert.match(formatTime(at), /^\d{1,2}:21:24\s[AP]M \S+$/)
  assert.equal(formatUtc(at), '2026-11-21T23:21:24.107Z')
})
