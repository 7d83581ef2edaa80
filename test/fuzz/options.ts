// Owns the command line of the fuzzer: its options, their defaults and their help. Pure; the run is in
// run-fuzz.ts.
import { parseArgs } from 'node:util'

export interface FuzzCommand {
  readonly cases: number
  /** Runs follow each other, each with the next seed, for so long; undefined for one run. */
  readonly minutes: number | undefined
  readonly seed: number
  /** The operation of one route, or the name of one property of the messages. */
  readonly only: string | undefined
  readonly engine: 'sqlite' | 'postgres'
  readonly jsonFile: string | undefined
  /** Keeps the counts in results.json. */
  readonly isSaved: boolean
}

export const HELP = `Sends broken requests to every route of the route table, and broken messages to both ends of the
handshake, and checks what must hold for each answer: no internal error, our own error shape with a
code and a trace id, the declared payload, nothing of another tenant, no input and no secret in the
log. Prints the seed and the shortest failing case, and exits with 1. test/fuzz/README.md has the rest.

Usage: npm run tool -- fuzz [-- options]

  --cases N      how many cases in all, or of each run with --minutes [100000]
  --minutes N    runs one after another, each with the next seed, until the time is over; for a nightly hour
  --seed N       repeats the cases of an earlier run [random]
  --only NAME    one route, by its operation, such as exchange; or one property, such as parseHello
  --engine NAME  sqlite or postgres [sqlite]
  --save         keep the counts in test/fuzz/results.json
  --json FILE    also write the counts to FILE
  --help         this text
`

/** @throws Error that names the option and what it should be. */
export function parseOptions(args: readonly string[], seed: number): FuzzCommand | 'help' {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      cases: text,
      minutes: text,
      seed: text,
      only: text,
      engine: text,
      json: text,
      save: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  const { engine = 'sqlite' } = values
  if (engine !== 'sqlite' && engine !== 'postgres') {
    throw new Error('--engine must be sqlite or postgres')
  }
  const minutes =
    values.minutes === undefined ? undefined : parseInteger('--minutes', values.minutes, 1)
  if (minutes !== undefined && values.save) throw new Error('--save keeps one run, not --minutes')
  return {
    cases: parseInteger('--cases', values.cases ?? '100000', 1),
    minutes,
    seed: parseInteger('--seed', values.seed ?? String(seed), 0),
    only: values.only,
    engine,
    jsonFile: values.json,
    isSaved: values.save === true,
  }
}

function parseInteger(name: string, text: string, min: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value < 2 ** 32) return value
  throw new Error(`${name} must be a whole number from ${min}`)
}
