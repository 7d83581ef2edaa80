// Tests how test files are divided into processes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestFile } from './test-files.ts'
import { divideWork } from './work-items.ts'

const story = (name: string, engine: TestFile['engine'] = 'sqlite'): TestFile => ({
  path: `${name}.test.ts`,
  tier: 1,
  kind: 'in-process',
  engine,
  isIsolated: false,
})
const pathsOf = (items: ReturnType<typeof divideWork>) =>
  items.map(({ files }) => files.map(({ path }) => path))

test('puts files of one engine together and never those of two', () => {
  const items = divideWork([story('a'), story('a', 'postgres'), story('b')], {})
  assert.deepEqual(pathsOf(items), [['a.test.ts', 'b.test.ts'], ['a.test.ts']])
})

test('begins another process when the recorded seconds of one are enough', () => {
  const items = divideWork([story('a'), story('b'), story('c')], {
    'a.test.ts': 15,
    'b.test.ts': 5,
    'c.test.ts': 40,
  })
  assert.deepEqual(pathsOf(items), [['c.test.ts'], ['a.test.ts', 'b.test.ts']])
})

test('gives a stopwatch test the machine, and an isolated one a process of its own', () => {
  const measured: TestFile = { ...story('y'), path: 'y.perf.ts', kind: 'release', isIsolated: true }
  const isolated: TestFile = { ...story('b'), isIsolated: true }
  const items = divideWork([story('a'), isolated, measured, story('c')], { 'b.test.ts': 9 })
  assert.deepEqual(
    items.map(({ files, isAlone }) => [files.map(({ path }) => path), isAlone]),
    [
      [['y.perf.ts'], true],
      [['b.test.ts'], false],
      [['a.test.ts', 'c.test.ts'], false],
    ],
  )
})
