// Owns the command line of the chaos run: its options, their defaults and their help. Pure; the run
// itself is in run.ts.
import { parseArgs } from 'node:util'

const HTTP_CHECKS = 200

export const SCENARIOS = [
  'nodes',
  'failover',
  'citus',
  'operations',
  'master-key',
  'streams',
] as const
export type Scenario = (typeof SCENARIOS)[number]

export interface ChaosOptions {
  readonly scenario: Scenario
  readonly nodes: number
  /** Launch flows offered per second. */
  readonly rate: number
  /** How long flows are offered. */
  readonly seconds: number
  /** Seconds of launches before the first fault; a cold JIT compiler costs many times as much. */
  readonly warmUpSeconds: number
  /** Of a hundred launches so many complete at least. */
  readonly floorPercent: number
  /** Hash partitions of each table that grows, as `chartside db partition` makes them; 0 for none. */
  readonly partitions: number
  /** Event streams that are open in the scenario `streams`. */
  readonly streams: number
  /** Of the flows of each kind so many are also checked over HTTP at the end. */
  readonly httpChecks: number
  /** Decides which node is killed, and the kind of each flow. */
  readonly seed: number
}

export const HELP = `Runs nodes behind a TCP balancer on one PostgreSQL, offers launch flows at a steady rate, breaks
nodes and the database meanwhile, and verifies everything that the service acknowledged. Exits with
1 when a guarantee is violated. Writes a file only with --json. docs/inside/chaos.md says what is counted.

Usage: npm run tool -- chaos [-- options]

  --scenario NAME  nodes: nodes are killed, PostgreSQL restarts through crash recovery
                   failover: PostgreSQL is a primary and a replica; the primary is killed and the
                   replica promoted; a node is killed too [nodes]
                   citus: a worker of Citus is killed and its standby promoted; a node is killed too;
                   needs CHARTSIDE_CITUS_BIN (npm run tool -- citus --help)
                   operations: nodes behind PgBouncer are stopped with SIGTERM, one returns with a
                   clock an hour ahead, the disk of PostgreSQL is full, a newer version migrates
                   master-key: every node is restarted with a new master key, the keys are sealed
                   anew, and every node is restarted without the old one; no launch may fail
                   streams: event streams of EHR pages are open while a node is killed and
                   another stopped with SIGTERM; each comes back, and hears of its end
  --nodes N        from 2 to 16 [4]
  --rate N         launch flows offered per second [500]
  --seconds N      how long, from 10 to 3600 [60]
  --warm-up N      seconds of launches before that, for the JIT compiler [10]
  --floor N        of a hundred launches so many must complete, from 0 to 100 [95]
  --partitions N   hash partitions of the tables that grow, up to 1024; 0 for plain tables [16]
  --streams N      event streams in the scenario streams, from 50 to 10000 [2000]
  --seed N         repeats the choices of an earlier run [random]
  --json FILE      also write options, events, counts and verdicts to FILE
  --help           this text

In every scenario the signing key is rotated under load, in the first three a client secret too.
`

/** @throws Error that names the option and what it should be. */
export function parseOptions(
  args: readonly string[],
  seed: number,
): { options: ChaosOptions; jsonFile: string | undefined } | 'help' {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenario: text,
      nodes: text,
      rate: text,
      seconds: text,
      seed: text,
      floor: text,
      partitions: text,
      streams: text,
      'warm-up': text,
      json: text,
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  const scenario = SCENARIOS.find((name) => name === (values.scenario ?? 'nodes'))
  if (!scenario) throw new Error(`--scenario must be one of ${SCENARIOS.join(', ')}`)
  const options = {
    scenario,
    httpChecks: HTTP_CHECKS,
    nodes: parseInteger('--nodes', values.nodes ?? '4', 2, 16),
    rate: parseInteger('--rate', values.rate ?? '500', 1, 10_000),
    seconds: parseInteger('--seconds', values.seconds ?? '60', 10, 3600),
    warmUpSeconds: parseInteger('--warm-up', values['warm-up'] ?? '10', 0, 600),
    floorPercent: parseInteger('--floor', values.floor ?? '95', 0, 100),
    partitions: parseInteger('--partitions', values.partitions ?? '16', 0, 1024),
    streams: parseInteger('--streams', values.streams ?? '2000', 50, 10_000),
    seed: parseInteger('--seed', values.seed ?? String(seed), 0, 2 ** 32 - 1),
  } as const
  return { options, jsonFile: values.json }
}

function parseInteger(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new Error(`${name} must be a whole number from ${min} to ${max}`)
}
