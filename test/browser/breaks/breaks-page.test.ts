// The page of the breaks: a row for each break, each break once.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildMistakes, buildPage } from './breaks-page.ts'
import { ALL_BREAKS } from './tables.ts'

test('the page has one row for each break, with its name, in six cells', () => {
  const rows = buildPage()
    .split('\n')
    .filter((line) => /^\| (?!break \||-)/.test(line))
  assert.equal(rows.length, ALL_BREAKS.length)
  for (const [i, { name, code }] of ALL_BREAKS.entries()) {
    const cells = (rows[i] ?? '').split(/(?<!\\)\|/)
    assert.equal(cells.length, 8, name)
    assert.ok(cells[2]?.includes(code), name)
  }
})

test('docs/build/mistakes.md has the mistakes of a first hour as they are played', () => {
  const guide = readFileSync(new URL('../../../docs/build/mistakes.md', import.meta.url), 'utf8')
  const table = buildMistakes()
  assert.ok(guide.includes(table), table)
})

test('has at least 40 breaks, each with a name of its own', () => {
  assert.ok(ALL_BREAKS.length >= 40, String(ALL_BREAKS.length))
  assert.equal(new Set(ALL_BREAKS.map(({ name }) => name)).size, ALL_BREAKS.length)
})
