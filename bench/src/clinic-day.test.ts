// Tests the shape of a clinic's day, and the verdict on a service that was sampled through it. Starts no service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DaySample, judgeDay, shareAt } from './clinic-day.ts'
import { buildDayPicture } from './day-picture.ts'

const HOURS = Array.from({ length: 48 }, (_, at) => at / 2)

test('has its peak at nine o’clock and few arrivals at night', () => {
  const busiest = HOURS.toSorted((a, b) => shareAt(b) - shareAt(a))
  assert.equal(busiest[0], 9)
  assert.equal(shareAt(9), 1)
  assert.ok(shareAt(8.5) > shareAt(8) && shareAt(8.5) < 1)
  assert.ok(HOURS.every((hour) => shareAt(hour) > 0))
  assert.equal(shareAt(23.999).toFixed(2), shareAt(0).toFixed(2))
})

test('passes a day with level memory and descriptors', () => {
  assert.deepEqual(listFailed(buildDay()), [])
})

const FAILURES: Readonly<Record<string, (sample: DaySample) => Partial<DaySample>>> = {
  'memory, evening over afternoon': ({ hour }) => ({ megabytes: 100 + 5 * hour }),
  'descriptors, evening over afternoon': ({ hour }) => ({ descriptors: 30 + 4 * hour }),
  'p99 of an exchange at the busiest': () => ({ p99Ms: 251 }),
  'served of the arrivals at the busiest': ({ asked }) => ({ served: asked * 0.89 }),
}

for (const [name, change] of Object.entries(FAILURES)) {
  test(`fails a day by its ${name}`, () => {
    const day = buildDay().map((sample) => ({ ...sample, ...change(sample) }))
    assert.deepEqual(listFailed(day), [name])
  })
}

test('fails a day that ended early, and draws what there is of it', () => {
  const morning = buildDay().slice(0, 20)
  assert.deepEqual(listFailed(morning, 'a token was lost'), [
    'every arrival as expected, no token lost',
  ])
  const picture = buildDayPicture(morning)
  assert.match(picture, /Resident memory, MB/)
  assert.doesNotMatch(picture, /NaN|Infinity|undefined/)
})

const listFailed = (samples: readonly DaySample[], failure?: string) =>
  judgeDay(samples, failure)
    .filter(({ isGood }) => !isGood)
    .map(({ name }) => name)

function buildDay(): DaySample[] {
  return HOURS.map((hour) => ({
    ...{ hour, arrivals: 10, asked: 25 * shareAt(hour), served: 25 * shareAt(hour) },
    ...{ p50Ms: 2, p99Ms: 9, megabytes: 130, descriptors: 30, rows: { launches: 100 * hour } },
  }))
}
