// Tests the arithmetic of the scenario year: the cost of a row at two sizes, and what it makes for a year.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildYearTable, growthOf } from './year-table.ts'

const SMALL = { name: 'chain', rows: 1000, unit: 'events', seconds: 1 } as const

test('says how much dearer a row is at the larger size', () => {
  assert.equal(growthOf(SMALL, { ...SMALL, rows: 4000, seconds: 4 }), 1)
  assert.equal(growthOf(SMALL, { ...SMALL, rows: 4000, seconds: 16 }), 4)
  const page = { name: 'page', seconds: 0.1 }
  assert.equal(growthOf(page, { ...page, seconds: 0.2 }), 2)
})

test('multiplies the larger size to a year of events, launches or both', () => {
  const lines = (['events', 'launches', 'rows'] as const).map((unit) => {
    const large = { ...SMALL, unit, rows: 1_000_000, seconds: 100 }
    const [, line = ''] = buildYearTable([[{ ...SMALL, unit }], [large]])
      .trim()
      .split('\n')
    return line.trim().split(/\s{2,}/)
  })
  const years = lines.map((columns) => columns.at(-1))
  assert.deepEqual(years, ['5.6 h', '108 min', '7.4 h'])
  assert.equal(lines[0]?.at(-3), '10,000/s')
  const file = { name: 'file', rows: 1_000_000, unit: 'events', bytes: 50e6 } as const
  assert.match(buildYearTable([[file], [file]]), /50\.0 MB .* 10\.0 GB/)
})
