// The table of test files: which there are, of which kind each is, which run again on PostgreSQL and
// which need the machine for themselves. Reads the tree; runs nothing.
import { globSync } from 'node:fs'
import { findReachable } from './file-imports.ts'

/** `in-process`: may share a process with others, as some of `browser`. The rest gets a process for each file. */
export type Kind = 'in-process' | 'process' | 'browser' | 'performance'

export interface TestFile {
  readonly path: string
  readonly kind: Kind
  readonly engine: 'sqlite' | 'postgres'
  /** Gets a process of its own although it starts none. */
  readonly isIsolated?: boolean
  /** A browser test that may share a process with others of its kind. */
  readonly isShared?: boolean
}

/** Starting the service in a test, on the engine that the environment names. */
const ENGINE_FIXTURE = 'packages/server/test/test-service.ts'

/** What takes the work of others for its own slowness; each with its reason. */
export const ALONE: readonly string[] = []

/** What waits for a time that the service itself keeps, and does nothing meanwhile. */
export const WAITING: readonly string[] = [
  'test/process/audit-command.test.ts',
  'test/process/slow-database.test.ts',
  'test/browser/sandbox-kill-switch.browser.ts',
  'conformance/test/peer.test.ts',
  'conformance/test/real-service.test.ts',
  'examples/sandbox/test/child.test.ts',
  'packages/operator/src/copy/copy.test.ts',
  'packages/server/test/readiness.story.test.ts',
]

/** An app that bundles its page stops the bundler afterwards, also under other apps of the process. */
const STOPS_BUNDLER = /\/app-kit\/src\/node\/assets\.ts$/

/** Browser tests that leave the settings of their process as they are, and so may share it and Chromium. */
const SHARES_BROWSER =
  /^test\/browser\/(app-pages|console|doc|error-page|examples|handshake|match-pattern|own-app|panel|passkey|provider|sandbox|sign-in|ui-gallery)/

/** What installs packages: more than a file system in memory should hold. */
const ON_DISK = /^test\/packed\/|^test\/browser\/(create|packed)/

export const needsDisk = ({ path }: TestFile) => ON_DISK.test(path)

/** Looks at windows of the browser that are no part of a page. */
export const needsDisplay = ({ path }: TestFile) =>
  path === 'test/browser/extension-permission.browser.ts'

/** Takes minutes, because it installs and builds. */
export const isLarge = ({ path }: TestFile) => path.endsWith('.next.ts')

/** Beside the stories of the server: what a person does from the first page to the last. */
const ON_BOTH_ENGINES: readonly string[] = [
  'test/browser/console-first-launch.browser.ts',
  'test/browser/console-trace.browser.ts',
]

/** By the dozen, or the whole sandbox. */
const STARTS_PROCESSES =
  /^(test\/(process|packed)\/|test\/command-help|conformance\/test\/|examples\/sandbox\/test\/(sandbox|restart|own-app)\.)/

const PROGRAMS = ['packages/server/src/main.mjs', 'packages/operator/src/main.mjs']

/** Whether a test starts the service or its command line as a process. */
export function startsPrograms(root: string, { path }: TestFile): boolean {
  const reached = findReachable(root, path)
  return PROGRAMS.some((program) => reached.has(program))
}

const EXCLUDE = ['**/node_modules/**', '**/templates/**']

export const isOnPostgres = ({ engine }: TestFile) => engine === 'postgres'

export const labelOf = (file: TestFile) =>
  isOnPostgres(file) ? `${file.path} (PostgreSQL)` : file.path

function kindOf(path: string): Kind {
  if (path.endsWith('.perf.ts')) return 'performance'
  if (path.endsWith('.browser.ts')) return 'browser'
  return STARTS_PROCESSES.test(path) ? 'process' : 'in-process'
}

function list(root: string, pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: EXCLUDE })
    .filter((path) => !path.includes('node_modules/'))
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
}

/** What `npm test` runs, and what has a command of its own: `test:perf`, `test:next`. */
export type TestSet = 'all' | 'performance' | 'next'

/** Every test file of a set, those on both engines twice. */
export function listTestFiles(root: string, set: TestSet): TestFile[] {
  if (set === 'next') {
    return list(root, 'test/browser/**/*.next.ts').map((path) => ({
      path,
      kind: 'browser',
      engine: 'sqlite',
    }))
  }
  if (set === 'performance') {
    return list(root, 'test/{performance,browser}/**/*.perf.ts').map((path) => ({
      path,
      kind: 'performance',
      engine: 'sqlite',
    }))
  }
  const paths = [
    ...list(root, '{packages,examples,test,bench,scripts,conformance}/**/*.test.ts'),
    ...list(root, 'test/browser/**/*.browser.ts'),
  ]
  const files = paths.map((path): TestFile => {
    const kind = kindOf(path)
    const isIsolated =
      kind === 'in-process' && [...findReachable(root, path)].some((one) => STOPS_BUNDLER.test(one))
    const isShared = kind === 'browser' && SHARES_BROWSER.test(path)
    return {
      ...{ path, kind, engine: 'sqlite' },
      ...(isIsolated ? { isIsolated } : {}),
      ...(isShared ? { isShared } : {}),
    }
  })
  const again = files.filter(
    ({ path, kind }) =>
      ON_BOTH_ENGINES.includes(path) ||
      (kind === 'in-process' &&
        path.startsWith('packages/server/test/') &&
        findReachable(root, path).has(ENGINE_FIXTURE)),
  )
  return [...files, ...again.map((file): TestFile => ({ ...file, engine: 'postgres' }))]
}
