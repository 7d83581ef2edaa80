// Which time the keys and the pointer choose in the histogram of launches, and how it is said.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  barAt,
  describeTime,
  describeWidth,
  moveSelection,
  type Selection,
  timeOfSelection,
} from './time-selection.ts'

const BARS = { first: 1000, slotMs: 10, count: 5 }
const press = (selection: Selection | undefined, key: string, shiftKey = false) =>
  moveSelection(selection, { key, shiftKey }, BARS)

test('moves by a bar from the nearest end, and no further than the bars', () => {
  const last = press(undefined, 'ArrowLeft')
  assert.deepEqual(last, { anchor: 1040, head: 1040 })
  assert.deepEqual(press(undefined, 'ArrowRight'), { anchor: 1000, head: 1000 })
  assert.deepEqual(press(last, 'ArrowRight'), last)
  assert.deepEqual(press(last, 'Home'), { anchor: 1000, head: 1000 })
  assert.equal(press(last, 'x'), undefined)
})

test('widens with Shift, to both sides of where it began', () => {
  const two = press(press(undefined, 'End'), 'ArrowLeft', true)
  assert.ok(two)
  assert.deepEqual(timeOfSelection(two, BARS), { from: 1030, to: 1050 })
  const all = press(two, 'Home', true)
  assert.ok(all)
  assert.deepEqual(timeOfSelection(all, BARS), { from: 1000, to: 1050 })
  assert.deepEqual(press(all, 'ArrowRight'), { anchor: 1010, head: 1010 })
})

test('takes the bar under the pointer, at the edges too', () => {
  assert.deepEqual(
    [-0.1, 0, 0.5, 1].map((share) => barAt(share, BARS)),
    [1000, 1000, 1020, 1040],
  )
})

test('says a time with its launches, and the day of the end when it is another', () => {
  const hour = 3_600_000
  const first = Date.parse('2026-11-26T22:00:00Z')
  const slots = [0, 1, 2, 3].map((k) => ({
    ...{ at: new Date(first + k * hour).toISOString(), launches: 20 * k, failed: k },
  }))
  const says = (from: number, to: number) =>
    describeTime({ from: first + from * hour, to: first + to * hour }, slots, {
      ...{ now: first, timeZone: 'UTC' },
    })
  assert.equal(says(0, 1), 'Nov 26, 10:00 PM to 11:00 PM: 0 launches, 0 failed')
  assert.equal(says(1, 4), 'Nov 26, 11:00 PM to Nov 27, 2:00 AM: 120 launches, 6 failed')
  assert.equal(describeWidth(1800), 'Launches per 30 minutes')
  assert.deepEqual([30, 60, 10_800, 86_400].map(describeWidth), [
    'Launches per 30 seconds',
    'Launches per minute',
    'Launches per 3 hours',
    'Launches per day',
  ])
})
