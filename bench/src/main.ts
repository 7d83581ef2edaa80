// The entry of the benchmark: reads the command line, measures each mode that this machine allows,
// prints the tables, and writes files only with --json and --record. Loads what a scenario needs when it is
// that scenario's turn, so that --help needs nothing. Measures nothing itself.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeMachine, whyNotPinned } from './machine.ts'
import type { ModeResult } from './measure.ts'
import { HELP, type Options, parseOptions } from './options.ts'
import { buildHeading, buildJson, buildTable } from './report.ts'

// An exit runs the clean-up that a bare signal would skip.
let endEarly = (): void => process.exit(1)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => endEarly())

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  if (options === 'help') {
    process.stdout.write(HELP)
    return
  }
  await buildService()
  if (options.checkout) buildIn(options.checkout)
  if (options.scenario === 'sweep') {
    const { buildSweepTable, measureSweep } = await import('./sweep-cost.ts')
    const result = await measureSweep(options)
    process.stdout.write(`${buildHeading(options)}\n${buildSweepTable(result)}\n`)
    if (options.jsonFile) writeFileSync(options.jsonFile, `${JSON.stringify(result, null, 2)}\n`)
    return
  }
  if (options.scenario === 'day') {
    const { measureDay } = await import('./day.ts')
    const { showDay } = await import('./day-report.ts')
    const stopping = new AbortController()
    endEarly = () => {
      if (stopping.signal.aborted) process.exit(1)
      stopping.abort(new Error('ended by hand'))
    }
    const result = await measureDay(options, stopping.signal)
    if (options.jsonFile) writeFileSync(options.jsonFile, `${JSON.stringify(result, null, 2)}\n`)
    if (!showDay(result)) process.exitCode = 1
    return
  }
  if (options.scenario === 'year') {
    const { measureYear } = await import('./year.ts')
    const { buildYearTable } = await import('./year-table.ts')
    const result = await measureYear(options)
    process.stdout.write(`${describeMachine()}\n${buildYearTable(result)}\n`)
    if (options.jsonFile) writeFileSync(options.jsonFile, `${JSON.stringify(result, null, 2)}\n`)
    return
  }
  if (options.scenario === 'peers') {
    const { comparePeers } = await import('./comparison-run.ts')
    return void (await comparePeers(options))
  }
  if (options.scenario === 'beside') {
    const { compareCheckouts } = await import('./comparison-run.ts')
    return compareCheckouts(options)
  }
  if (options.isRecorded && options.scenario === 'flows') {
    const { recordAll } = await import('./record-all.ts')
    return recordAll(options)
  }
  if (options.scenario === 'gate') {
    const { recordGate, runGate } = await import('./gate-run.ts')
    if (options.isRecorded) process.stdout.write(await recordGate())
    else {
      const { isPassed, table } = await runGate(options.maxLoss)
      process.stdout.write(table)
      if (!isPassed) process.exitCode = 1
    }
    return
  }
  if (options.scenario === 'extension') {
    const { buildExtensionTable, measureExtension } = await import('./extension-speed.ts')
    const result = await measureExtension(options.runs)
    process.stdout.write(`${describeMachine()}\n${buildExtensionTable(result)}\n`)
    const json = JSON.stringify(result, null, 2)
    if (options.jsonFile) writeFileSync(options.jsonFile, `${json}\n`)
    else process.stdout.write(`${json}\n`)
    return
  }
  const results = await measureAll(options)
  process.stdout.write(`${buildHeading(options)}\n`)
  for (const result of results) process.stdout.write(`${buildTable(result, options.engine)}\n`)
  if (options.jsonFile) writeFileSync(options.jsonFile, buildJson(options, results))
}

/** Builds the programs that an installation runs: the sources load slower and take more memory. */
async function buildService(): Promise<void> {
  const { buildPrograms } = await import('../../scripts/build/programs.ts')
  await buildPrograms()
  process.env.BUILT_PROGRAMS = '1'
}

/** An old checkout has no bundle and runs its sources. @throws Error when the folder is no installed checkout. */
function buildIn(checkout: string): void {
  if (!existsSync(join(checkout, 'scripts/build/programs.ts'))) return
  const program = "await (await import('./scripts/build/programs.ts')).buildPrograms()"
  const { status, error } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status === 0) return
  throw new Error(
    `the service of ${checkout} could not be built${error ? ` (${error.message})` : ''}: run npm ci there first`,
  )
}

async function measureAll(options: Options): Promise<ModeResult[]> {
  const { measureMode } = await import('./measure.ts')
  // With PostgreSQL the database takes a core of its own, so one core says nothing.
  if (options.engine === 'postgres') return [await measureMode('all cores', options)]
  const reason = whyNotPinned()
  if (reason) {
    process.stderr.write(`[one core] left out: ${reason}. Figures of one core need two cores.\n`)
  }
  const modes = reason ? (['all cores'] as const) : (['one core', 'all cores'] as const)
  const results: ModeResult[] = []
  for (const mode of modes) results.push(await measureMode(mode, options))
  return results
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
