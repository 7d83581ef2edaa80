// What people write for a time, and the moment that it means, in local time and in UTC, over a change of the clock too.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

let parseClockTime: typeof import('./clock-time.ts').parseClockTime
let timeAround: typeof import('./clock-time.ts').timeAround
const zone = process.env.TZ
before(async () => {
  process.env.TZ = 'America/New_York'
  // The module keeps the choice of a zone in the browser.
  Object.assign(globalThis, { localStorage: { getItem: () => null } })
  const module = await import('./clock-time.ts')
  parseClockTime = module.parseClockTime
  timeAround = module.timeAround
})
after(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

/** Monday, March 9, 3 PM in New York; the clocks went forward on Sunday. */
const NOW = Date.parse('2026-03-09T19:00:00Z')

const said = (text: string, choice: 'local' | 'utc' = 'local') => {
  const at = parseClockTime(text, NOW, choice)
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 16)
}

test('takes a time as people say it, the last one that has been', () => {
  for (const [text, moment] of [
    ['9:12 AM', '2026-03-09T13:12'],
    ['around 9:12 a.m.', '2026-03-09T13:12'],
    ['9:12:40 AM EDT', '2026-03-09T13:12'],
    ['09:12', '2026-03-09T13:12'],
    ['2 pm', '2026-03-09T18:00'],
    ['14.30', '2026-03-09T18:30'],
    ['4:30 PM', '2026-03-08T20:30'],
    ['12:05 am', '2026-03-09T04:05'],
    ['12:05 pm', '2026-03-09T16:05'],
    ['yesterday 9:12 AM', '2026-03-08T13:12'],
    ['9:12 AM yesterday', '2026-03-08T13:12'],
    ['Saturday at 9:12 AM', '2026-03-07T14:12'],
    ['monday 4 pm', '2026-03-02T21:00'],
    ['Mar 7, 9:12 AM', '2026-03-07T14:12'],
    ['December 31st 9:12 AM', '2025-12-31T14:12'],
  ] as const) {
    assert.equal(said(text), moment, text)
  }
  assert.equal(said('9:12 AM', 'utc'), '2026-03-09T09:12')
  assert.equal(said('yesterday 21:12', 'utc'), '2026-03-08T21:12')
})

test('takes no words without a time, and no time that no clock shows', () => {
  for (const text of ['', 'this morning', '912', '25:00', '13 pm', '9:60', 'Nov 21', 'Feb 30 9 am'])
    assert.equal(said(text), undefined, text)
})

test('looks ten minutes to both sides', () => {
  const around = timeAround(Date.parse('2026-03-09T13:12:00Z'))
  assert.deepEqual(around, { from: '2026-03-09T13:02:00.000Z', to: '2026-03-09T13:22:00.000Z' })
})
