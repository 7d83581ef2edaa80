// The command line of the test run: which options it takes and the text of --help. Pure: neither
// reads the tree nor prints.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { TestSet } from './test-files.ts'

export const HELP = `Runs the tests.

npm test                           every test
npm test -- fragment …             the files whose path contains one of the fragments
npm test -- --changed              the files that uncommitted changes reach
npm test -- --changed --base main  the files that changes since a revision reach
npm run test:perf                  what is measured with a stopwatch; needs the machine for itself
npm run test:next                  new apps with Next.js: installed, built, launched in Chromium

--verbose      prints every test, its figures and what the processes print
--workers N    processes at a time (default: one for each core, two at least, four at most, and
               further ones while processors are idle)
--retry        runs a file that failed once more, alone, and reports it as flaky when it passes
--list         prints the files and runs none
--help         prints this
`

export interface Options {
  readonly fragments: readonly string[]
  readonly set: TestSet
  /** The revision to compare with; undefined when not asked for. */
  readonly changedSince: string | undefined
  readonly workers: number
  /** Further processes begin while processors are idle: not with a number that was asked for. */
  readonly isFilling: boolean
  /** Files that failed run once more when everything else has ended. */
  readonly isRetry: boolean
  readonly isVerbose: boolean
  readonly isList: boolean
  readonly isHelp: boolean
}

const DEFAULT_WORKERS = Math.min(4, Math.max(2, availableParallelism()))

/** @throws Error that says what is wrong with the command line. */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      changed: { type: 'boolean', default: false },
      base: { type: 'string' },
      perf: { type: 'boolean', default: false },
      next: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      workers: { type: 'string' },
      retry: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const workers = Number(values.workers ?? DEFAULT_WORKERS)
  if (!Number.isInteger(workers) || workers < 1) {
    throw new Error(`--workers takes a whole number from 1, not ${values.workers}.`)
  }
  if (values.base !== undefined && !values.changed) throw new Error('--base needs --changed.')
  return {
    fragments: positionals,
    set: values.perf ? 'performance' : values.next ? 'next' : 'all',
    changedSince: values.changed ? (values.base ?? 'HEAD') : undefined,
    workers,
    isFilling: values.workers === undefined && !values.perf,
    isRetry: values.retry,
    isVerbose: values.verbose || values.perf,
    isList: values.list,
    isHelp: values.help,
  }
}
