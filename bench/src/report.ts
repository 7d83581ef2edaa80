// Formats the figures of a run as a table and as data for --json. The table has medians over the
// rounds, the JSON every round. Pure, except for the line that names the machine.
import { judge, type Verdict } from './goals.ts'
import type { LoadResult } from './jobs.ts'
import { describeMachine } from './machine.ts'
import { type ModeResult, medianOf, type Round } from './measure.ts'
import { type Engine, type Options, ROUNDS } from './options.ts'

const LOADS = {
  flow: 'whole flow (3 requests)',
  token: 'token request alone',
  tokenAtHalfLoad: 'token at half of that load',
  arrival: "a provider's arrival, per launch",
  introspect: 'introspection',
  jwks: 'jwks',
} as const satisfies Partial<Record<keyof Round, string>>

export function buildTable(result: ModeResult, engine: Engine): string {
  const median = (take: (round: Round) => number, digits = 0) =>
    medianOf(result, take).toFixed(digits)
  const rows = [
    ['', 'per second', 'of RSA', 'p50 ms', 'p99 ms', 'generator'],
    ['RSA-2048 signatures', median(({ rsa }) => rsa), '1.00', '', '', ''],
  ]
  if (result.mode === 'all cores') {
    const pooled = median(({ rsaAsync }) => rsaAsync ?? Number.NaN)
    const share = median(({ rsaAsync, rsa }) => (rsaAsync ?? Number.NaN) / rsa, 2)
    rows.push(['  of these in one process', pooled, share, '', '', ''])
  }
  for (const [name, title] of Object.entries(LOADS) as [keyof typeof LOADS, string][]) {
    const of = (take: (load: LoadResult) => number, digits = 0) =>
      median((round) => take(round[name]), digits)
    const isExchange = name === 'flow' || name === 'token' || name === 'arrival'
    rows.push([
      title,
      of(({ perSecond }) => perSecond),
      isExchange ? median((round) => round[name].perSecond / round.rsa, 2) : '',
      of(({ p50Ms }) => p50Ms, 1),
      of(({ p99Ms }) => p99Ms, 1),
      `${of(({ generatorShare }) => generatorShare * 100)} %`,
    ])
  }
  const cpuOf = (take: (round: Round) => number | undefined) => {
    const value = medianOf(result, (round) => take(round) ?? Number.NaN)
    return Number.isNaN(value) ? 'not known here' : `${value.toFixed(0)} µs`
  }
  const database = medianOf(result, (round) => round.databaseCpuPerFlow ?? Number.NaN)
  const share = medianOf(
    result,
    ({ rsaCpu, cpuPerFlow, databaseCpuPerFlow }) =>
      rsaCpu / ((cpuPerFlow ?? Number.NaN) + (databaseCpuPerFlow ?? 0)),
  )
  const megabytes = (value: number | undefined) =>
    value === undefined ? 'not known here' : `${value.toFixed(0)} MB`
  return [
    `\n${result.mode === 'one core' ? 'One core: service on core 0, load generator on core 1' : `All cores: service and load generator${engine === 'postgres' ? ' and database' : ''} share them`}`,
    alignColumns(rows),
    `CPU per flow: ${cpuOf(({ cpuPerFlow }) => cpuPerFlow)}` +
      (Number.isNaN(database) ? '' : `, of the database ${database.toFixed(0)} µs`) +
      `, per exchange: ${cpuOf(({ cpuPerToken }) => cpuPerToken)}, ` +
      `per signature: ${cpuOf(({ rsaCpu }) => rsaCpu)} (${share.toFixed(2)} of a flow); resident: ` +
      `${megabytes(result.idleMegabytes)} idle, ${megabytes(result.loadedMegabytes)} under load; ` +
      `ready after ${result.readyAfterMs.toFixed(0)} ms`,
    alignColumns([
      ['goal', 'wanted', 'measured', ''],
      ...judge(result, engine).map(({ goal, wanted, measured, isMet, note }: Verdict) => [
        goal,
        wanted,
        measured,
        `${isMet ? 'met' : 'MISSED'}${note ? ` (${note})` : ''}`,
      ]),
    ]),
  ].join('\n')
}

export function buildHeading({
  engine,
  workers,
  seconds,
  inFlight,
  warmUpSeconds,
}: Options): string {
  return (
    `${describeMachine()}\n${inFlight} in flight, ${seconds} s per figure in ${ROUNDS} interleaved ` +
    `rounds after ${warmUpSeconds} s of warm-up; medians. ${engine === 'postgres' ? `PostgreSQL on the same cores, ${workers} worker(s)` : 'SQLite'}, fsynced commits, log to a file.`
  )
}

export function buildJson(options: Options, results: readonly ModeResult[]): string {
  const modes = results.map((result) => ({ ...result, goals: judge(result, options.engine) }))
  const { seconds, inFlight } = options
  return `${JSON.stringify({ machine: describeMachine(), seconds, inFlight, modes }, null, 2)}\n`
}

/** The first column to the left, all others to the right, except for a last one of words. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        const isWords = column === 0 || (columns === 4 && column === 3)
        return isWords ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
  return `\n${lines.join('\n')}\n`
}
