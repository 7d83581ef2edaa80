// The command line of the sandbox: parser and help text.
// Pure: main.ts prints and exits. Contract §7.
import { Command, CommanderError } from 'commander'
import { COMMAND, DEFAULT_APPS, HAS_EXTENSION, REAL_SIZE, SAMPLE_APPS } from './installation.ts'

export interface Options {
  readonly help: boolean
  /** True deletes the data of earlier runs. */
  readonly reset: boolean
  /** The service's port; the EHR and the apps use the ports after it. 0: any free ports. */
  readonly port: number
  /** Directories of further apps, as they were given. */
  readonly apps: readonly string[]
  /** Names of the examples to start, such as `care-gaps`; null: all of them. */
  readonly only: readonly string[] | null
  /** True opens a Chromium with the browser extension on the sample EHR without a host. */
  readonly extension: boolean
  /** Launches of an installation of real size that fills a new database; null: only the samples. */
  readonly realSize: number | null
}

export const DEFAULT_PORT = 4700
const REAL_SIZE_LAUNCHES = 20_000
const MAX_REAL_SIZE = 1_000_000
/** Leaves room for the EHR and the apps. */
const MAX_PORT = 65_500

const APP_ROW = '(it has a chartside.app.json; may be given again)'

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function parseOptions(args: readonly string[]): Options {
  const {
    help = false,
    reset = false,
    extension = false,
    port,
    app: apps = DEFAULT_APPS,
    only,
    realSize = null,
  } = readArguments(args)
  const names = only ? parseNames(only) : null
  return {
    help,
    reset,
    port: parsePort(port),
    apps,
    only: names,
    extension,
    realSize: parseCount(realSize),
  }
}

function parsePort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT
  const port = Number(text)
  if (!/^\d+$/.test(text) || (port !== 0 && port < 1024) || port > MAX_PORT) {
    throw new UsageError(`--port ${text} does not work: give a number from 1024 to ${MAX_PORT}.`)
  }
  return port
}

function parseCount(text: string | true | null): number | null {
  if (text === null || text === true) return text && REAL_SIZE_LAUNCHES
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= MAX_REAL_SIZE) return count
  throw new UsageError(`--real-size ${text} does not work: give a number up to ${MAX_REAL_SIZE}.`)
}

function parseNames(lists: readonly string[]): string[] {
  return lists
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter(Boolean)
}

interface Arguments {
  readonly help?: boolean
  readonly reset?: boolean
  readonly port?: string
  readonly app?: string[]
  readonly only?: string[]
  readonly extension?: boolean
  readonly realSize?: string | true
}

const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value]

function readArguments(args: readonly string[]): Arguments {
  const command = new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .helpOption(false)
    .allowExcessArguments(false)
    .option('-h, --help')
    .option('--reset')
    .option('--port <port>')
    .option('--app <directory>', '', collect)
  if (HAS_EXTENSION) command.option('--extension')
  if (HAS_REAL_SIZE) command.option('--real-size [launches]')
  if (HAS_SAMPLES) command.option('--only <names>', '', collect)
  try {
    return command.parse(args, { from: 'user' }).opts<Arguments>()
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause
    const message = cause.message.replace(/^error: /, '')
    throw new UsageError(`${message}\n${COMMAND} -- --help lists the options.`, { cause })
  }
}

const HAS_SAMPLES = SAMPLE_APPS.length > 0
const HAS_REAL_SIZE = REAL_SIZE.length > 0

const ROWS: readonly (readonly [options: string, ...text: string[]])[] = [
  ['', 'start with what earlier runs stored'],
  ['--reset', 'start afresh'],
  ['--port 4800', `use the ports from 4800 on (default: ${DEFAULT_PORT})`],
  ...(HAS_SAMPLES
    ? ([
        ['--only visit-notes,care-gaps', 'start these sample apps only; --only none starts none'],
        ['--app ../my-app', 'also register and start the app in this directory', APP_ROW],
      ] as const)
    : ([
        ['--app ../other-app', 'start this app, and not the one of this folder', APP_ROW],
      ] as const)),
  ...(HAS_EXTENSION
    ? ([['--extension', 'also open Chromium with the browser extension']] as const)
    : []),
  ...(HAS_REAL_SIZE
    ? ([
        [
          '--reset --real-size',
          `afresh, with 40 practices, 1,200 apps and ${REAL_SIZE_LAUNCHES} launches`,
          '(--real-size 3000: fewer launches)',
        ],
      ] as const)
    : []),
  ['--help', 'show this text'],
]

const formatRow = ([options, ...lines]: (typeof ROWS)[number]): string =>
  lines
    .map((text, index) => {
      const typed = index > 0 ? '' : options === '' ? COMMAND : `${COMMAND} -- ${options}`
      return `  ${typed.padEnd(44)}${text}\n`
    })
    .join('')

export const HELP = `Starts the Chartside sandbox: the service, a sample EHR and ${HAS_SAMPLES ? 'the sample apps' : 'the app of this folder'}, on this machine only.

${ROWS.map(formatRow).join('')}
Data is kept in .chartside/sandbox. Ctrl-C stops everything. NO_COLOR=1 switches colours off.
`
