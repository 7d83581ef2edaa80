// The states of the pages that `npm run tool -- pictures` plays: each area has at least ten, and each that is
// listed is played. The pictures themselves are no part of the repository, but for eight that docs show.
import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AREAS, type AreaStates } from './browser/pictures/states.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const areas = Object.entries<AreaStates>(AREAS)
const MAX_PICTURE_BYTES = 100_000

test('lists at least ten states of each of eight areas', () => {
  assert.equal(areas.length, 8)
  const few = areas.filter(([, { states }]) => Object.keys(states).length < 10)
  assert.deepEqual(few, [])
})

test('plays every state that it lists', () => {
  const sources = globSync('test/browser/pictures/*.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  )
  const played = sources.flatMap((source) => [
    ...[...source.matchAll(/picture\(\s*'([\w-]+)'/g)].map(([, name]) => name),
    ...[...source.matchAll(/capture\(page, 'signIn', '([\w-]+)'/g)].map(([, name]) => name),
    ...[...source.matchAll(/^ {2,4}'?([\w-]+)'?: (?:async )?\(\) =>/gm)].map(([, name]) => name),
  ])
  const listed = areas.flatMap(([, { states }]) => Object.keys(states))
  assert.deepEqual(
    listed.filter((name) => !played.includes(name)),
    [],
  )
})

test('keeps six small pictures in the repository, each shown by a page', () => {
  const kept = globSync('docs/**/*.{png,webp,svg,gif,jpg}', { cwd: root })
  assert.ok(kept.length <= 6, kept.join(', '))
  const pages = globSync('{README.md,docs/**/*.md}', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  )
  for (const path of kept) {
    assert.ok(statSync(join(root, path)).size < MAX_PICTURE_BYTES, path)
    const name = path.slice(path.lastIndexOf('/') + 1)
    assert.ok(
      pages.some((page) => page.includes(`/${name})`)),
      `no page shows ${name}`,
    )
  }
})
