// The table of test files: which there are, the tier and kind of each, and which run again on PostgreSQL.
// Folder and ending of a file decide, never a list of names. Reads the tree; runs nothing.
import { globSync } from 'node:fs'
import { findReachable } from './file-imports.ts'

/**
 * 1: `npm test`, what a change needs. 2: added by `--all`, what only a browser or a process shows.
 * 3: `npm run test:release`, what takes minutes alone or needs the machine for itself.
 */
export type Tier = 1 | 2 | 3

/** `in-process` and `browser` files may share a process with others of their kind. */
export type Kind = 'in-process' | 'process' | 'browser' | 'release'

export interface TestFile {
  readonly path: string
  readonly tier: Tier
  readonly kind: Kind
  readonly engine: 'sqlite' | 'postgres'
  /** Gets a process for itself. */
  readonly isIsolated: boolean
}

const RELEASE = /\.(release|perf|next)\.ts$/
const BROWSER = /\.browser\.ts$/
const PROCESS = /^test\/(process|packed)\/|\.process\.ts$/

/** What installs packages: more than a file system in memory should hold. */
export const needsDisk = ({ path }: TestFile) => path.startsWith('test/packed/')

/** Takes minutes, because it installs and builds, or visits each page in every view. */
export const isLarge = ({ path }: TestFile) => /\.(next|release)\.ts$/.test(path)

/** Looks at windows of the browser that are no part of a page. */
export const needsDisplay = (root: string, { path }: TestFile) =>
  findReachable(root, path).has('scripts/display.ts')

/** An app that bundles its page stops the bundler afterwards, also under other apps of the process. */
const EXAMPLES = /^examples\/(?!sandbox\/)/

const EXCLUDE = ['**/node_modules/**', '**/templates/**']

export const isOnPostgres = ({ engine }: TestFile) => engine === 'postgres'

export const labelOf = (file: TestFile) =>
  isOnPostgres(file) ? `${file.path} (PostgreSQL)` : file.path

function tierOf(path: string): Tier {
  if (RELEASE.test(path)) return 3
  return PROCESS.test(path) || path.startsWith('test/browser/') ? 2 : 1
}

function kindOf(path: string): Kind {
  if (RELEASE.test(path)) return 'release'
  if (BROWSER.test(path)) return 'browser'
  return PROCESS.test(path) ? 'process' : 'in-process'
}

/** Files directly in `test/browser` share a Chromium; those of its folders start one of their own. */
function isIsolated(path: string, kind: Kind): boolean {
  if (kind === 'in-process') return EXAMPLES.test(path)
  return kind !== 'browser' || !/^test\/browser\/[^/]+$/.test(path)
}

/** Stories of the service, in process and in a browser, show the same on both engines. */
const isStory = (path: string) =>
  path.endsWith('.story.browser.ts') ||
  /^packages\/server\/test\/.*\.story\.(test|process)\.ts$/.test(path)

/** Every test file of the project, those on both engines twice. */
export function listTestFiles(root: string): TestFile[] {
  const pattern =
    '{packages,examples,test,bench,scripts,conformance}/**/*.{test,browser,process,release,perf,next}.ts'
  const files = globSync(pattern, { cwd: root, exclude: EXCLUDE })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/'))
    .sort()
    .map((path): TestFile => {
      const kind = kindOf(path)
      return {
        path,
        tier: tierOf(path),
        kind,
        engine: 'sqlite',
        isIsolated: isIsolated(path, kind),
      }
    })
  const again = files.filter(({ path }) => isStory(path))
  return [...files, ...again.map((file): TestFile => ({ ...file, engine: 'postgres' }))]
}
