// The words of the house as tests: titles are short, STYLE.md's words are used, its glossary stays
// small. Reads source text and documents; runs none of them.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { listTitles } from '../scripts/numbers/titles.ts'
import { findUnusedWords, UNUSED_WORDS } from '../scripts/numbers/words.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const load = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((path) => !/node_modules|\/dist\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const files = load('{packages,examples,bench,conformance,scripts,test}/**/*.{ts,tsx,mjs}')
const documents = load('{*.md,docs/**/*.md,{packages,examples,bench,conformance}/**/*.md}')

test('no test title is longer than 80 characters', () => {
  const long = listTitles(files).filter((title) => title.length > 80)
  assert.deepEqual(long, [])
})

test('no file uses a word that STYLE.md replaces', () => {
  assert.ok(UNUSED_WORDS.length > 10)
  const found = findUnusedWords([...files, ...documents])
  assert.deepEqual(
    found.map(({ path, line, word }) => `${path}:${line} ${word}`),
    [],
  )
})

test('the glossary of STYLE.md has at most 60 words', () => {
  const style = readFileSync(join(root, 'STYLE.md'), 'utf8')
  const glossary = style.slice(style.indexOf('## Glossary'), style.indexOf('## Words that'))
  const words = glossary.split('\n').filter((line) => /^\| (?!word |---)/.test(line))
  assert.ok(words.length > 40 && words.length <= 60, `${words.length} words`)
})
