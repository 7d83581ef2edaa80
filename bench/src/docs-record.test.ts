// Tests that a recorded table of goals replaces what stands between its marks, and nothing else, and that
// docs/inside/performance.md has these marks.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { replaceGoals } from './docs-record.ts'

const page = readFileSync(new URL('../../docs/inside/performance.md', import.meta.url), 'utf8')

test('the page has a place for the goals, and keeps all else', () => {
  const written = replaceGoals(page, 'FIGURES')
  assert.equal(written.split('FIGURES').length, 2)
  const outside = (text: string) =>
    text.replace(/(<!-- \w+: written by[^>]*-->)[\s\S]*?(<!-- end of)/g, '$1$2')
  assert.equal(outside(written), outside(page))
})

test('a page without the marks is refused', () => {
  assert.throws(() => replaceGoals('# Performance', 'x'), /has no place for goals/)
})
