// How long a page has taken: what the SDK measures for its hello, and that a browser which measures
// nothing, or something else, keeps no app from starting.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measurePage } from './page.ts'

const withEntries = (entries: readonly object[], now = 412.4) =>
  ({ performance: { getEntriesByType: () => entries, now: () => now } }) as never

const ENTRY = { responseStart: 80.6, responseEnd: 90, domContentLoadedEventEnd: 0 }

test('measures the page in whole milliseconds since its navigation', () => {
  assert.deepEqual(measurePage(withEntries([ENTRY])), {
    ...{ responseStartMs: 81, responseEndMs: 90, domContentLoadedMs: 0, helloMs: 412 },
  })
})

test('measures nothing where the browser has no entry or other values', () => {
  const throwing = { getEntriesByType: () => assert.fail('blocked'), now: () => 1 }
  for (const page of [
    {},
    withEntries([]),
    withEntries([{ ...ENTRY, responseStart: undefined }]),
    withEntries([ENTRY], Number.NaN),
    withEntries([{ ...ENTRY, responseEnd: -3 }]),
    { performance: throwing },
  ]) {
    assert.equal(measurePage(page as never), null)
  }
})
