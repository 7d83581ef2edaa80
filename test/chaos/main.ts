// The chaos run as a command: options, progress on the terminal, the report, the exit code. Ctrl-C
// ends the run and every process that it started. Decides nothing about the run.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HELP, parseOptions } from './options.ts'
import { formatReport } from './report.ts'
import type { ChaosReport, Listener } from './run.ts'

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!interruption.signal.aborted) process.stderr.write('\nStopping.\n')
    interruption.abort(new Error('interrupted'))
  })
}

const listener: Listener = {
  event: (text) => process.stdout.write(`${text}\n`),
  progress(seconds, inFlight, { offered, completed, failed }) {
    const counts = `offered ${offered}, in flight ${inFlight}, completed ${completed}, failed ${failed}`
    process.stdout.write(`${String(seconds).padStart(5)} s  ${counts}\n`)
  },
}

async function main(): Promise<number> {
  const parsed = readOptions()
  if (parsed === 'help') {
    process.stdout.write(HELP)
    return 0
  }
  const { options, jsonFile } = parsed
  process.stdout.write(
    `Starting PostgreSQL and ${options.nodes} nodes, then ${options.warmUpSeconds} s of warming up; seed ${options.seed}.\n`,
  )
  // Loaded last: --help needs nothing of the service.
  const { runChaos } = await import('./run.ts')
  const report = await runChaos(options, listener, interruption.signal)
  process.stdout.write(`\n${formatReport(report)}\n`)
  if (jsonFile) writeFileSync(jsonFile, `${JSON.stringify(buildJson(report), null, 2)}\n`)
  const isMet = report.verdicts.every((verdict) => verdict.isMet)
  if (!isMet) process.stdout.write(`\nThe last output of the nodes:\n${report.lastOutput}\n`)
  process.stdout.write(isMet ? '\nEvery guarantee held.\n' : '\nA guarantee was violated.\n')
  return isMet ? 0 : 1
}

function readOptions(): ReturnType<typeof parseOptions> {
  try {
    const parsed = parseOptions(process.argv.slice(2), Math.floor(Math.random() * 2 ** 32))
    const isCitus = parsed !== 'help' && parsed.options.scenario === 'citus'
    if (isCitus && !existsSync(join(process.env.CHARTSIDE_CITUS_BIN ?? '', 'postgres'))) {
      throw new Error(
        'The scenario citus needs a PostgreSQL with Citus, whose folder of programs CHARTSIDE_CITUS_BIN names (npm run tool -- citus --help).',
      )
    }
    return parsed
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${message}\nnpm run tool -- chaos --help lists the options.\n`)
    process.exit(2)
  }
}

/** Without the facts, which are many and contain tokens. */
function buildJson(report: ChaosReport): object {
  const { facts: _, lastOutput: __, load, ...rest } = report
  const { latenciesMs: ___, ...counts } = load
  return { ...rest, load: counts }
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`${interruption.signal.aborted ? 'Stopped.' : error.stack}\n`)
    process.exit(interruption.signal.aborted ? 130 : 1)
  },
)
