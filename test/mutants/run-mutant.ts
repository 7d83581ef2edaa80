// Runs the tests of one mutant, the nearest first, and ends at the first test that fails. Decides what
// that shows: caught by a test, caught because the test never ended, broken before a test ran, or
// survived. Each test file is a process group of its own.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { type Mutant, plant } from './mutant.ts'

export type Outcome = 'caught' | 'survived' | 'broken'

export interface Verdict {
  readonly outcome: Outcome
  /** The title of the test that caught it, or what was seen instead. */
  readonly by: string
  readonly seconds: number
}

export interface RunOptions {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const FILE_SECONDS = 180
const OVERLAY = new URL('overlay.mjs', import.meta.url).href

type FileEnd = { readonly failed: string } | 'passed' | 'never ended'

/** @param failing the titles that fail in a test file without any fault; asked only for one that fails */
export async function runMutant(
  mutant: Mutant,
  options: RunOptions,
  failing: (path: string) => Promise<ReadonlySet<string> | undefined>,
): Promise<Verdict> {
  const beganAt = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'chartside-mutant-'))
  const mark = join(folder, 'loaded')
  const path = join(options.root, mutant.file)
  const planted = join(folder, 'planted')
  writeFileSync(planted, plant(readFileSync(path, 'utf8'), mutant))
  const url = pathToFileURL(path).href
  const env = {
    ...options.env,
    PLANTED_MUTANT: JSON.stringify({ url, planted, mark }),
    NODE_OPTIONS: `--import=${OVERLAY}`,
    ...(mutant.engine === 'postgres' ? { CHARTSIDE_TEST_ENGINE: 'postgres' } : {}),
  }
  const end = (outcome: Outcome, by: string): Verdict => ({
    outcome,
    by,
    seconds: (performance.now() - beganAt) / 1000,
  })
  try {
    for (const path of mutant.tests) {
      let ended = await runTestFile(path, { ...options, env }, new Set())
      if (ended === 'passed') continue
      const without = await failing(path)
      if (!without) return end('broken', `${path} does not load without the fault`)
      if (without.size > 0) ended = await runTestFile(path, { ...options, env }, without)
      if (ended === 'passed') continue
      if (ended === 'never ended') return end('caught', `${path} did not end`)
      // A file that fails as a whole did not load: the fault is no program, and shows nothing.
      if (ended.failed === '') return end('broken', `${path} failed before any test`)
      return end('caught', ended.failed)
    }
    if (!existsSync(mark)) return end('broken', `none of its tests loads ${mutant.file}`)
    return end('survived', '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The titles that fail without a fault; undefined when the file fails before any test. */
export async function listFailing(
  path: string,
  options: RunOptions,
): Promise<ReadonlySet<string> | undefined> {
  const titles = new Set<string>()
  for (;;) {
    const ended = await runTestFile(path, options, titles)
    if (ended === 'passed') return titles
    if (ended === 'never ended' || ended.failed === '') return undefined
    titles.add(ended.failed)
  }
}

/** Runs one file until its end or its first failed test. `failed` is '' without such a test. */
async function runTestFile(
  path: string,
  { root, env, signal }: RunOptions,
  ignored: ReadonlySet<string>,
): Promise<FileEnd> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--test-reporter=tap', path],
    {
      cwd: root,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const endGroup = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group has ended.
    }
  }
  let failed: string | undefined
  let hasIgnored = false
  let isLate = false
  const bound = setTimeout(() => {
    isLate = true
    endGroup()
  }, FILE_SECONDS * 1000)
  signal.addEventListener('abort', endGroup)
  createInterface({ input: child.stdout }).on('line', (line) => {
    // The tests within a suite come before the suite itself.
    const title = /^\s*not ok \d+ - (.*?)(?: # (?:TODO|SKIP).*)?$/.exec(line)?.[1]
    if (title === undefined || failed !== undefined) return
    if (ignored.has(unescapeTitle(title))) {
      hasIgnored = true
      return
    }
    failed = title
    endGroup()
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  clearTimeout(bound)
  signal.removeEventListener('abort', endGroup)
  endGroup()
  signal.throwIfAborted()
  if (failed !== undefined) return { failed: unescapeTitle(failed) }
  if (isLate) return 'never ended'
  return code === 0 || hasIgnored ? 'passed' : { failed: '' }
}

/** TAP escapes `#` and `\`. */
const unescapeTitle = (title: string) => title.replace(/\\(.)/g, '$1')
