// Owns the command line of the benchmark: its options, their defaults and their help. Pure; the
// benchmark itself is in measure.ts.

import { MAX_LOSS } from './gate.ts'

export type Engine = 'sqlite' | 'postgres'

export interface Options {
  /**
   * `flows`: the rate of a node. `sweep`: the cost of expired rows that are deleted meanwhile.
   * `extension`: what a provider waits for in the browser. `peers`: the service beside other servers.
   * `day`: a clinic's day. `year`: what an operator runs, on many rows.
   * `gate`: whether a figure is much worse than the recorded one. `beside`: the service of another checkout.
   */
  readonly scenario: (typeof SCENARIOS)[number]
  /** Writes the figures into docs and into the file of recorded ratios; with `flows`, all of them. */
  readonly isRecorded: boolean
  /** The part of a recorded ratio that may be lost, in the scenario `gate`. */
  readonly maxLoss: number
  /** The warm runs in the scenario `extension`. */
  readonly runs: number
  readonly engine: Engine
  /** Processes of the service, with PostgreSQL. */
  readonly workers: number
  /** The expired launches in the database of the scenario `sweep`. */
  readonly rows: number
  /** The hours in which the scenario `day` passes. */
  readonly hours: number
  /** Launches a second at nine o'clock in the scenario `day`. */
  readonly peak: number
  readonly seed: number
  /** The launches of the scenario `year`; it has three times as many audit events. */
  readonly launches: number
  /** The measured seconds per figure, over all rounds. */
  readonly seconds: number
  /** Seconds of load before the first round; a cold JIT costs half as much again per flow. */
  readonly warmUpSeconds: number
  /** Flows or requests in flight at the same time. */
  readonly inFlight: number
  /** The other checkout in the scenario `beside`. */
  readonly checkout: string | undefined
  /** The file that takes the figures as JSON. */
  readonly jsonFile: string | undefined
}

export const ROUNDS = 5

const SCENARIOS = ['flows', 'sweep', 'extension', 'peers', 'gate', 'beside', 'day', 'year'] as const

export const HELP = `Measures the real service: RSA-2048 signatures, whole launch flows, exchanges,
introspection and keys per second, in ${ROUNDS} interleaved rounds, and shows the medians beside the
goals of docs/inside/performance.md. Writes no file unless --json is given.

The scenario sweep measures flows on an empty database and on one from which expired rows are being
removed, each stopped while the other is measured, and shows what a flow costs there.

The scenario peers (--peers) measures the service and other servers that do the same work, each in a
process of its own, by the processor time of an operation and of an RSA-2048 signature on the same core.
It takes two to three minutes. With --record it keeps table and picture in .chartside/bench.

The scenario gate (--gate) measures the service in half a minute and fails when a figure has lost more than
15 % of its recorded ratio (--loss); it repeats what fails up to twice. With --record it records the ratios.

The scenario beside (--beside DIR) measures the service and that of another checkout, built there before, in
turn, each after 15,000 flows, with the bare server: what a change costs, by processor time. Two minutes.

The scenario extension opens charts and panels in Chromium with the built extension, and shows times,
memory and the size of the package. It takes at most two minutes.

The scenario day plays a clinic's day in --hours: providers sign in, open EHR pages with their launches and event
streams, go from chart to chart, sign out or walk away; most arrive at nine o'clock. It keeps table and picture
in .chartside/bench. It fails when a token is lost or outlives its end, when memory, descriptors or passing rows
stay, when the sweep is late, and when requests are slow. Ctrl-C ends it with the report.

The scenario year fills a database with --launches and three times as many audit events, once with a quarter of
them and once with all. It measures the chain, backup, launch lists, sweep, archive and its check on both, and
multiplies them to a year of 65 million launches and 200 million events.

Usage: npm run bench [-- options]

  --scenario S    flows, sweep, extension, peers, gate, day or year [flows]
  --peers         the same as --scenario peers
  --gate          the same as --scenario gate
  --beside DIR    the scenario beside, with the checkout in DIR
  --loss N        percent that a figure may lose in the scenario gate [15]
  --record        keep the figures of peers or gate, or those of the other checkout as the start; alone: measure everything in about eight minutes
                  and write the goals into docs/inside/performance.md
  --database D    sqlite, or postgres beside the service on the same cores [sqlite]
  --workers N     processes of the service, with --database postgres [1]
  --rows N        expired launches in the scenario sweep [1000000]
  --hours N       hours in which the scenario day passes [6]
  --peak N        launches a second at nine o'clock of that day [100]
  --seed N        of who arrives when and does what [1]
  --launches N    launches of the scenario year [5000000]
  --runs N        warm runs in the scenario extension [24]
  --seconds N     measured seconds per figure, over all rounds [6]
  --warm-up N     seconds of load before the first round [12]
  --in-flight N   flows under way at the same time [16]
  --json FILE     also write every round to FILE
  --help          this text

Run it on a machine that does nothing else. A whole run takes about fifteen times --seconds,
and twice --warm-up.
`

/** @throws Error that names the option and what it should be. */
export function parseOptions(args: readonly string[]): Options | 'help' {
  let scenario: Options['scenario'] = 'flows'
  let engine: Engine = 'sqlite'
  let rows = 1_000_000
  let runs = 24
  let hours = 6
  let peak = 100
  let seed = 1
  let launches = 5_000_000
  let maxLoss = MAX_LOSS
  let workers = 1
  let seconds = 6
  let warmUpSeconds = 12
  let inFlight = 16
  let checkout: string | undefined
  let jsonFile: string | undefined
  let isRecorded = false
  for (let at = 0; at < args.length; at++) {
    const name = args[at]
    const value = args[at + 1]
    if (name === '--help' || name === '-h') return 'help'
    const isFlag = name === '--record' || name === '--peers' || name === '--gate'
    if (isFlag) {
      if (name === '--record') isRecorded = true
      else scenario = name === '--peers' ? 'peers' : 'gate'
      continue
    }
    if (name === '--seconds') seconds = parseNumber(name, value, 0.5, 600)
    else if (name === '--warm-up') warmUpSeconds = parseNumber(name, value, 0, 600)
    else if (name === '--in-flight') inFlight = Math.round(parseNumber(name, value, 1, 1000))
    else if (name === '--json' && value) jsonFile = value
    else if (name === '--rows') rows = Math.round(parseNumber(name, value, 1000, 100_000_000))
    else if (name === '--workers') workers = Math.round(parseNumber(name, value, 1, 64))
    else if (name === '--loss') maxLoss = parseNumber(name, value, 1, 90) / 100
    else if (name === '--hours') hours = parseNumber(name, value, 0.01, 168)
    else if (name === '--peak') peak = parseNumber(name, value, 0.1, 10_000)
    else if (name === '--seed') seed = Math.round(parseNumber(name, value, 0, 2 ** 32))
    else if (name === '--launches')
      launches = Math.round(parseNumber(name, value, 1000, 100_000_000))
    else if (name === '--runs') runs = Math.round(parseNumber(name, value, 1, 1000))
    else if (name === '--beside' && value) {
      scenario = 'beside'
      checkout = value
    } else if (name === '--scenario') scenario = parseChoice(name, value, SCENARIOS)
    else if (name === '--database') engine = parseChoice(name, value, ['sqlite', 'postgres'])
    else throw new Error(`${name} is not understood; see npm run bench -- --help`)
    at += 1
  }
  if (isRecorded && ['sweep', 'extension', 'day', 'year'].includes(scenario)) {
    throw new Error('--record goes with --peers, with --gate, or alone')
  }
  if ((scenario === 'beside') !== (checkout !== undefined)) {
    throw new Error('the scenario beside is --beside DIR, with the folder of a checkout')
  }
  if (workers > 1 && engine !== 'postgres')
    throw new Error('--workers goes with --database postgres')
  return {
    scenario,
    isRecorded,
    engine,
    workers,
    rows,
    maxLoss,
    runs,
    hours,
    peak,
    seed,
    launches,
    seconds,
    warmUpSeconds,
    inFlight,
    checkout,
    jsonFile,
  }
}

function parseNumber(name: string, text: string | undefined, least: number, most: number): number {
  const value = Number(text)
  if (text !== undefined && value >= least && value <= most) return value
  throw new Error(`${name} must be a number from ${least} to ${most}`)
}

function parseChoice<const T extends string>(
  name: string,
  text: string | undefined,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === text)
  if (found) return found
  throw new Error(`${name} must be one of ${choices.join(', ')}`)
}
