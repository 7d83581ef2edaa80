// Two runs beside each other, and what to mend first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gradeOf, type JudgedCheck, outcomeOf, type Part, type State } from './fault-grade.ts'
import { compareRuns, listMends, type Run } from './fault-run.ts'

const check = (part: Part, state: State): JudgedCheck => ({
  ...{ name: part, part, title: part, state, evidence: '' },
})
const fault = (name: string, ...checks: readonly JudgedCheck[]) => ({
  ...{ name, step: 'callback' as const, title: '', tookMs: 0, checks, outcome: outcomeOf(checks) },
})
const runOf = (...faults: readonly ReturnType<typeof fault>[]): Run => ({
  ...{ app: 'My App', startedAt: '2026-11-01T00:00:00.000Z', tookMs: 1 },
  ...{ grade: gradeOf(faults), faults },
})
const [good, bad] = [check('safety', 'passed'), check('safety', 'failed')]
const unseen = check('safety', 'not_observable')

test('names what got better and worse, over what both runs saw', () => {
  const before = runOf(fault('a', bad), fault('b', good), fault('c', unseen), fault('old', bad))
  const now = runOf(fault('a', good), fault('b', bad), fault('c', bad), fault('new', bad))
  const { better, worse, grade } = compareRuns({ ...before, commit: 'abc1234' }, now)
  assert.deepEqual([better, worse], [['a'], ['b']])
  // Of a, b and c: one of two checks that were seen passed.
  assert.deepEqual(grade, { level: 'D', points: 50 })
})

test('lists safety before words, and says what each would gain', () => {
  const words = check('words', 'failed')
  const run = runOf(fault('words', good, words), fault('forged', bad), fault('fine', good))
  const mends = listMends(run)
  assert.deepEqual(
    mends.map(({ fault: { name }, gain }) => [name, gain]),
    [
      ['forged', 27],
      ['words', 20],
    ],
  )
})
