// Runs the tests of one or more tiers, those whose path contains a fragment, or those that a change needs.
// Installs Chromium when a browser test needs it. Prints one line for each file as it ends, and fails when
// the first tier costs more processor time than it may. Usage: npm test -- --help
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { launchServer } from '../packages/server/test/postgres-server.ts'
import { findChange, selectReached } from './test/changed-files.ts'
import { loadDurations, updateDurations, WHOLE_RUN } from './test/durations.ts'
import type { FileResult } from './test/file-results.ts'
import { HELP, type Options, parseOptions } from './test/options.ts'
import { measureSlowness } from './test/processor-speed.ts'
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
import { labelOf, listTestFiles, needsDisplay, type TestFile } from './test/test-files.ts'
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

/** The bound of the chosen tests: about 45 seconds with two workers on two idle cores. */
const MAX_CHANGED_SECONDS = 60

function selectFiles({ tiers, engine, fragments, changedSince }: Options): readonly TestFile[] {
  const all = listTestFiles(root).filter(
    (file) =>
      tiers.includes(file.tier) &&
      (engine === undefined || file.engine === engine) &&
      (fragments.length === 0 || fragments.some((part) => file.path.includes(part))),
  )
  if (changedSince === undefined) return all
  const change = findChange(root, changedSince)
  const count = change.paths.length
  say(`${count} changed ${count === 1 ? 'file' : 'files'} since ${changedSince}`)
  const bounds = { durations: loadDurations(root), maxSeconds: MAX_CHANGED_SECONDS }
  const { selected, leftOut } = selectReached(root, all, change, bounds)
  const later = leftOut.filter(({ tier }) => tier > 1).length
  say(
    `${selected.length} test files need it most. Left to npm test: ${leftOut.length - later}; ` +
      `left to npm test -- --all: ${later}`,
  )
  return selected
}

/** The settings of a server whose databases live for seconds: nothing has to survive a crash. */
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
  if (files.every(({ tier }) => tier === 1)) return
  const { buildPrograms } = await import('./build/programs.ts')
  await buildPrograms()
  process.env.BUILT_PROGRAMS = '1'
}

async function run(files: readonly TestFile[], options: Options): Promise<FileResult[]> {
  await buildFor(files)
  if (files.some(({ path }) => /\.(browser|next)\.ts$|^test\/browser\//.test(path))) {
    const { findChromium, findHeadlessShell, installHeadlessShell } = await import('./chromium.ts')
    const chromium = await findChromium()
    await installHeadlessShell()
    if (files.some((file) => needsDisplay(root, file)))
      await (await import('./display.ts')).installDisplay()
    say(`Browser: ${[chromium, findHeadlessShell()].filter(Boolean).join(', ')}`)
  }
  const results: FileResult[] = []
  const diskDirectory = tmpdir()
  const temporary = openTemporaryFiles()
  process.env.TMPDIR = temporary.directory
  const server = await startPostgresFor(files)
  const cleanUp = async (signal: NodeJS.Signals) => {
    await endAll(signal)
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
        ...(!options.tiers.includes(3)
          ? { NODE_COMPILE_CACHE: `${root}node_modules/.cache/node` }
          : {}),
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

/** The processor seconds that `npm test` may cost; more and a change is no longer tested often. */
const FIRST_TIER_SECONDS = 320
/** The factor beside browsers, as with --all: the same work costs more processor time there. */
const TOLERANCE_BESIDE_BROWSERS = 1.25

/** Prints what the first tier cost; true when that is more than it may. */
function checkBudget(
  files: readonly TestFile[],
  results: readonly FileResult[],
  slownessBefore: number,
): boolean {
  const first = new Set(files.filter(({ tier }) => tier === 1).map(labelOf))
  if (first.size === 0) return false
  const seconds = results
    .filter(({ label }) => first.has(label))
    .reduce((sum, result) => sum + result.processorSeconds, 0)
  const isBeside = files.some(({ tier }) => tier > 1)
  const slowness = (slownessBefore + measureSlowness()) / 2
  const most = FIRST_TIER_SECONDS * slowness * (isBeside ? TOLERANCE_BESIDE_BROWSERS : 1)
  const isOver = seconds > most
  const verdict = isOver ? 'too many: make a test cheaper, or move what needs a process' : 'of'
  say(
    `First tier: ${seconds.toFixed(0)} processor seconds ${verdict} ${most.toFixed(0)}` +
      ` (${FIRST_TIER_SECONDS} alone on a machine that does nothing else)`,
  )
  return isOver
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
const slowness = measureSlowness()
const results = await run(files, options)
const tookSeconds = (performance.now() - beganAt) / 1000
const isWhole = options.fragments.length === 0 && options.engine === undefined
const wholeRun =
  options.changedSince !== undefined
    ? { [WHOLE_RUN.changed]: tookSeconds }
    : isWhole && !options.tiers.includes(3)
      ? { [options.tiers.includes(2) ? WHOLE_RUN.all : WHOLE_RUN.first]: tookSeconds }
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
const isOverBudget =
  isWhole && options.changedSince === undefined && checkBudget(files, results, slowness)
say(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed > 0 || isOverBudget ? 1 : 0)
