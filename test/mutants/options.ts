// The command line of `npm run tool -- mutants`: its options with their defaults and help. Parses; decides
// and runs nothing.
import { InvalidArgumentError } from 'commander'
import { defineTool } from '../../scripts/command-line.ts'

export interface Options {
  readonly jobs: number
  readonly only: readonly string[]
  readonly area: readonly string[]
  /** So many faults made from the syntax, drawn by `seed`; undefined: those by hand. */
  readonly draw: number | undefined
  readonly seed: string
  readonly again: boolean
  readonly survivors: boolean
  readonly list: boolean
  readonly json: boolean
}

const DESCRIPTION = `Plants named faults, one at a time, in the memory of the tests nearest to them, and reports
which were caught. The tree is not changed. A fault that no test catches is a gap in the tests.

A result is kept until the fault, its file or its tests change, so an interrupted run goes on
where it was. A run of all faults writes test/mutants/results.json.
Exits with 1 when a fault survived that changes behaviour, with 2 for a wrong option.`

const collect = (value: string, before: readonly string[]) => [...before, ...value.split(',')]

function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1) return count
  throw new InvalidArgumentError('a whole number from 1')
}

function parseJobs(text: string): number {
  const jobs = Number(text)
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 16) return jobs
  throw new InvalidArgumentError('a whole number from 1 to 16')
}

export function parseOptions(): Options {
  return defineTool('mutants', DESCRIPTION)
    .option('--only <name>', 'faults whose name contains this; may be repeated', collect, [])
    .option('--area <name>', 'faults of this area; may be repeated', collect, [])
    .option('--draw <n>', 'in their place so many, drawn of those made from the syntax', parseCount)
    .option('--seed <text>', 'what decides the draw', new Date().toISOString().slice(0, 10))
    .option('--survivors', 'only those that no test caught the last time', false)
    .option('--again', 'run also what has a result already', false)
    .option('--jobs <n>', 'how many at once', parseJobs, 2)
    .option('--list', 'list the faults, run none', false)
    .option('--json', 'print the results as JSON, the progress on stderr', false)
    .parse()
    .opts<Options>()
}
