// Tests how test files are divided into processes.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import type { TestFile } from './test-files.ts'
import { divideWork, GUESSED_LONG } from './work-items.ts'

const story = (name: string, engine: TestFile['engine'] = 'sqlite'): TestFile => ({
  path: `${name}.test.ts`,
  kind: 'in-process',
  engine,
})
const pathsOf = (items: ReturnType<typeof divideWork>) =>
  items.map(({ files }) => files.map(({ path }) => path))

test('puts files of one engine together and never those of two', () => {
  const items = divideWork([story('a'), story('a', 'postgres'), story('b')], {})
  assert.deepEqual(pathsOf(items), [['a.test.ts', 'b.test.ts'], ['a.test.ts']])
})

test('begins another process when the recorded seconds of one are enough', () => {
  const items = divideWork([story('a'), story('b'), story('c')], {
    'a.test.ts': 8,
    'b.test.ts': 3,
    'c.test.ts': 20,
  })
  assert.deepEqual(pathsOf(items), [['c.test.ts'], ['a.test.ts', 'b.test.ts']])
})

test('gives a browser test and a stopwatch test a process of their own', () => {
  const browser: TestFile = { path: 'x.browser.ts', kind: 'browser', engine: 'sqlite' }
  const measured: TestFile = { path: 'y.perf.ts', kind: 'performance', engine: 'sqlite' }
  const items = divideWork([browser, measured], {})
  assert.deepEqual(
    items.map(({ files, isAlone }) => [files.map(({ path }) => path), isAlone]),
    [
      [['y.perf.ts'], true],
      [['x.browser.ts'], false],
    ],
  )
})

test('puts browser tests that may share a process together, apart from other files', () => {
  const browser = (name: string, isShared: boolean): TestFile => ({
    path: `${name}.test.ts`,
    kind: 'browser',
    engine: 'sqlite',
    isShared,
  })
  const files = [browser('a', true), browser('b', false), story('c'), browser('d', true)]
  const durations = { 'a.test.ts': 45, 'b.test.ts': 20, 'c.test.ts': 1, 'd.test.ts': 45 }
  assert.deepEqual(pathsOf(divideWork(files, durations)), [
    ['a.test.ts', 'd.test.ts'],
    ['b.test.ts'],
    ['c.test.ts'],
  ])
  assert.equal(divideWork(files, { ...durations, 'a.test.ts': 46 }).length, 4)
})

test('gives a file that must not share a process one of its own', () => {
  const items = divideWork([story('a'), { ...story('b'), isIsolated: true }, story('c')], {})
  assert.deepEqual(pathsOf(items), [['a.test.ts', 'c.test.ts'], ['b.test.ts']])
})

test('guesses only for files that are there', () => {
  const root = new URL('../../', import.meta.url)
  const gone = Object.keys(GUESSED_LONG).filter((path) => !existsSync(new URL(path, root)))
  assert.deepEqual(gone, [])
})
