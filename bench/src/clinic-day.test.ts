// Tests the shape of a clinic's day: who arrives when, and how long things last in a shorter day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededNumbers } from '../../test/process/launch-load.ts'
import { drawArrivals, planTimes, shareAt } from './clinic-day.ts'

const HOURS = Array.from({ length: 48 }, (_, at) => at / 2)
const HOUR_MS = 3_600_000

test('has its peak at nine o’clock and few arrivals at night', () => {
  const busiest = HOURS.toSorted((a, b) => shareAt(b) - shareAt(a))
  assert.equal(busiest[0], 9)
  assert.equal(shareAt(9), 1)
  assert.ok(shareAt(8.5) > shareAt(8) && shareAt(8.5) < 1)
  assert.ok(HOURS.every((hour) => shareAt(hour) > 0))
  assert.equal(shareAt(23.999).toFixed(2), shareAt(0).toFixed(2))
})

test('draws the same arrivals for the same seed, in order, and others for another', () => {
  const day = { dayMs: HOUR_MS, peak: 5 }
  const draw = (seed: number) => drawArrivals(seededNumbers(seed), day, 0, day.dayMs)
  assert.deepEqual(draw(1), draw(1))
  assert.notDeepEqual(draw(1), draw(2))
  assert.deepEqual(
    draw(1).toSorted((a, b) => a - b),
    draw(1),
  )
})

test('draws as many arrivals as the hours of a day ask for, without a rhythm', () => {
  const day = { dayMs: 24 * HOUR_MS, peak: 1 }
  const arrivals = drawArrivals(seededNumbers(7), day, 0, day.dayMs)
  for (const hour of [3, 9, 12, 20]) {
    const found = arrivals.filter((at) => Math.floor(at / HOUR_MS) === hour).length
    const wanted = (3600 * (shareAt(hour) + shareAt(hour + 1))) / 2
    // Five standard deviations.
    assert.ok(Math.abs(found - wanted) < 5 * Math.sqrt(wanted), `${hour}: ${found} of ${wanted}`)
  }
  const night = drawArrivals(seededNumbers(7), { ...day, peak: 50 }, 0, 4 * HOUR_MS)
  const gaps = night.slice(1).map((at, index) => at - (night[index] ?? 0))
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  // Of independent arrivals, 63 % of the gaps are shorter than their mean; of regular ones, half or all.
  const short = gaps.filter((gap) => gap < mean).length / gaps.length
  assert.ok(short > 0.6 && short < 0.66, `${short}`)
})

test('presses idle times, tokens and shifts into a shorter day', () => {
  const six = planTimes(6 * HOUR_MS)
  assert.deepEqual(six, {
    ...{ idleSeconds: 450, tokenSeconds: 60, maxPageMs: 120_000, shiftMs: HOUR_MS },
  })
  const short = planTimes(180_000)
  assert.equal(short.idleSeconds, 20)
  // A page is closed before its provider counts as gone, and after its token has expired.
  assert.ok(short.maxPageMs < 1000 * 0.75 * short.idleSeconds)
  assert.ok(1000 * short.tokenSeconds < short.maxPageMs)
  assert.ok(planTimes(168 * HOUR_MS).shiftMs * 1.5 < 12 * HOUR_MS)
})
