// The scanners behind docs/inside/spec/requirements.md: which titles and citations they find. Plain text in,
// data out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listHeadingNumbers, parseReasons, parseSections } from '../scripts/requirements/catalog.ts'
import {
  listBareSections,
  listCitedIds,
  listCitedSections,
} from '../scripts/requirements/citations.ts'
import { findTaggedTitles } from '../scripts/requirements/titles.ts'

const noVectors = () => ''

test('reads a title with one id, several ids, and ids in brackets of their own', () => {
  const source = [
    "test('refuses a code twice [C03]', () => {",
    'test("takes both [A14, A15]", () => {',
    `  test(\`drops a hello from \${attack} [X01] [X02]\`, () => {`,
    '/** Gives the claims [J01]. */',
    "test('says \\'no\\' [T01 T02]', async () => {})",
  ].join('\n')
  assert.deepEqual(findTaggedTitles(source, noVectors), [
    { title: 'refuses a code twice', ids: ['C03'] },
    { title: 'takes both', ids: ['A14', 'A15'] },
    { title: 'drops a hello from …', ids: ['X01', 'X02'] },
    { title: "says 'no'", ids: ['T01', 'T02'] },
  ])
})

test('reads the ids of published vectors', () => {
  const source = [
    "const file = new URL('../vectors/id-token.json', import.meta.url)",
    `test(\`\${result}s a token \${name} [\${requirement}]\`, () => {})`,
  ].join('\n')
  const vectors = '{"requirement": "R01"}, {"requirement": "R02"}, {"requirement": "R01"}'
  assert.deepEqual(
    findTaggedTitles(source, () => vectors),
    [{ title: '…s a token … (vectors/id-token.json)', ids: ['R01', 'R02'] }],
  )
})

test('reads cited sections: lists, ranges, and a list in the next line of a comment', () => {
  const numbersOf = (text: string) =>
    listCitedSections(text).map(({ page, number }) => `${page} ${number}`)
  assert.deepEqual(numbersOf('// Spec §5.1-§5.3, contract §2. RFC 8725 §3.1.'), [
    'spec 5.1',
    'spec 5.3',
    'contract 2',
  ])
  assert.deepEqual(numbersOf('// the tests. Contract\n// §2 to §5, security §1 and §11.'), [
    'contract 2',
    'contract 5',
    'security 1',
    'security 11',
  ])
  assert.deepEqual(numbersOf('(specification §5.2, §4.3)'), ['spec 5.2', 'spec 4.3'])
})

test('reads section numbers without a page, and not those of other standards', () => {
  const text =
    '(spec §5.1) endpoint (§5.2, §4.3). RFC 8725 §3.1, §3.10, HTML Living Standard §9.2.6.'
  assert.deepEqual(listBareSections(text), ['5.2', '4.3'])
})

test('reads cited ids, and no times, colours or parts of words', () => {
  assert.deepEqual(listCitedIds('// Security R01-R04, R10; J05–J07, L01/L02, F09.\n[C03, C04]'), [
    ...['R01', 'R04', 'R10', 'J05', 'J07', 'L01', 'L02', 'F09', 'C03', 'C04'],
  ])
  assert.deepEqual(listCitedIds("'2026-03-01T12:00:00Z' #F05 U+0041 cli_A01 A01B 1.T12 T12.5"), [])
})

test('reads requirements, reasons and heading numbers', () => {
  const page =
    '# Title\n\n## 1 Authorize\n\n- **A01** One.\n\n## 2. Other\n\ntext\n\n### 2.1 Part\n'
  assert.deepEqual(parseSections(page), [
    { title: '1 Authorize', requirements: [{ id: 'A01', text: 'One.' }] },
  ])
  assert.deepEqual([...listHeadingNumbers(page)], ['1', '2', '2.1'])
  assert.deepEqual(
    [...parseReasons('- **V13** Not built yet: x.\n')],
    [['V13', 'Not built yet: x.']],
  )
})
