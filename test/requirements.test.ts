// The requirements as tests: what is cited exists, and each requirement has a test or a written
// reason. The scanners themselves are tested in test/requirement-scanners.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDoubled, listHeadingNumbers } from '../scripts/requirements/catalog.ts'
import {
  listBareSections,
  listCitedIds,
  listCitedSections,
  type Page,
} from '../scripts/requirements/citations.ts'
import { buildPage, listFiles, loadEvidence, MADE_UP, read } from '../scripts/requirements/page.ts'

const evidence = loadEvidence()
const ids = evidence.sections.flatMap(({ requirements }) => requirements.map(({ id }) => id))
const PAGES: Record<Page, string> = {
  spec: 'docs/inside/spec/protocol.md',
  contract: 'docs/inside/spec/decisions.md',
  security: 'docs/inside/spec/security.md',
}
const citing = listFiles(
  '{*.md,{docs,packages,examples,bench,scripts,test,conformance}/**/*.{ts,tsx,mjs,js,md,html}}',
).filter((path) => path !== MADE_UP)

test('finds the requirements and the files that cite them', () => {
  assert.ok(ids.length >= 157, `${ids.length} requirements`)
  assert.ok(citing.length > 300, `${citing.length} files`)
  assert.ok(evidence.tests.size > 100, `${evidence.tests.size} requirements with a test`)
  assert.deepEqual(listDoubled(ids), [])
})

test('every requirement id that is cited exists', () => {
  const unknown = citing.flatMap((path) =>
    listCitedIds(read(path))
      .filter((id) => !ids.includes(id))
      .map((id) => `${path}: ${id}`),
  )
  const vectors = listFiles('packages/test-kit/vectors/*.json').flatMap((path) =>
    [...read(path).matchAll(/"requirement": "(\w+)"/g)]
      .filter(([, id = '']) => !ids.includes(id))
      .map(([, id]) => `${path}: ${id}`),
  )
  assert.deepEqual([...unknown, ...vectors], [])
})

test('every section that is cited exists as a heading', () => {
  const headings = new Map(
    Object.entries(PAGES).map(([page, path]) => [page, listHeadingNumbers(read(path))]),
  )
  const missing = citing.flatMap((path) =>
    listCitedSections(read(path))
      .filter(({ page, number }) => !headings.get(page)?.has(number))
      .map(({ page, number }) => `${path}: ${page} §${number}`),
  )
  const bare = citing.flatMap((path) =>
    listBareSections(read(path))
      .filter(
        (number) => !headings.get('spec')?.has(number) && !headings.get('contract')?.has(number),
      )
      .map((number) => `${path}: §${number}`),
  )
  assert.deepEqual([...missing, ...bare], [])
})

test('every requirement has a test or a reason in docs/inside/spec/without-test.md', () => {
  const bare = ids.filter((id) => !evidence.tests.has(id) && !evidence.reasons.has(id))
  assert.deepEqual(bare, [])
})

test('no requirement with a test has a reason for having none', () => {
  const stale = [...evidence.reasons.keys()].filter((id) => evidence.tests.has(id))
  assert.deepEqual(stale, [], 'remove these lines from docs/inside/spec/without-test.md')
  assert.deepEqual(
    [...evidence.reasons.keys()].filter((id) => !ids.includes(id)),
    [],
    'no such requirement',
  )
})

test('the page names each requirement with its tests', () => {
  const page = buildPage(evidence)
  for (const id of ids) assert.ok(page.includes(`**${id}** `), id)
  assert.ok(page.includes(`Requirements: ${ids.length}.`))
})
