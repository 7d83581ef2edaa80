// The patterns of charts as tables: accepted ones with what they find, and refused ones. Contract §11.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findChart, findChartPatternProblem } from './charts.ts'

const PATH = 'https://ehr.example/patients/:chart{/*}?'
const HASH = 'https://ehr.example/app?*#/p/:chart{/*}?'
const QUERY = 'http://ehr.localhost:4711/chart?*patient=:chart{&*}?'

for (const [pattern, address, chart] of [
  [PATH, 'https://ehr.example/patients/7', '7'],
  [PATH, 'https://ehr.example/patients/7/notes?tab=2#top', '7'],
  [PATH, 'https://ehr.example/patients/a%20b', 'a%20b'],
  [PATH, 'https://ehr.example/patients/', null],
  [PATH, 'https://ehr.example/patients', null],
  [PATH, 'https://other.example/patients/7', null],
  [PATH, 'http://ehr.example/patients/7', null],
  [HASH, 'https://ehr.example/app#/p/7', '7'],
  [HASH, 'https://ehr.example/app?x=1#/p/7/notes', '7'],
  [HASH, 'https://ehr.example/app#/schedule', null],
  [QUERY, 'http://ehr.localhost:4711/chart?patient=7', '7'],
  [QUERY, 'http://ehr.localhost:4711/chart?tab=1&patient=7&tab=2', '7'],
  [QUERY, 'http://ehr.localhost:4712/chart?patient=7', null],
  [PATH, 'no address', null],
  [PATH, `https://ehr.example/patients/7?${'x'.repeat(5000)}`, null],
  ['https://ehr.example/c/:chart?', 'https://ehr.example/c', null],
  ['https://ehr.example/(.*)', 'https://ehr.example/7', null],
] as const) {
  test(`finds ${chart} of ${pattern} in ${address.slice(0, 60)}`.slice(0, 80), () => {
    assert.equal(findChart([pattern], address), chart)
  })
}

test('takes the first pattern that matches', () => {
  assert.equal(findChart([HASH, PATH], 'https://ehr.example/patients/7'), '7')
  assert.equal(findChart([], 'https://ehr.example/patients/7'), null)
})

test('accepts a pattern for path, query or fragment', () => {
  for (const pattern of [
    PATH,
    HASH,
    QUERY,
    'https://*.ehr.example/p/:chart',
    'https://a.b/\\:x/:chart',
  ]) {
    assert.equal(findChartPatternProblem(pattern), undefined, pattern)
  }
})

for (const [name, pattern, problem] of [
  ['text', 'patients', /whole address/],
  ['a path alone', '/patients/:chart', /whole address/],
  ['a regular expression', 'https://ehr.example/:chart(\\d+)', /regular expression/],
  [
    'a regular expression without a name',
    'https://ehr.example/(\\d+)/:chart',
    /regular expression/,
  ],
  ['another scheme', 'ftp://ehr.example/:chart', /https/],
  ['any scheme', '*://ehr.example/:chart', /https/],
  ['every host', 'https://*/:chart', /host of the EHR/],
  ['a group in the host', 'https://:chart.ehr.example/x', /path, the query or the fragment/],
  ['a group in the user name', 'https://u:p@ehr.example/:chart', /path, the query/],
  ['no group', 'https://ehr.example/patients/*', /with :chart/],
  ['an escaped group', 'https://ehr.example/\\:chart', /with :chart/],
  ['another group', 'https://ehr.example/:patient', /:patient is not known/],
  ['a second group', 'https://ehr.example/:chart/:visit', /:visit is not known/],
  ['the group twice', 'https://ehr.example/:chart#:chart', /once/],
  ['many wildcards', 'https://ehr.example/*a*b*c*d/:chart', /3 wildcards/],
] as const) {
  test(`refuses a pattern with ${name}`, () => {
    assert.match(findChartPatternProblem(pattern) ?? '', problem)
    assert.equal(findChart([pattern], 'https://ehr.example/7'), null)
  })
}
