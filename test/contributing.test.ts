// CONTRIBUTING.md as a test: each place that it names exists and has the function that it names.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('names files and functions that exist', () => {
  const rows = [...read('CONTRIBUTING.md').matchAll(/^\| [^|]+ \| `([^`]+)`, `(\w+)` \|$/gm)]
  assert.equal(rows.length, 4)
  for (const [, path = '', name = ''] of rows) {
    assert.ok(existsSync(join(root, path)), path)
    assert.match(
      read(path),
      new RegExp(`export (?:async function|function|const) ${name}\\b`),
      path,
    )
  }
})

test('names paths that exist in every recipe', () => {
  const paths = read('CONTRIBUTING.md').match(/`(?:packages|docs|test)\/[\w./-]+`/g) ?? []
  assert.ok(paths.length > 8)
  for (const path of paths) assert.ok(existsSync(join(root, path.slice(1, -1))), path)
})

test('has a README in every room of the server and in every package', () => {
  const folders = ['packages/server/src', 'packages', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${folder}/${entry.name}`),
  )
  assert.ok(folders.length > 30)
  assert.deepEqual(
    folders.filter((folder) => !existsSync(join(root, folder, 'README.md'))),
    [],
  )
})
