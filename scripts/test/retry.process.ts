// The second try: a file that fails twice has failed, one that fails once is reported as flaky with its
// first failure, and nothing of the first try is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileResult } from './file-results.ts'
import { eachAlone, hasFailed, mergeRetries } from './retry.ts'
import { countTests, formatFlaky } from './summary.ts'
import type { TestFile } from './test-files.ts'

const file = (path: string): TestFile => ({
  path,
  tier: 1,
  kind: 'in-process',
  isIsolated: false,
  engine: 'sqlite',
})

function result(label: string, passed: number, ...failed: readonly string[]): FileResult {
  const failures = failed.map((title) => ({ title, error: `${title} broke` }))
  return {
    label,
    seconds: 1,
    processorSeconds: 1,
    browserSeconds: 0,
    passed,
    skipped: [],
    failures,
    diagnostics: [],
    printed: '',
  }
}

test('takes the files that failed, also those of a process that ended early', () => {
  const first = [result('a.ts', 2), result('b.ts', 1, 'x'), result('c.ts, d.ts', 0, 'the file')]
  const failed = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map(file).filter((one) => hasFailed(first, one))
  assert.deepEqual(
    failed.map(({ path }) => path),
    ['b.ts', 'c.ts', 'd.ts'],
  )
  assert.ok(eachAlone(failed).every(({ isAlone, files }) => isAlone && files.length === 1))
})

test('keeps a second failure a failure', () => {
  const merged = mergeRetries([result('b.ts', 1, 'x')], [result('b.ts', 1, 'x')])
  assert.equal(countTests(merged).failed, 1)
  assert.equal(formatFlaky(merged), '')
})

test('reports a file that passed at the second try as flaky', () => {
  const first = [result('a.ts', 2), result('b.ts', 1, 'x')]
  const merged = mergeRetries(first, [result('b.ts', 2)])
  assert.deepEqual(countTests(merged), { passed: 4, failed: 0, skipped: 0 })
  assert.match(formatFlaky(merged), /flaky: b\.ts\n~ x\n {4}x broke/)
})
