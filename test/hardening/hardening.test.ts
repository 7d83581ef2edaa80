// The section “Shown” of docs/security.md is the one that the stored results give, and the tests that
// it names are there.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { MENDED_ATTACKS } from './attacks.ts'
import { loadResults, ROOT } from './results.ts'
import { buildSection, readDocument, replaceSection } from './security-table.ts'

test('docs/security.md shows the stored results; npm run hardening -- --write', () => {
  const section = buildSection(loadResults())
  assert.ok(readDocument().includes(section), 'run npm run hardening -- --write')
  assert.equal(replaceSection(readDocument(), section), readDocument())
})

test('names a test that is there for each attack that was mended', () => {
  const sources = globSync('{packages,test,conformance}/**/*.{test,browser}.ts', { cwd: ROOT })
    .filter((path) => !path.includes('node_modules'))
    .map((path) => readFileSync(ROOT + path, 'utf8'))
    .join('\n')
  const items = new Set(MENDED_ATTACKS.map(({ item }) => item[0]))
  assert.deepEqual([...items].sort(), ['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  for (const { test: title } of MENDED_ATTACKS) assert.ok(sources.includes(title), title)
})

test('puts a section into a document once, before what remains', () => {
  const first = replaceSection('# A\n\n## What remains\n\nx\n', buildSection(loadResults()))
  assert.match(first, /^# A\n\n<!-- Written[\s\S]*## Shown[\s\S]*-->\n\n## What remains\n\nx\n$/)
  assert.equal(replaceSection(first, buildSection(loadResults())), first)
})
