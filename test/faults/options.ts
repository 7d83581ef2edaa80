// Owns the command line of the fault run: its options, their defaults and their help. Pure; what is
// injected is in attacks.ts and faults.ts.
import { parseArgs } from 'node:util'
import type { Phases } from './measure.ts'

export interface FaultOptions extends Phases {
  /** A part of the name of an attack or a fault; its item for an attack. */
  readonly only: string | undefined
  readonly jsonFile: string | undefined
  /** Keeps the figures in results.json. */
  readonly isSaved: boolean
}

export const HELP = `Attacks a service of its own process in each way that once slowed all callers down, then injects faults,
and measures what all other callers notices. Takes about three minutes and needs the machine for itself.
Exits with 1 when a bound is not held.

Usage: npm run tool -- faults [-- options]

  --seconds N   how long each attack lasts, from 2 to 60 [5]
  --rate N      requests of all other callers per second, from 10 to 1000 [100]
  --only NAME   one attack by its item, such as a, or what has NAME in its name
  --save        keep the figures in test/faults/results.json
  --json FILE   also write the figures to FILE
  --help        this text
`

/** @throws Error that names the option and what it should be. */
export function parseOptions(args: readonly string[]): FaultOptions | 'help' {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ seconds: text, rate: text, only: text, json: text },
      save: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  return {
    attackSeconds: parseInteger('--seconds', values.seconds ?? '5', 2, 60),
    quietSeconds: 3,
    perSecond: parseInteger('--rate', values.rate ?? '100', 10, 1000),
    only: values.only,
    jsonFile: values.json,
    isSaved: values.save === true,
  }
}

function parseInteger(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new Error(`${name} must be a whole number from ${min} to ${max}`)
}
