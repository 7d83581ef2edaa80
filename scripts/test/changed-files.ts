// Finds the files that differ from a revision and the tests that reach them through the import
// graph. Decides which of those --changed leaves to a full run. Changes nothing in the tree.
import { execFileSync } from 'node:child_process'
import { findReachable, listReferences } from './file-imports.ts'
import { isOnPostgres, type TestFile } from './test-files.ts'

/** Paths below the root: committed since the revision, uncommitted, and not yet added. */
export function listChangedFiles(root: string, base: string): readonly string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const tracked = git('diff', '--name-only', '--relative', base, '--')
  return [...new Set([...tracked, ...git('ls-files', '--others', '--exclude-standard')])].sort()
}

/** The files in which every room of the service comes together, and every sample with the service. */
const COMPOSITION = 'packages/server/src/app.ts'
const SANDBOX = ['examples/sandbox/src/chosen-apps.ts', 'examples/sandbox/src/sandbox.ts']
const SERVICE = 'packages/server/src/'

/** What tests that start the service as a program are there to show of it. */
const SHOWN_BY: Readonly<Record<'browser' | 'process', readonly string[]>> = {
  browser: ['http/html/', 'meta/', 'sign-in/', 'surfaces/'],
  process: ['app.ts', 'cluster/', 'config/', 'db/', 'jobs/', 'keys/', 'main.mjs', 'process.ts'],
}

export interface Selection {
  readonly selected: readonly TestFile[]
  /** What reaches a change only through the whole service, or only differs in the engine. */
  readonly leftOut: readonly TestFile[]
}

export function selectReached(
  root: string,
  files: readonly TestFile[],
  changed: readonly string[],
): Selection {
  const isSQLChanged = changed.some((path) => concernsEngine(root, path))
  const selected: TestFile[] = []
  const leftOut: TestFile[] = []
  for (const file of files) {
    if (!isReached(findReachable(root, file.path), file, changed)) continue
    const near = findReachable(root, file.path, (path) => isClosedFor(file, path))
    const isNear = isReached(near, file, changed) || isShown(file, changed)
    const isWanted = isOnPostgres(file) ? isSQLChanged : file.kind === 'in-process' || isNear
    ;(isWanted ? selected : leftOut).push(file)
  }
  return { selected, leftOut }
}

/** Through what a test does not get near a change: what it starts as a whole. */
function isClosedFor({ path: test, kind }: TestFile, path: string): boolean {
  if (kind === 'browser' && path.startsWith('packages/server/test/')) return true
  return path === COMPOSITION || (SANDBOX.includes(path) && !test.startsWith('examples/sandbox/'))
}

/** A folder is reached with everything in it; the root counts for tests that read the whole tree. */
function isReached(
  reached: ReadonlySet<string>,
  { kind }: TestFile,
  changed: readonly string[],
): boolean {
  const isBelow = (path: string) => {
    const parts = path.split('/')
    return parts.some((_, length) => length > 0 && reached.has(parts.slice(0, length).join('/')))
  }
  if (kind === 'in-process' && reached.has('.')) return changed.length > 0
  return changed.some((path) => reached.has(path) || isBelow(path))
}

const isShown = ({ kind }: TestFile, changed: readonly string[]) =>
  (kind === 'browser' || kind === 'process') &&
  SHOWN_BY[kind].some((room) => changed.some((path) => path.startsWith(SERVICE + room)))

/** A driver, a migration, or a file that holds SQL; fixtures of the stories too. */
function concernsEngine(root: string, path: string): boolean {
  if (path.startsWith(`${SERVICE}db/`) || path.startsWith('packages/server/test/')) return true
  return path.startsWith(SERVICE) && listReferences(root, path).includes(`${SERVICE}db/sql.ts`)
}
