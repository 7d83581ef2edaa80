// The documents as tests: what README, ARCHITECTURE and docs say exists does, and every setting and
// address is where a reader would look for it. Reads files; runs nothing.

import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { HANDSHAKE_VERSIONS } from '@chartside/protocol/handshake'
import { buildPackageJson } from '../packages/create-chartside-app/src/app-json.ts'
import { DEFAULTS } from '../packages/create-chartside-app/src/choices.ts'
import { SETTINGS } from '../packages/server/src/config/settings.ts'
import { migrate } from '../packages/server/src/db/migrations/migrate.ts'
import { sql } from '../packages/server/src/db/sql.ts'
import { openSqlite } from '../packages/server/src/db/sqlite/sqlite.ts'
import { SWEPT } from '../packages/server/src/jobs/sweep-store.ts'
import { buildOpenApi } from '../packages/server/src/meta/openapi.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = globSync(
  '{*.md,docs/**/*.md,{packages,examples,bench}/*/*.md,conformance/*.md}',
  {
    cwd: root,
  },
).filter((path) => !path.includes('node_modules'))

test('every link between the documents leads somewhere', () => {
  assert.ok(documents.length > 10)
  const broken: string[] = []
  for (const path of documents) {
    for (const [, target = ''] of read(path).matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      if (!existsSync(join(root, dirname(path), target))) broken.push(`${path} -> ${target}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('docs/operate/configuration.md has every setting with its default and its meaning', () => {
  const text = read('docs/operate/configuration.md')
  for (const { variable, fallback, help } of Object.values(SETTINGS)) {
    const shown = fallback === '' ? '' : `\`${fallback}\``
    assert.ok(text.includes(`| \`${variable}\` | ${shown} | ${help} |`), variable)
  }
})

test('storage.md says of every table who writes it and how long its rows live', async () => {
  const db = openSqlite(':memory:')
  await migrate(db, () => 0)
  const lines = read('docs/inside/storage.md').split('\n')
  const tables = await db.read(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`,
  )
  for (const { name } of tables) {
    const roles = lines.find((line) => line.startsWith(`| \`${name}\` |`))
    assert.equal(roles?.split('|').length, 6, `${name}: the row has writer and lifetime`)
  }
  await db.close()
})

test('storage.md names exactly the rooms that write a table', () => {
  const lines = read('docs/inside/storage.md').split('\n')
  const writers = new Map<string, Set<string>>()
  const note = (table: string, room: string) =>
    writers.set(table, (writers.get(table) ?? new Set<string>()).add(room))
  const sources = globSync('packages/server/src/*/**/*.ts', { cwd: root }).filter(
    (path) => !/\.test\.ts$|migrations\.ts$/.test(path),
  )
  for (const path of sources) {
    for (const [, table = ''] of read(path).matchAll(
      /(?:INSERT INTO|UPDATE|DELETE FROM)\s+([a-z_]+)\b/g,
    )) {
      note(table, path.split('/')[3] ?? '')
    }
  }
  // The sweep puts the names of its tables into one statement.
  for (const table of SWEPT) note(table, 'jobs')
  const roomsIn = (cell = '') =>
    cell
      .replace(/\([^)]*\)/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
  let count = 0
  for (const line of lines.slice(0, lines.indexOf('## Data map'))) {
    const [, table] = /^\| `(\w+)` \|/.exec(line) ?? []
    if (!table) continue
    count += 1
    const [, , , writes] = line.split('|')
    assert.deepEqual(
      roomsIn(writes),
      [...(writers.get(table) ?? [])].sort(),
      `${table}: who writes it`,
    )
  }
  assert.ok(count >= 18)
})

test('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const ofNewApp = buildPackageJson({ name: 'My App', ...DEFAULTS }, {}) as { scripts: object }
  const known = { ...scripts, ...ofNewApp.scripts }
  for (const path of documents) {
    for (const [, name = ''] of read(path).matchAll(/npm run ([a-z-]+)/g)) {
      assert.ok(name in known, `${path}: npm run ${name}`)
    }
  }
})

test('each decision says whether it holds, and what took its place is a later one', () => {
  const paths = globSync('docs/{,inside/}decisions/*.md', { cwd: root }).sort()
  const numbers = paths.map((path) => Number(/(\d{4})-/.exec(path)?.[1]))
  for (const [index, path] of paths.entries()) {
    const [, line = ''] = /^# \d+\. .+\n\nStatus: (.+)\n/.exec(read(path)) ?? []
    assert.match(line, /^(accepted|(amended|superseded) by \d+( and \d+)*)$/, path)
    for (const [later] of line.matchAll(/\d+/g)) {
      assert.ok(numbers.includes(Number(later)), `${path}: ${later} does not exist`)
      assert.ok(Number(later) > (numbers[index] ?? 0), path)
    }
  }
})

test('decisions are numbered without a gap', () => {
  const numbers = globSync('docs/{,inside/}decisions/*.md', { cwd: root })
    .map((path) => Number(/(\d{4})-/.exec(path)?.[1]))
    .sort((a, b) => a - b)
  assert.deepEqual(
    numbers,
    numbers.map((_, i) => i + 1),
  )
})

test('versioning.md names the versions and the headers that the code has', () => {
  const text = read('docs/build/versioning.md')
  const majorOf = (version: string) => version.split('.')[0]
  const { version } = JSON.parse(read('packages/sdk/package.json'))
  const { info } = buildOpenApi([], '') as { info: { version: string } }
  for (const stated of [
    `| SDK | ${majorOf(version)}.x | \`sdk.version\`; \`/sdk/v${majorOf(version)}/sdk.js\``,
    `| messages between SDK and host | ${HANDSHAKE_VERSIONS.join(', ')} |`,
    `| backend API, \`/api\` and \`/auth\` | ${majorOf(info.version)}.x |`,
    'Answers carry no `Deprecation` and no `Sunset` header',
  ]) {
    assert.ok(text.includes(stated), stated)
  }
  const sources = globSync('packages/server/src/**/*.ts', { cwd: root })
  assert.deepEqual(
    sources.filter((path) => /['"](deprecation|sunset)['"]/i.test(read(path))),
    [],
  )
})
