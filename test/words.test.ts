// The words of the house as tests: titles are short, STYLE.md's words are used, its glossary stays
// small. Reads source text and documents; runs none of them.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findLongSentences } from '../scripts/numbers/sentences.ts'
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

test('no file uses a word that the house replaces', () => {
  assert.ok(UNUSED_WORDS.length > 10)
  const found = findUnusedWords([...files, ...documents])
  assert.deepEqual(
    found.map(({ path, line, word }) => `${path}:${line} ${word}`),
    [],
  )
})

test('the glossary of STYLE.md has at most 60 words', () => {
  const style = readFileSync(join(root, 'STYLE.md'), 'utf8')
  const glossary = style.slice(style.indexOf('## Glossary'))
  const words = glossary.split('\n').filter((line) => /^\| (?!word |---)/.test(line))
  assert.ok(words.length > 40 && words.length <= 60, `${words.length} words`)
})

test('no sentence of the docs has more than 25 words', () => {
  const pages = documents.filter(({ path }) => path.startsWith('docs/') || !path.includes('/'))
  const long = pages.flatMap(({ path, text }) =>
    findLongSentences(text).map((sentence) => `${path}: ${sentence}`),
  )
  assert.deepEqual(long, [])
})
