// The terminal of a person who checks a hostile service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from './report.ts'
import { TerminalReport } from './terminal.ts'

const EVIL = 'https://evil.example/\x1b]0;gone\x07\x1b[2J\u202e\x9b2J'

test('sends no escape sequence of the checked service to the terminal [V11]', () => {
  const terminal = new TerminalReport({ hasColor: false, isInteractive: false, total: 1 })
  const report = {
    issuer: EVIL,
    requests: 1,
    milliseconds: 1,
    modules: [],
    summary: { passed: 0, failed: 0, warning: 0, skipped: 0 },
  } as unknown as Report
  const result = { id: 'x', verdict: 'failed', title: 't', expected: 'e', cause: EVIL, where: EVIL }
  const printed = terminal.summary(report) + terminal.ended(result as never)
  assert.doesNotMatch(printed, /[^\P{Cc}\n]|\u202e/u)
  assert.match(printed, /\\u001b\[2J/)
})
