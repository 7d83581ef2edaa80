// The table of findings: each row names a test that is there, with the requirement in its title or its file. Reads text;
// what the test shows, it shows itself.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

const rows = read('docs/inside/findings.md')
  .split('\n')
  .filter((line) => /^\| [HMLRF]-\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, id = '', , , , requirement = '', shown = '']) => {
    const [, path = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(shown) ?? []
    return { id, path, title, requirements: requirement.split(', ') }
  })

test('names for each finding a test that is there, with its requirement', () => {
  for (const { id, path, title, requirements } of rows) {
    assert.ok(existsSync(new URL(path, root)), `${id}: ${path}`)
    const text = read(path)
    // Of a test, not of a comment.
    const isTitle = ["'", '`'].some((quote) => text.includes(`${quote}${title}`))
    assert.ok(title.length > 20 && isTitle, `${id}: ${title}`)
    for (const requirement of requirements) {
      assert.ok(text.includes(requirement), `${id}: ${path} does not name ${requirement}`)
    }
  }
})

test('has every finding of the review', () => {
  const ids = new Set(rows.map(({ id }) => id))
  const range = (severity: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${severity}-${i + 1}`)
  assert.deepEqual(
    [...range('H', 4), ...range('M', 7), ...range('L', 10)].filter((id) => !ids.has(id)),
    [],
  )
})
