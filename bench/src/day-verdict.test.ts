// Tests the verdict on a service that was sampled through a clinic's day, and that a day can be drawn. Starts no
// service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareAt } from './clinic-day.ts'
import { buildDayPicture } from './day-picture.ts'
import { type Day, type DaySample, type Holdings, judgeDay } from './day-verdict.ts'

const HOLDINGS: Holdings = {
  ...{ megabytes: 130, heapMegabytes: 40, loopP99Ms: 12, auditLagSeconds: 31, descriptors: 30 },
  ...{ databaseMegabytes: 20, logMegabytes: 4, rows: { launches: 5000 }, overdue: 0 },
}
const SAMPLES = Array.from({ length: 48 }, (_, at): DaySample => {
  const hour = at / 2
  const arrivals = Math.round(1000 * shareAt(hour))
  const steps = {
    token: { p50Ms: 2, p99Ms: 9 },
    'sign-in': { p50Ms: 60, p99Ms: 400 },
  }
  return { ...HOLDINGS, hour, arrivals, inTime: arrivals, served: 1, steps, openPages: 4 }
})
const DAY: Day = {
  ...{ samples: SAMPLES, before: HOLDINGS, after: HOLDINGS, failure: undefined },
  commands: { 'backup at two o’clock': undefined },
}

test('passes a day that holds no more in the evening than in the afternoon', () => {
  assert.deepEqual(listFailed(DAY), [])
  // Another machine than Linux, and another database.
  const unknown = { megabytes: undefined, descriptors: undefined, databaseMegabytes: undefined }
  const samples = SAMPLES.map((sample) => ({ ...sample, ...unknown }))
  assert.deepEqual(listFailed({ ...DAY, samples, after: { ...HOLDINGS, ...unknown } }), [])
})

const changed = (change: (sample: DaySample) => Partial<DaySample>): Partial<Day> => ({
  samples: SAMPLES.map((sample) => ({ ...sample, ...change(sample) })),
})

const FAILURES: Readonly<Record<string, Partial<Day>>> = {
  'every answer as expected, no token lost': { failure: 'a token was lost' },
  'backup at two o’clock': {
    commands: { 'backup at two o’clock': 'exit code 1: the disk is full' },
  },
  'least memory, evening over afternoon': changed(({ hour }) => ({ megabytes: 100 + 5 * hour })),
  'least heap, evening over afternoon': changed(({ hour }) => ({ heapMegabytes: 30 + 2 * hour })),
  'descriptors, with every page closed': { after: { ...HOLDINGS, descriptors: 47 } },
  'rows of passing tables, with every page closed': {
    after: { ...HOLDINGS, rows: { sign_in_flows: 40, logout_debts: 25 } },
  },
  'rows past their retention': { after: { ...HOLDINGS, overdue: 1 } },
  'age of an event that is in no audit chain': changed(({ hour }) => ({
    auditLagSeconds: hour === 9 ? 121 : 30,
  })),
  'p99 of token at the busiest': changed(() => ({ steps: { token: { p50Ms: 2, p99Ms: 251 } } })),
  'p99 of sign-in at the busiest': changed(() => ({
    steps: { 'sign-in': { p50Ms: 60, p99Ms: 1001 } },
  })),
  'arrivals within two seconds at the busiest': changed(({ arrivals }) => ({
    inTime: Math.floor(arrivals * 0.89),
  })),
}

for (const [name, change] of Object.entries(FAILURES)) {
  test(`fails a day by its ${name}`, () => {
    assert.deepEqual(listFailed({ ...DAY, ...change }), [name])
  })
}

test('one high sample is no leak, and no slow day', () => {
  const high = { megabytes: 300, heapMegabytes: 200, steps: { token: { p50Ms: 9, p99Ms: 900 } } }
  assert.deepEqual(
    listFailed({ ...DAY, ...changed(({ hour }) => (hour === 20 || hour === 9 ? high : {})) }),
    [],
  )
})

test('draws what there is of a day that ended early', () => {
  const samples = SAMPLES.slice(0, 20).map((sample) => ({ ...sample, logMegabytes: undefined }))
  const picture = buildDayPicture(samples)
  assert.match(picture, /Memory, MB/)
  assert.doesNotMatch(picture, /NaN|Infinity|undefined/)
  assert.deepEqual(listFailed({ ...DAY, samples, after: undefined, failure: 'ended by hand' }), [
    'every answer as expected, no token lost',
  ])
})

const listFailed = (day: Day) =>
  judgeDay(day)
    .filter(({ isGood }) => !isGood)
    .map(({ name }) => name)
