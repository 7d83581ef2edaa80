// Finds the files that differ from a revision and the tests that reach them through the import
// graph. Changes nothing in the working tree.
import { execFileSync } from 'node:child_process'
import { findReachable } from './file-imports.ts'
import type { TestFile } from './test-files.ts'

/** Paths below the root: committed since the revision, uncommitted, and not yet added. */
export function listChangedFiles(root: string, base: string): readonly string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const tracked = git('diff', '--name-only', '--relative', base, '--')
  return [...new Set([...tracked, ...git('ls-files', '--others', '--exclude-standard')])]
}

export interface Selection {
  readonly selected: readonly TestFile[]
  /** What reaches a change only by starting the whole service as a program. */
  readonly leftOut: readonly TestFile[]
}

export function selectReached(
  root: string,
  files: readonly TestFile[],
  changed: readonly string[],
): Selection {
  const selected = files.filter(({ path }) => {
    const reached = findReachable(root, path)
    return changed.some((one) => reached.has(one))
  })
  return { selected, leftOut: [] }
}
