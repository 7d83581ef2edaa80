// The failure report as any window may send it: what is parsed, cut and dropped. Security X02, X06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildFailureReport, parseFailureReport } from './failure-report.ts'

const REPORT = buildFailureReport({
  code: 'server_unreachable',
  message: 'The server of the app did not answer.',
  fix: 'Start it.',
  traceId: 'trace_1',
})

test('parses what it builds', () => {
  assert.deepEqual(parseFailureReport(REPORT), REPORT)
})

for (const [what, data] of [
  ['null', null],
  ['text', 'chartside:failure'],
  ['another type', { ...REPORT, type: 'chartside:hello' }],
  ['no code', { ...REPORT, code: undefined }],
  ['a code with markup', { ...REPORT, code: '<img>' }],
  ['a long code', { ...REPORT, code: 'x'.repeat(41) }],
  ['a long message', { ...REPORT, message: 'x'.repeat(501) }],
  ['an empty message', { ...REPORT, message: '' }],
  ['inherited fields', Object.create(REPORT)],
  [
    'a getter',
    {
      ...REPORT,
      get message() {
        return assert.fail('was called')
      },
    },
  ],
] as const) {
  test(`drops a failure report: ${what} [X02]`, () => {
    assert.equal(parseFailureReport(data), null)
  })
}

test('leaves out a fix or a trace id that it cannot read', () => {
  const report = parseFailureReport({ ...REPORT, fix: 5, traceId: 'a b' })
  assert.deepEqual(report, { ...REPORT, fix: '', traceId: '' })
})

test('takes bearer values out of a report that another page built [X06]', () => {
  const message = `code_${'a'.repeat(22)}${'b'.repeat(43)} was refused`
  assert.equal(parseFailureReport({ ...REPORT, message })?.message, '(left out) was refused')
})

test('takes out bearer values, and no name of a parameter', () => {
  const secret = `code_${'0'.repeat(22)}${'A'.repeat(43)}`
  const { message } = buildFailureReport({
    code: 'x',
    message: `Send code_challenge_method=S256, not ${secret}.`,
  })
  assert.equal(message, 'Send code_challenge_method=S256, not (left out).')
})

const throwing = {
  toString() {
    throw new Error('not a text')
  },
}

for (const [what, caught] of [
  ['null', null],
  ['undefined', undefined],
  ['a number', 5],
  ['symbols', { code: Symbol('x'), message: Symbol('y') }],
  ['values without a text', { code: Object.create(null), message: throwing }],
  [
    'a getter that throws',
    {
      get code() {
        throw new Error('was read')
      },
    },
  ],
] as const) {
  test(`builds a report of whatever an app caught: ${what}`, () => {
    const report = buildFailureReport(caught as never)
    assert.partialDeepStrictEqual(report, { code: 'unknown', message: 'No reason given.' })
    assert.deepEqual(parseFailureReport(report), report)
  })
}
