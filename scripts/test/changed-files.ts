// Finds the files that differ from a revision, and which tests of the first tier a change needs most: those
// that changed, name a word of the change, or are near it in the import graph. Changes nothing in the tree.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findReachable, listReferences } from './file-imports.ts'
import { isOnPostgres, type TestFile } from './test-files.ts'
import { type Durations, secondsOf } from './work-items.ts'

export interface Change {
  /** Paths below the root: committed since the revision, uncommitted, and not yet added. */
  readonly paths: readonly string[]
  /** String literals of added and removed lines: a reason, a setting, a path of a route. */
  readonly words: readonly string[]
}

/** A shorter literal stands in too many files to say which test is meant. */
const LITERAL = /['"`]([A-Za-z/][\w/:.-]{5,60})['"`]/g

export function findChange(root: string, base: string): Change {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 })
  const lines = (text: string) => text.split('\n').filter(Boolean)
  const tracked = lines(git('diff', '--name-only', '--relative', base, '--'))
  const added = lines(git('ls-files', '--others', '--exclude-standard'))
  const diff = git('diff', '--unified=0', '--relative', base, '--', '*.ts', '*.tsx', '*.mjs')
  const changedLines = lines(diff).filter((line) => /^[+-](?![+-])(?!\s*import\b)/.test(line))
  const words = changedLines.flatMap((line) =>
    [...line.matchAll(LITERAL)].map(([, word = '']) => word),
  )
  return {
    paths: [...new Set([...tracked, ...added])].sort(),
    words: [...new Set(words)].filter((word) => !/^\.{0,2}\/.*\.(ts|tsx|mjs)$|^node:/.test(word)),
  }
}

/** The files in which every room of the service and every sample comes together. */
const COMPOSITION: ReadonlySet<string> = new Set([
  'packages/server/src/app.ts',
  'examples/sandbox/src/chosen-apps.ts',
  'examples/sandbox/src/sandbox.ts',
])

export interface Selection {
  /** The most needed first. */
  readonly selected: readonly TestFile[]
  /** What reaches the change only through the whole service, only differs in the engine, or is too much. */
  readonly leftOut: readonly TestFile[]
}

export interface SelectionBounds {
  readonly durations: Durations
  /** Recorded or guessed seconds of one process after another. */
  readonly maxSeconds: number
}

/** @param files all that may run; those of later tiers are left out */
export function selectReached(
  root: string,
  files: readonly TestFile[],
  change: Change,
  { durations, maxSeconds }: SelectionBounds,
): Selection {
  const isSQLChanged = change.paths.some((path) => concernsEngine(root, path))
  const reached = files.filter(({ path }) => isReached(findReachable(root, path), change.paths))
  const ranked = reached.map((file) => ({ file, rank: rankOf(root, file, change, isSQLChanged) }))
  ranked.sort((a, b) => a.rank - b.rank)
  const selected: TestFile[] = []
  const leftOut: TestFile[] = []
  let seconds = 0
  for (const { file, rank } of ranked) {
    const isWanted = rank < LEFT_OUT && (rank < NEAR || seconds < maxSeconds)
    if (isWanted) seconds += secondsOf(file, durations)
    ;(isWanted ? selected : leftOut).push(file)
  }
  return { selected, leftOut }
}

const NEAR = 3
const LEFT_OUT = 4

/** 0 changed itself; 1 beside a changed file; 2 names a word of the change or reads the tree; 3 near. */
function rankOf(root: string, file: TestFile, change: Change, isSQLChanged: boolean): number {
  const { path, tier } = file
  if (tier > 1) return LEFT_OUT
  if (change.paths.includes(path)) return 0
  if (isOnPostgres(file) && !isSQLChanged) return LEFT_OUT
  if (change.paths.includes(path.replace(/\.test\.ts$/, '.ts'))) return 1
  const reached = findReachable(root, path)
  if (reached.has('.')) return 2
  const text = readFileSync(join(root, path), 'utf8')
  if (change.words.some((word) => text.includes(word))) return 2
  const near = findReachable(root, path, (one) => COMPOSITION.has(one))
  return isReached(near, change.paths) ? NEAR : LEFT_OUT
}

/** A folder is reached with everything in it; the root counts for tests that read the whole tree. */
function isReached(reached: ReadonlySet<string>, changed: readonly string[]): boolean {
  const isBelow = (path: string) => {
    const parts = path.split('/')
    return parts.some((_, length) => length > 0 && reached.has(parts.slice(0, length).join('/')))
  }
  if (reached.has('.')) return changed.length > 0
  return changed.some((path) => reached.has(path) || isBelow(path))
}

const SERVICE = 'packages/server/src/'

/** A driver, a migration, or a file that holds SQL. */
function concernsEngine(root: string, path: string): boolean {
  if (path.startsWith(`${SERVICE}db/`)) return true
  return path.startsWith(SERVICE) && listReferences(root, path).includes(`${SERVICE}db/sql.ts`)
}
