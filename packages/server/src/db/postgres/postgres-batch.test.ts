// Which question marks of a statement are parameters: pairs of what is written and what is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberPlaceholders } from './postgres-batch.ts'

const SQL: [string, string][] = [
  ['a = ? AND b = ?', 'a = $1 AND b = $2'],
  [`'?' || ? || 'it''s ?' || ?`, `'?' || $1 || 'it''s ?' || $2`],
  [`"odd ""?"" name" = ?`, `"odd ""?"" name" = $1`],
  ['? -- ? no\n, ? /* ? no\n? */, ?', '$1 -- ? no\n, $2 /* ? no\n? */, $3'],
  ["'' = ? AND '' = ?", "'' = $1 AND '' = $2"],
  ['SELECT 1', 'SELECT 1'],
]
for (const [written, sent] of SQL) {
  test(`sends ${JSON.stringify(written)} as ${JSON.stringify(sent)}`, () => {
    assert.equal(numberPlaceholders(written), sent)
  })
}
