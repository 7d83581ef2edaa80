// What a run says, in a terminal and in a pipeline.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  gradeOf,
  type JudgedCheck,
  outcomeOf,
  type PlayedFault,
} from '@chartside/protocol/fault-grade'
import { formatFault, formatJunit, formatRun } from './report.ts'

const passed: JudgedCheck = {
  ...{ name: 'sends-a-code-once', part: 'safety', title: 'Never sends a spent code again' },
  ...{ state: 'passed', evidence: 'Each code was sent once.' },
}
const failed: JudgedCheck = {
  ...{ name: 'plain-words', part: 'words', title: 'Keeps developer words from the provider' },
  ...{
    state: 'failed',
    evidence: 'The frame says "<b>".',
    cause: 'Nothing to do.',
    fix: 'Fold it.',
  },
}
const playedFault = (name: string, checks: readonly JudgedCheck[]): PlayedFault => ({
  ...{ name, step: 'exchange', title: 'A wrong & retired secret', tookMs: 1234 },
  ...{ checks, outcome: outcomeOf(checks) },
})
const faults = [playedFault('one', [passed]), playedFault('two', [passed, failed])]
const run = { app: 'My App', startedAt: '', tookMs: 2500, grade: gradeOf(faults), faults }

test('says of each failed check what was seen, why it matters and what to do', () => {
  const text = formatFault(faults[1] ?? playedFault('', []))
  assert.match(text, /^partly {2}two .*\(1\.2 s\)\n/)
  assert.match(text, /Plain words: Keeps developer words.*The frame says "<b>"/)
  assert.match(text, /Nothing to do\.\n.*Fold it\./)
  assert.match(formatRun(run), /My App: grade \w, \d+ of 100[\s\S]*1 handled, 1 partly/)
})

test('writes one case of JUnit for each fault, with its text escaped', () => {
  const xml = formatJunit(run)
  assert.match(xml, /tests="2" failures="1"/)
  assert.match(xml, /name="one: A wrong &amp; retired secret" time="1.234"\/>/)
  assert.match(xml, /<failure message="Keeps developer words from the provider">[^<]*&lt;b&gt;/)
})
