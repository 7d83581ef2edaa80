// The catalog of mutants against the tree: no mutant is stale.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { MUTANTS } from './catalog.ts'
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

test('plants at least 120 faults', () => {
  assert.ok(MUTANTS.length >= 120, `${MUTANTS.length} mutants`)
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
