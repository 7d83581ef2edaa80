// The page of the breaks: a row for each break and each mistake of a first hour, each break once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildPage } from './breaks-page.ts'
import { MISTAKES, REFUSED } from './first-hour.ts'
import { ALL_BREAKS } from './tables.ts'

test('the page has one row for each break, with its name, in six cells', () => {
  const [breaks = ''] = buildPage().split('## first hour')
  const rows = breaks.split('\n').filter((line) => /^\| (?!break \||-)/.test(line))
  assert.equal(rows.length, ALL_BREAKS.length)
  for (const [i, { name, code }] of ALL_BREAKS.entries()) {
    const cells = (rows[i] ?? '').split(/(?<!\\)\|/)
    assert.equal(cells.length, 8, name)
    assert.ok(cells[2]?.includes(code), name)
  }
})

test('the page has the cause and the seconds of each mistake of a first hour', () => {
  const [, section = ''] = buildPage().split('## first hour')
  const rows = section.split('\n').filter((line) => /^\| (?!mistake \||-)/.test(line))
  assert.equal(rows.length, MISTAKES.length + REFUSED.length + 1)
  for (const [i, { what, item, seconds }] of MISTAKES.entries()) {
    assert.ok(rows[i]?.startsWith(`| ${what} |`), what)
    assert.ok(rows[i]?.includes(item.card?.[1] ?? item.code), what)
    assert.ok(rows[i]?.endsWith(` | ${seconds} s |`), what)
  }
})

test('has at least 40 breaks, each with a name of its own', () => {
  assert.ok(ALL_BREAKS.length >= 40, String(ALL_BREAKS.length))
  assert.equal(new Set(ALL_BREAKS.map(({ name }) => name)).size, ALL_BREAKS.length)
})
