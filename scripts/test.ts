// Runs the tests: every one, those whose path contains a fragment, or those that changed files reach.
// Installs Chromium when a browser test needs it. Prints one line for each file as it ends.
// Usage: npm test -- --help
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { launchServer } from '../packages/server/test/postgres-server.ts'
import { listChangedFiles, selectReached } from './test/changed-files.ts'
import { loadDurations, updateDurations, WHOLE_RUN } from './test/durations.ts'
import type { FileResult } from './test/file-results.ts'
import { HELP, type Options, parseOptions } from './test/options.ts'
import { processorSeconds } from './test/processor-time.ts'
import { eachAlone, hasFailed, mergeRetries } from './test/retry.ts'
import { runWork } from './test/run-work.ts'
import {
  countTests,
  formatDetails,
  formatFailures,
  formatFile,
  formatFlaky,
  formatHeaviest,
  formatSkipped,
  formatSlowest,
} from './test/summary.ts'
import { openTemporaryFiles } from './test/temporary-files.ts'
import {
  labelOf,
  listTestFiles,
  needsDisplay,
  startsPrograms,
  type TestFile,
} from './test/test-files.ts'
import { endAll } from './test/test-process.ts'
import { divideWork } from './test/work-items.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const say = (text: string) => process.stdout.write(`${text}\n`)

function readOptions(): Options {
  try {
    return parseOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
    process.exit(2)
  }
}

function selectFiles({ set, fragments, changedSince }: Options): readonly TestFile[] {
  const all = listTestFiles(root, set).filter(
    ({ path }) => fragments.length === 0 || fragments.some((part) => path.includes(part)),
  )
  if (changedSince === undefined) return all
  const changed = listChangedFiles(root, changedSince)
  say(`${changed.length} changed ${changed.length === 1 ? 'file' : 'files'} since ${changedSince}`)
  const { selected, leftOut } = selectReached(root, all, changed)
  if (leftOut.length > 0) {
    say(
      `Left to npm test, which start the whole service or repeat a story: ${leftOut.length} files`,
    )
  }
  return selected
}

/** What a server need not do whose databases live for seconds and which nothing brings back. */
const WITHOUT_DURABILITY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '256MB',
}

/** A server for every file; each test makes a database of its own in it. */
async function startPostgresFor(files: readonly TestFile[]) {
  const isNeeded = files.some(({ path }) => path.startsWith('packages/'))
  if (!isNeeded || process.env.TEST_POSTGRES_URL) return undefined
  return launchServer(WITHOUT_DURABILITY)
}

/** Some two hundred starts of the service and its command line: from the sources each takes twice as long. */
async function buildFor(files: readonly TestFile[]): Promise<void> {
  if (!files.some((file) => startsPrograms(root, file))) return
  const { buildPrograms } = await import('./build/programs.ts')
  await buildPrograms()
  process.env.BUILT_PROGRAMS = '1'
}

async function run(files: readonly TestFile[], options: Options): Promise<FileResult[]> {
  await buildFor(files)
  if (files.some(({ path }) => path.startsWith('test/browser/'))) {
    const { findChromium, findHeadlessShell, installHeadlessShell } = await import('./chromium.ts')
    const chromium = await findChromium()
    await installHeadlessShell()
    if (files.some(needsDisplay)) await (await import('./display.ts')).installDisplay()
    say(`Browser: ${[chromium, findHeadlessShell()].filter(Boolean).join(', ')}`)
  }
  const results: FileResult[] = []
  const diskDirectory = tmpdir()
  const temporary = openTemporaryFiles()
  process.env.TMPDIR = temporary.directory
  const server = await startPostgresFor(files)
  const cleanUp = async (signal: NodeJS.Signals) => {
    endAll(signal)
    await server?.stop()
    temporary.remove()
    process.exit(130)
  }
  process.once('SIGINT', cleanUp)
  process.once('SIGTERM', cleanUp)
  try {
    const runOptions = {
      root,
      workers: options.workers,
      isFilling: options.isFilling,
      temporaryDirectory: temporary.directory,
      diskDirectory,
      env: {
        CHARTSIDE_TEST_RUN_DIRECTORY: temporary.directory,
        ...(server ? { TEST_POSTGRES_URL: server.url } : {}),
        ...(options.set === 'all' ? { NODE_COMPILE_CACHE: `${root}node_modules/.cache/node` } : {}),
      },
      onResult(result: FileResult) {
        results.push(result)
        say(formatFile(result))
        if (options.isVerbose) say(formatDetails(result))
      },
    }
    await runWork(divideWork(files, loadDurations(root)), runOptions)
    if (!options.isRetry) return results
    const again = files.filter((file) => hasFailed(results, file))
    if (again.length === 0) return results
    say(`Once more, one after another: ${again.length} ${again.length === 1 ? 'file' : 'files'}`)
    const first = results.splice(0)
    await runWork(eachAlone(again), { ...runOptions, isFilling: false })
    return mergeRetries(first, results)
  } finally {
    await server?.stop()
    temporary.remove()
  }
}

const options = readOptions()
if (options.isHelp) {
  process.stdout.write(HELP)
  process.exit(0)
}
const files = selectFiles(options)
if (options.isList) {
  for (const file of files) say(labelOf(file))
  process.exit(0)
}
if (files.length === 0) {
  if (options.changedSince !== undefined) {
    say('No test reaches what changed.')
    process.exit(0)
  }
  process.stderr.write(`No test file matches ${options.fragments.join(', ')}.\n`)
  process.exit(1)
}
const beganAt = performance.now()
const results = await run(files, options)
const tookSeconds = (performance.now() - beganAt) / 1000
const wholeRun =
  options.changedSince !== undefined
    ? { [WHOLE_RUN.changed]: tookSeconds }
    : options.set === 'all' && options.fragments.length === 0
      ? { [WHOLE_RUN.all]: tookSeconds }
      : {}
updateDurations(root, {
  ...wholeRun,
  ...Object.fromEntries(
    results
      .filter(({ failures }) => failures.length === 0)
      .map(({ label, seconds }) => [label, seconds]),
  ),
})
const { passed, failed, skipped } = countTests(results)
process.stdout.write(formatSkipped(results))
process.stdout.write(formatFlaky(results))
process.stdout.write(formatFailures(results))
if (results.length > 1) say(`\n${formatSlowest(results)}\n${formatHeaviest(results)}`)
const browsers = results.reduce((sum, { browserSeconds }) => sum + browserSeconds, 0)
say(
  `${results.length} ${results.length === 1 ? 'file' : 'files'} in ${tookSeconds.toFixed(0)} s, ` +
    `${(processorSeconds() + browsers).toFixed(0)} s of processor time`,
)
say(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed > 0 ? 1 : 0)
