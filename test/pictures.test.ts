// The pictures of the documentation: each area of the console has at least ten states, each state its sheet, a page
// that shows all of them, and a place in a play; there is no other file. `npm run pictures` writes them.
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AREAS, type AreaStates, buildGallery } from './browser/pictures/states.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pictures = join(root, 'docs/pictures')
const areas = Object.entries<AreaStates>(AREAS)
const MAX_SHEET_BYTES = 250_000
const MAX_ALL_BYTES = 20_000_000

test('shows at least ten states of each area, each on a sheet of four views', () => {
  assert.equal(areas.length, 8)
  for (const [area, { folder, states }] of areas) {
    assert.ok(Object.keys(states).length >= 10, area)
    const sheets = readdirSync(join(pictures, folder)).filter((name) => name.endsWith('.webp'))
    assert.deepEqual(
      sheets.sort(),
      Object.keys(states)
        .map((name) => `${name}.webp`)
        .sort(),
      area,
    )
    for (const sheet of sheets) {
      const { size } = statSync(join(pictures, folder, sheet))
      assert.ok(size > 5000 && size <= MAX_SHEET_BYTES, `${area}/${sheet}: ${size} bytes`)
    }
  }
})

test('has a page for each area that shows every state with its sentence', () => {
  for (const [area, states] of areas) {
    const page = readFileSync(join(pictures, states.folder, 'README.md'), 'utf8')
    assert.equal(page, buildGallery(states), `${area}: npm run pictures`)
  }
})

test('plays every state that it lists', () => {
  const sources = globSync('test/browser/pictures/*.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  )
  const played = sources.flatMap((source) => [
    ...[...source.matchAll(/picture\(\s*'([\w-]+)'/g)].map(([, name]) => name),
    ...[...source.matchAll(/take\(page, 'signIn', '([\w-]+)'/g)].map(([, name]) => name),
    ...[...source.matchAll(/^ {2,4}'?([\w-]+)'?: (?:async )?\(\) =>/gm)].map(([, name]) => name),
  ])
  const listed = areas.flatMap(([, { states }]) => Object.keys(states))
  assert.deepEqual(
    listed.filter((name) => !played.includes(name)),
    [],
  )
})

test('keeps all pictures small enough for a repository', () => {
  const files = globSync('docs/pictures/**/*.{png,webp,svg}', { cwd: root })
  const bytes = files.reduce((sum, path) => sum + statSync(join(root, path)).size, 0)
  assert.ok(bytes <= MAX_ALL_BYTES, `${bytes} bytes`)
})
