// The grade of a run: bars, level, and what caps it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  gradeOf,
  isAtLeast,
  type JudgedCheck,
  outcomeOf,
  type Part,
  type PlayedFault,
  type State,
} from './fault-grade.ts'

const check = (part: Part, state: State = 'passed'): JudgedCheck => ({
  ...{ name: part, part, title: part, state, evidence: '' },
})
const ALL = (['safety', 'work', 'recovers', 'words', 'trace'] as const).map((part) => check(part))
const fault = (checks: readonly JudgedCheck[]): PlayedFault => ({
  ...{ name: 'some-fault', step: 'callback', title: '', tookMs: 0 },
  ...{ checks, outcome: outcomeOf(checks) },
})

test('grades an app that handles everything with an A', () => {
  const { level, points, bars, cap } = gradeOf([fault(ALL)])
  assert.deepEqual([level, points, cap], ['A', 100, undefined])
  assert.deepEqual(new Set(bars.map(({ percent }) => percent)), new Set([100]))
})

test('caps the grade at C for one failed check of safety', () => {
  const many = Array.from({ length: 19 }, () => fault(ALL))
  const { level, points, cap } = gradeOf([...many, fault([check('safety', 'failed')])])
  assert.deepEqual([level, points], ['C', 98])
  assert.deepEqual(cap, { at: 'C', fault: 'some-fault', check: 'safety' })
})

test('caps the grade at B for lost work', () => {
  const many = Array.from({ length: 19 }, () => fault(ALL))
  assert.equal(gradeOf([...many, fault([check('work', 'failed')])]).level, 'B')
})

test('counts what is not observable neither for nor against', () => {
  const { level, bars } = gradeOf([fault([check('safety'), check('work', 'not_observable')])])
  assert.equal(level, 'A')
  assert.equal(bars.find(({ part }) => part === 'work')?.percent, null)
  assert.equal(outcomeOf([check('work', 'not_observable')]), 'not_observable')
})

test('gives a low grade for its points, never raised by a cap', () => {
  const bad = ALL.map((each) => ({ ...each, state: 'failed' as const }))
  assert.equal(gradeOf([fault(bad)]).level, 'D')
  assert.equal(outcomeOf([check('safety'), check('words', 'failed')]), 'partly')
  assert.equal(outcomeOf([check('safety', 'failed'), check('words')]), 'not_handled')
  assert.deepEqual(
    [isAtLeast('A', 'B'), isAtLeast('B', 'B'), isAtLeast('C', 'B')],
    [true, true, false],
  )
})
