// The long run of the fuzzer as a command: options, progress on the terminal, failures with their seed,
// the exit code. Databases live in memory where the system has room for that.
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { toTerminalText } from '../../packages/server/src/kernel/terminal-text.ts'
import { openTemporaryFiles } from '../../scripts/test/temporary-files.ts'
import { type FuzzCommand, HELP, parseOptions } from './options.ts'

/** A failing case holds what it was made to hold. */
const say = (text: string) => process.stdout.write(`${toTerminalText(text)}\n`)

function readOptions(): FuzzCommand | 'help' {
  try {
    return parseOptions(process.argv.slice(2), Math.floor(Math.random() * 2 ** 31))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${message}\nnpm run tool -- fuzz --help lists the options.\n`)
    process.exit(2)
  }
}

/** So that the figures of the heap are those after a collection. */
function allowCollections(): void {
  setFlagsFromString('--expose-gc')
  Object.assign(globalThis, { gc: runInNewContext('gc') })
}

async function main(options: FuzzCommand): Promise<number> {
  const temporary = openTemporaryFiles()
  process.on('exit', () => temporary.remove())
  process.env.TMPDIR = temporary.directory
  if (options.engine === 'postgres') process.env.CHARTSIDE_TEST_ENGINE = 'postgres'
  allowCollections()
  const { minutes = 0 } = options
  const endsAt = performance.now() + minutes * 60_000
  let runs = 0
  let cases = 0
  let failures = 0
  do {
    failures += await run({ ...options, seed: options.seed + runs })
    cases += options.cases
    runs += 1
  } while (performance.now() < endsAt)
  if (minutes > 0) say(`\n${runs} runs, ${cases} cases, ${failures} failed`)
  return failures === 0 ? 0 : 1
}

/** One run with one seed. Gives the number of its failures. */
async function run(options: FuzzCommand): Promise<number> {
  // Only now: the engine and the folder are read when these files are loaded.
  const { runFuzz } = await import('./run-fuzz.ts')
  const began = performance.now()
  say(`${options.cases} cases on ${options.engine}; seed ${options.seed}`)
  const onProgress = (name: string, done: number) => {
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    say(`${seconds.padStart(5)} s  ${String(done).padStart(7)} cases  ${name}`)
  }
  const report = await runFuzz({ ...options, onProgress })
  for (const { name, reason, shrunk } of report.failures) {
    say(`\nFAILED ${name}\n${reason}\nThe shortest case:\n${shrunk}`)
    say(
      `Repeat: npm run tool -- fuzz --seed ${options.seed} --cases ${options.cases} --only ${name}`,
    )
  }
  const { cases, failures, statuses, internalErrors, heapMegabytes } = report
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`)
  say(`\n${cases} cases, ${failures.length} failed, ${internalErrors} internal errors`)
  say(`answers by status: ${counts.join(', ')}`)
  say(`JavaScript heap: ${heapMegabytes[0]} MB before, ${heapMegabytes[1]} MB after`)
  const seconds = Math.round((performance.now() - began) / 1000)
  const { seed, engine } = options
  const date = new Date().toISOString().slice(0, 10)
  const kept = { date, seed, engine, seconds, ...report, failures: failures.length }
  const text = `${JSON.stringify(kept, null, 2).replace(PAIR, '[$1, $2]')}\n`
  if (options.jsonFile) writeFileSync(options.jsonFile, text)
  if (options.isSaved) {
    writeFileSync(new URL('results.json', import.meta.url), text)
    say('Kept in test/fuzz/results.json.')
  }
  return failures.length
}

/** Two numbers stand in one line, as the formatter of the project has them. */
const PAIR = /\[\s+(\d+),\s+(\d+)\s+\]/g

const options = readOptions()
if (options === 'help') {
  process.stdout.write(HELP)
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
process.exit(await main(options))
