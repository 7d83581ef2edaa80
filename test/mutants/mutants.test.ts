// The catalog of mutants against the tree: no mutant is stale, every result is of this catalog, and the
// faults made from the syntax are the ones that they say.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { listTestFiles } from '../../scripts/test/test-files.ts'
import { MUTANTS } from './catalog.ts'
import { listChanges } from './generated.ts'
import { plant } from './mutant.ts'
import { formatSummary } from './report.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What is wrong with each mutant, for those with something wrong. */
const complaints = (check: (mutant: (typeof MUTANTS)[number]) => void) =>
  MUTANTS.flatMap((mutant) => {
    try {
      check(mutant)
      return []
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  })

test('finds the text of every mutant exactly once, and changes it', () => {
  assert.deepEqual(
    complaints((mutant) => {
      const source = readFileSync(join(root, mutant.file), 'utf8')
      assert.notEqual(plant(source, mutant), source, `${mutant.name} changes nothing`)
    }),
    [],
  )
})

test('names every mutant once, and tests that exist', () => {
  const names = MUTANTS.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index || !/^[a-z0-9-]+$/.test(name)),
    [],
  )
  const missing = MUTANTS.flatMap(({ tests }) => tests).filter(
    (path) => !existsSync(join(root, path)),
  )
  assert.deepEqual([...new Set(missing)], [])
  assert.deepEqual(
    MUTANTS.filter(({ tests }) => tests.length === 0),
    [],
  )
})

test('names only tests of the first tier, so that npm test alone catches every fault', () => {
  const tests = new Set(MUTANTS.flatMap(({ tests }) => tests))
  const first = new Set(
    listTestFiles(root)
      .filter(({ tier }) => tier === 1)
      .map(({ path }) => path),
  )
  assert.deepEqual(
    [...tests].filter((path) => !first.has(path)),
    [],
  )
})

test('makes changes from the syntax that name their place', () => {
  const source = 'async function f(a: number) {\n  if (a < 2 && a) return 1\n  await g()\n}\n'
  const changed = listChanges('f.ts', source).map(({ kind, start, end, replace }) => [
    kind,
    source.slice(start, end),
    replace,
  ])
  assert.deepEqual(changed, [
    ['dropped-guard', 'if (a < 2 && a) return 1', ';'],
    ['negated-condition', 'a < 2 && a', '!(a < 2 && a)'],
    ['other-logic', 'a < 2 && a', '(a < 2) || (a)'],
    ['moved-bound', 'a < 2', 'a <= 2'],
    ['dropped-await', 'await g()', 'g()'],
  ])
})

test('counts no fault without effect as caught or missed', () => {
  const [first] = MUTANTS
  assert.ok(first)
  const seen = { outcome: 'survived', by: '', seconds: 1 } as const
  const text = formatSummary([
    [
      { ...first, redundant: undefined },
      { ...seen, outcome: 'caught' },
    ],
    [{ ...first, redundant: 'done twice' }, seen],
  ])
  assert.match(text, /2 planted; 1 of 1 that change behaviour were caught$/)
})
