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
  'packages/server/src/app.ts':
    "import './token/token.ts'\nimport './surfaces/page.ts'\nimport './token/token-store.ts'",
  'packages/server/src/db/sql.ts': '',
  'packages/server/src/main.mjs': "await import('./app.ts')",
  'examples/notes/src/notes.ts': '',
  'examples/sandbox/src/sandbox.ts': "import '../../notes/src/notes.ts'",
  'packages/server/src/surfaces/page.ts': '',
  'packages/server/src/token/token.ts': "import type { X } from '@chartside/protocol/launch'",
  'packages/server/src/token/token-store.ts': "import { sql } from '../db/sql.ts'",
  'packages/server/src/token/token.test.ts': "import './token.ts'",
  'packages/server/test/token.story.test.ts': "import '../src/app.ts'",
  'test/browser/sign-in.browser.ts':
    "spawn(new URL('../../packages/server/src/main.mjs', import.meta.url))",
  'test/process/crash.test.ts':
    "spawn(new URL('../../packages/server/src/main.mjs', import.meta.url))",
  'test/browser/sandbox.browser.ts': "import '../../examples/sandbox/src/sandbox.ts'",
  'test/docs.test.ts': "const root = new URL('..', import.meta.url)",
}
for (const [path, text] of Object.entries(TREE)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const file = (path: string, kind: TestFile['kind'], engine: TestFile['engine'] = 'sqlite') => ({
  path,
  kind,
  engine,
})
const UNIT = file('packages/server/src/token/token.test.ts', 'in-process')
const STORY = file('packages/server/test/token.story.test.ts', 'in-process')
const AGAIN = file('packages/server/test/token.story.test.ts', 'in-process', 'postgres')
const BROWSER = file('test/browser/sign-in.browser.ts', 'browser')
const SANDBOX = file('test/browser/sandbox.browser.ts', 'browser')
const CRASH = file('test/process/crash.test.ts', 'process')
const DOCS = file('test/docs.test.ts', 'in-process')
const ALL = [UNIT, STORY, AGAIN, BROWSER, SANDBOX, CRASH, DOCS]

test('selects units and stories of a rule, and leaves programs and PostgreSQL out', () => {
  const { selected, leftOut } = selectReached(root, ALL, ['packages/server/src/token/token.ts'])
  assert.deepEqual(selected, [UNIT, STORY, DOCS])
  assert.deepEqual(leftOut, [AGAIN, BROWSER, CRASH])
})

test('selects the stories on PostgreSQL too when a file with SQL changed', () => {
  const changed = ['packages/server/src/token/token-store.ts']
  assert.deepEqual(selectReached(root, ALL, changed).selected, [STORY, AGAIN, DOCS])
})

test('selects browser tests for a changed page, process tests for a changed start', () => {
  const page = selectReached(root, ALL, ['packages/server/src/surfaces/page.ts'])
  assert.deepEqual(page.selected, [STORY, BROWSER, DOCS])
  const start = selectReached(root, ALL, ['packages/server/src/main.mjs'])
  assert.deepEqual(start.selected, [BROWSER, CRASH, DOCS])
})

test('leaves browser tests that start every sample to a full run', () => {
  const sample = selectReached(root, ALL, ['examples/notes/src/notes.ts'])
  assert.deepEqual([sample.selected, sample.leftOut], [[DOCS], [SANDBOX]])
  const sandbox = selectReached(root, ALL, ['examples/sandbox/src/sandbox.ts'])
  assert.deepEqual(sandbox.selected, [SANDBOX, DOCS])
})

test('follows imports of workspace packages', () => {
  const { selected } = selectReached(root, ALL, ['packages/protocol/src/launch.ts'])
  assert.deepEqual(selected, [UNIT, STORY, DOCS])
})

test('selects only the tests that read the whole tree for a file that none imports', () => {
  const { selected, leftOut } = selectReached(root, ALL, ['docs/callers.md'])
  assert.deepEqual([selected, leftOut], [[DOCS], []])
})
