// The page of the breaks: as the tables say, and each break once.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildPage, PAGE_PATH } from './breaks-page.ts'
import { ALL_BREAKS } from './tables.ts'

test('the page of the breaks is the one that npm run tool -- breaks writes', () => {
  const url = new URL(`../../../${PAGE_PATH}`, import.meta.url)
  assert.equal(readFileSync(url, 'utf8'), buildPage())
})

test('has at least 40 breaks, each with a name of its own', () => {
  assert.ok(ALL_BREAKS.length >= 40, String(ALL_BREAKS.length))
  assert.equal(new Set(ALL_BREAKS.map(({ name }) => name)).size, ALL_BREAKS.length)
})
