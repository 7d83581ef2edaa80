// Plants named faults and reports what the tests nearest to them caught. A test file that failed is run without
// the fault once: what fails anyway shows nothing. The tree is not changed.
// Usage: npm run tool -- mutants --help
import { fileURLToPath } from 'node:url'
import { launchServer } from '../../packages/server/test/postgres-server.ts'
import { openTemporaryFiles } from '../../scripts/test/temporary-files.ts'
import { MUTANTS } from './catalog.ts'
import { drawMutants } from './generated.ts'
import type { Mutant } from './mutant.ts'
import { type Options, parseOptions } from './options.ts'
import { formatProgress, formatSummary } from './report.ts'
import { buildResults, fingerprintOf, loadKnown, saveKnown, writeResults } from './results.ts'
import { listFailing, type RunOptions, runMutant, type Verdict } from './run-mutant.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interruption.abort(new Error('interrupted')))
}

const options = parseOptions()
const known = loadKnown(root)
const say = (text: string) => (options.json ? process.stderr : process.stdout).write(`${text}\n`)

const list = ({ draw, seed }: Options): readonly Mutant[] =>
  draw === undefined ? MUTANTS : drawMutants(root, draw, seed)

function select(options: Options): readonly Mutant[] {
  const { only, area, survivors } = options
  return list(options).filter(
    ({ name, area: own }) =>
      (only.length === 0 || only.some((part) => name.includes(part))) &&
      (area.length === 0 || area.includes(own)) &&
      (!survivors || known[name]?.outcome !== 'caught'),
  )
}

/** What an earlier run has shown, and nothing has changed since. */
function findKnown(mutant: Mutant): Verdict | undefined {
  const verdict = known[mutant.name]
  return verdict?.fingerprint === fingerprintOf(root, mutant) ? verdict : undefined
}

/** As many at once as --jobs says, in order. */
async function eachOf<Item>(items: readonly Item[], run: (item: Item) => Promise<void>) {
  const waiting = [...items]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next)
  }
  await Promise.all(Array.from({ length: options.jobs }, worker))
}

async function runAll(mutants: readonly Mutant[], runOptions: RunOptions): Promise<void> {
  say(`${mutants.length} faults`)
  const plain = new Map<string, ReturnType<typeof listFailing>>()
  /** A test file that fails anyway shows nothing; each is run without a fault once, when it failed with one. */
  const failingFor = ({ engine }: Mutant) => {
    const env = engine === 'postgres' ? { CHARTSIDE_TEST_ENGINE: 'postgres' } : {}
    return (path: string) => {
      const key = `${engine} ${path}`
      const run =
        plain.get(key) ?? listFailing(path, { ...runOptions, env: { ...runOptions.env, ...env } })
      plain.set(key, run)
      return run
    }
  }
  const beganAt = performance.now()
  let done = 0
  await eachOf(mutants, async (mutant) => {
    const verdict = await runMutant(mutant, runOptions, failingFor(mutant))
    known[mutant.name] = { ...verdict, fingerprint: fingerprintOf(root, mutant) }
    saveKnown(root, known)
    const elapsedSeconds = (performance.now() - beganAt) / 1000
    say(formatProgress(mutant, verdict, { done: ++done, total: mutants.length, elapsedSeconds }))
  })
}

async function run(): Promise<number> {
  const selected = select(options)
  if (options.list) {
    for (const { name, area, requirement, file } of selected) {
      process.stdout.write(`${area}  ${name} (${requirement})  ${file}\n`)
    }
    return 0
  }
  if (selected.length === 0) {
    process.stderr.write(
      'No fault has such a name or area; npm run tool -- mutants --list names them.\n',
    )
    return 2
  }
  const open = selected.filter((mutant) => options.again || findKnown(mutant)?.outcome !== 'caught')
  if (open.length < selected.length) {
    say(`${selected.length - open.length} have a result already; --again runs them too`)
  }
  const temporary = openTemporaryFiles()
  process.env.TMPDIR = temporary.directory
  const needsPostgres = open.some(({ engine }) => engine === 'postgres')
  const server = needsPostgres ? await launchServer({ fsync: 'off' }) : undefined
  try {
    await runAll(open, {
      root,
      signal: interruption.signal,
      env: {
        CHARTSIDE_TEST_RUN_DIRECTORY: temporary.directory,
        NODE_COMPILE_CACHE: `${root}node_modules/.cache/node`,
        ...(server ? { TEST_POSTGRES_URL: server.url } : {}),
      },
    })
  } finally {
    await server?.stop()
    temporary.remove()
  }
  const results = selected.flatMap((mutant) => {
    const verdict = known[mutant.name]
    return verdict ? [[mutant, verdict] as const] : []
  })
  say(`\n${formatSummary(results)}`)
  const summary = buildResults(root, new Date(), results)
  const isCatalog = options.draw === undefined && selected.length === MUTANTS.length
  if (isCatalog) say(`written: ${writeResults(root, summary)}`)
  if (options.json)
    process.stdout.write(`${JSON.stringify({ ...summary, mutants: known }, null, 2)}\n`)
  return summary.caught === summary.changing ? 0 : 1
}

run().then(
  (code) => process.exit(code),
  (error: Error) => {
    const isStopped = interruption.signal.aborted
    process.stderr.write(`${isStopped ? 'Stopped. The same command goes on here.' : error.stack}\n`)
    process.exit(isStopped ? 130 : 1)
  },
)
