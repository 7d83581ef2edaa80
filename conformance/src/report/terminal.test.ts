// The summary in a terminal names the cause that many modules share once, and the others by their modules.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModuleResult } from '../runner.ts'
import { buildReport } from './report.ts'
import { TerminalReport } from './terminal.ts'

const result = (id: string, cause?: string): ModuleResult => ({
  ...{ id, title: id, source: 'RFC 6749', milliseconds: 1, requests: 1, steps: [] },
  ...(cause ? { verdict: 'failed', cause } : { verdict: 'passed' }),
})

test('groups what failed by its cause, the most modules first', () => {
  const modules = [
    ...[result('one', 'a page: 400'), result('two', '400 invalid_grant'), result('three')],
    ...[result('four', '400 invalid_grant'), result('five', '400 invalid_grant')],
  ]
  const facts = { issuer: 'https://peer.example', service: 'peer', requests: 9, modules } as const
  const report = buildReport({ ...facts, startedAt: new Date(0), milliseconds: 10 })
  const terminal = new TerminalReport({ hasColor: false, isInteractive: false, total: 5 })
  const [, failed = ''] = terminal.summary(report).split('\nFailed:\n')
  assert.equal(
    failed.split('\n\n')[0],
    '  3 modules: 400 invalid_grant\n    two\n    four\n    five\n  one',
  )
})
