// Times that callers write: RFC 3339 with a zone, and only days that exist. Contract §1.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRfc3339 } from './time.ts'

const NOON = Date.UTC(2028, 1, 29, 12)

for (const text of [
  '2028-02-29T12:00:00Z',
  '2028-02-29T12:00:00.000Z',
  '2028-02-29T14:00:00+02:00',
  '2028-02-28T23:30:00.0-12:30',
]) {
  test(`reads ${text}`, () => {
    assert.equal(parseRfc3339(text), NOON)
  })
}

for (const text of [
  ...['', 'soon', '2028-02-29', '2028-02-29T12:00:00', '2028-02-29 12:00:00Z', '1835438400000'],
  ...[
    '2028-02-30T12:00:00Z',
    '2027-02-29T12:00:00Z',
    '2028-13-01T12:00:00Z',
    '2028-02-00T12:00:00Z',
  ],
  ...['2028-02-29T25:00:00Z', '2028-02-29T12:60:00Z', '2028-02-29T12:00:00+99:00'],
]) {
  test(`takes ${JSON.stringify(text)} for no time`, () => {
    assert.equal(parseRfc3339(text), undefined)
  })
}
