// The command line of the test run: which options it takes and the text of --help. Pure: neither
// reads the tree nor prints.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { Tier } from './test-files.ts'

export const HELP = `Runs the tests.

npm test                           what a change needs: every test in process, stories on both engines,
                                   one launch in Chromium
npm test -- --all                  also what starts processes, installs packages or drives Chromium
npm test -- fragment …             the files of both whose path contains one of the fragments
npm test -- --changed              those of npm test that uncommitted changes need most, in a minute
npm test -- --changed --base main  the same for changes since a revision
npm run test:release               planted faults, fuzzing, chaos, Citus, performance, Next.js, pictures

--release      files that only test:release runs (endings .release.ts, .perf.ts, .next.ts)
--engine NAME  only the files of one engine: sqlite or postgres
--verbose      prints every test, its figures and what the processes print
--workers N    processes at a time (default: one for each core, two at least, four at most, and
               further ones while processors are idle)
--retry        runs a file that failed once more, alone, and reports it as flaky when it passes
--list         prints the files and runs none
--help         prints this
`

export interface Options {
  readonly fragments: readonly string[]
  readonly tiers: readonly Tier[]
  readonly engine: 'sqlite' | 'postgres' | undefined
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
      all: { type: 'boolean', default: false },
      release: { type: 'boolean', default: false },
      engine: { type: 'string' },
      changed: { type: 'boolean', default: false },
      base: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      workers: { type: 'string' },
      retry: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { release, engine } = values
  const workers = Number(values.workers ?? DEFAULT_WORKERS)
  if (!Number.isInteger(workers) || workers < 1) {
    throw new Error(`--workers takes a whole number from 1, not ${values.workers}.`)
  }
  if (values.base !== undefined && !values.changed) throw new Error('--base needs --changed.')
  if (values.changed && (values.all || release)) {
    throw new Error('--changed selects from npm test; it goes neither with --all nor --release.')
  }
  if (engine !== undefined && engine !== 'sqlite' && engine !== 'postgres') {
    throw new Error(`--engine takes sqlite or postgres, not ${engine}.`)
  }
  const isBoth = values.all || values.changed || positionals.length > 0
  return {
    fragments: positionals,
    tiers: release ? [3] : isBoth ? [1, 2] : [1],
    engine,
    changedSince: values.changed ? (values.base ?? 'HEAD') : undefined,
    workers: release ? 1 : workers,
    isFilling: values.workers === undefined && !release,
    isRetry: values.retry,
    isVerbose: values.verbose || release,
    isList: values.list,
    isHelp: values.help,
  }
}
