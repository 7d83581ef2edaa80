// Tests what becomes of the reports of a test process, also of one that ends too early.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FileResult, fileResults } from './file-results.ts'
import { formatSkipped } from './summary.ts'
import type { TestFile } from './test-files.ts'

const file = (path: string): TestFile => ({
  path,
  tier: 1,
  kind: 'in-process',
  isIsolated: false,
  engine: 'sqlite',
})
const FILES = [file('a.test.ts'), file('b.test.ts')]

function collect() {
  const all: FileResult[] = []
  return { all, results: fileResults(FILES, (result) => all.push(result)) }
}
const passed = { type: 'test', title: 'works', outcome: 'passed', ms: 1 } as const
const failed = { type: 'test', title: 'breaks', outcome: 'failed', ms: 1, error: 'no' } as const
const USED = { processorSeconds: 3, browserSeconds: 1 }
const began = (path: string) => ({ type: 'file began', file: path }) as const
const ended = (path: string) => ({ type: 'file ended', file: path, ms: 2, ...USED }) as const
const failuresOf = (all: readonly FileResult[]) =>
  all.map(({ label, failures }) => [label, failures.map(({ error }) => error)])

test('counts the tests of each file', () => {
  const { all, results } = collect()
  for (const path of ['a.test.ts', 'b.test.ts']) {
    for (const message of [began(path), passed, failed, ended(path)]) results.take(message)
  }
  assert.deepEqual(results.end('The process exited with code 1.'), [])
  assert.deepEqual(
    all.map((one) => [one.passed, one.failures.length]),
    [
      [1, 1],
      [1, 1],
    ],
  )
})

test('keeps what was left out, with its reason', () => {
  const { all, results } = collect()
  const reason = 'not on this machine: Xvfb'
  const leftOut = { type: 'test', title: 'asks', outcome: 'skipped', ms: 0, reason } as const
  for (const message of [began('a.test.ts'), leftOut, ended('a.test.ts')]) results.take(message)
  assert.deepEqual(failuresOf(all), [['a.test.ts', []]])
  assert.equal(formatSkipped(all), `skipped: a.test.ts: asks (${reason})\n`)
})

test('fails a file that ran no test', () => {
  const { all, results } = collect()
  for (const message of [began('a.test.ts'), ended('a.test.ts')]) results.take(message)
  assert.deepEqual(failuresOf(all), [['a.test.ts', ['It ran no test.']]])
})

test('fails the file in which a process ended and gives back those behind it', () => {
  const { all, results } = collect()
  for (const message of [began('a.test.ts'), passed]) results.take(message)
  assert.deepEqual(results.end('The process was ended by SIGKILL.'), [FILES[1]])
  assert.deepEqual(failuresOf(all), [['a.test.ts', ['The process was ended by SIGKILL.']]])
})

test('gives all files back when a process of several ended before the first', () => {
  const { all, results } = collect()
  assert.deepEqual(results.end('The process exited with code 1.'), FILES)
  assert.deepEqual(all, [])
})

test('fails a file whose process ended before it began', () => {
  const all: FileResult[] = []
  const results = fileResults([file('a.test.ts')], (result) => all.push(result))
  assert.deepEqual(results.end('The process exited with code 1.'), [])
  assert.deepEqual(failuresOf(all), [['a.test.ts', ['The process exited with code 1.']]])
})

test('fails a process that exits with a code although its tests passed', () => {
  const { all, results } = collect()
  for (const path of ['a.test.ts', 'b.test.ts']) {
    for (const message of [began(path), passed, ended(path)]) results.take(message)
  }
  results.take({ type: 'diagnostic', text: 'an error after the test' })
  results.end('The process exited with code 7.')
  assert.deepEqual(all.at(-1)?.diagnostics, ['an error after the test'])
  assert.deepEqual(failuresOf(all).at(-1)?.[1], ['The process exited with code 7.'])
})

test('gives each file the processor time since the end of the one before', () => {
  const { all, results } = collect()
  for (const [path, processorSeconds] of [
    ['a.test.ts', 3],
    ['b.test.ts', 5],
  ] as const) {
    results.take(began(path))
    results.take(passed)
    results.take({ ...ended(path), processorSeconds, browserSeconds: 1 })
  }
  assert.deepEqual(
    all.map(({ processorSeconds, browserSeconds }) => [processorSeconds, browserSeconds]),
    [
      [3, 1],
      [2, 0],
    ],
  )
})
