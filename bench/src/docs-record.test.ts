// Tests that a recorded figure replaces what stands between the marks of its part, and nothing else, and that
// docs/inside/performance.md has the marks of every part.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type DocsPart, replacePart } from './docs-record.ts'

const PARTS: readonly DocsPart[] = ['goals', 'flows', 'postgres', 'workers', 'peers']
const page = readFileSync(new URL('../../docs/inside/performance.md', import.meta.url), 'utf8')

test('the page has a place for every part, and keeps all else', () => {
  let written = page
  for (const part of PARTS) written = replacePart(written, part, `FIGURES OF ${part}`)
  for (const part of PARTS) assert.equal(written.split(`FIGURES OF ${part}`).length, 2)
  const outside = (text: string) =>
    text.replace(/(<!-- \w+: written by[^>]*-->)[\s\S]*?(<!-- end of)/g, '$1$2')
  assert.equal(outside(written), outside(page))
})

test('a page without the marks is refused', () => {
  assert.throws(() => replacePart('# Performance', 'peers', 'x'), /has no place for peers/)
})
