// Tests which test files a change selects, on a small tree of its own.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { selectReached } from './changed-files.ts'
import type { TestFile } from './test-files.ts'

const root = mkdtempSync(join(tmpdir(), 'chartside-changed-'))
after(() => rmSync(root, { recursive: true }))

const TREE: Readonly<Record<string, string>> = {
  'packages/protocol/package.json':
    '{"name":"@chartside/protocol","exports":{"./launch":"./src/launch.ts"}}',
  'packages/protocol/src/launch.ts': '',
  'packages/server/src/app.ts': "import './token/token.ts'\nimport './token/token-store.ts'",
  'packages/server/src/db/sql.ts': '',
  'packages/server/src/main.mjs': "await import('./app.ts')",
  'packages/server/src/token/token.ts': "import type { X } from '@chartside/protocol/launch'",
  'packages/server/src/token/token-store.ts': "import { sql } from '../db/sql.ts'",
  'packages/server/src/token/token.test.ts': "import './token.ts'",
  'packages/server/test/token.story.test.ts': "import '../src/app.ts'; test('code_replayed')",
  'test/process/crash.test.ts':
    "spawn(new URL('../../packages/server/src/main.mjs', import.meta.url))",
  'test/docs.test.ts': "const root = new URL('..', import.meta.url)",
}
for (const [path, text] of Object.entries(TREE)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const file = (path: string, engine: TestFile['engine'] = 'sqlite', tier: 1 | 2 = 1): TestFile => ({
  path,
  tier,
  kind: tier === 1 ? 'in-process' : 'process',
  engine,
  isIsolated: tier === 2,
})
const UNIT = file('packages/server/src/token/token.test.ts')
const STORY = file('packages/server/test/token.story.test.ts')
const AGAIN = file('packages/server/test/token.story.test.ts', 'postgres')
const CRASH = file('test/process/crash.test.ts', 'sqlite', 2)
const DOCS = file('test/docs.test.ts')
const ALL = [UNIT, STORY, AGAIN, CRASH, DOCS]
const BOUNDS = { durations: {}, maxSeconds: 60 }

const select = (paths: readonly string[], words: readonly string[] = [], bounds = BOUNDS) =>
  selectReached(root, ALL, { paths, words }, bounds)

test('selects what is beside a rule, and leaves what reaches it through the service', () => {
  const { selected, leftOut } = select(['packages/server/src/token/token.ts'])
  assert.deepEqual(selected, [UNIT, DOCS])
  assert.deepEqual(leftOut, [STORY, AGAIN, CRASH])
})

test('selects a story that names a word of the change', () => {
  const { selected } = select(['packages/server/src/token/token.ts'], ['code_replayed'])
  assert.deepEqual(selected, [UNIT, STORY, DOCS])
})

test('selects a named story on PostgreSQL too when a file with SQL changed', () => {
  const { selected } = select(['packages/server/src/token/token-store.ts'], ['code_replayed'])
  assert.deepEqual(selected, [STORY, AGAIN, DOCS])
})

test('follows imports of workspace packages, and stops at the time that it may take', () => {
  const paths = ['packages/protocol/src/launch.ts']
  assert.deepEqual(select(paths).selected, [DOCS, UNIT])
  assert.deepEqual(select(paths, [], { ...BOUNDS, maxSeconds: 1 }).selected, [DOCS])
})

test('selects only the tests that read the whole tree for a file that none imports', () => {
  const { selected, leftOut } = select(['docs/operate/callers.md'])
  assert.deepEqual([selected, leftOut], [[DOCS], []])
})
