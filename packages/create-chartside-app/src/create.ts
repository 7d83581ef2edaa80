// Creates a new app: parse the flags, ask for what they leave open, load the packages, write. Owns
// the order and the final message. Refuses before it writes anything.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { buildAppFiles } from './app-files.ts'
import { DEFAULTS, Refusal, suggestName } from './choices.ts'
import { type Flags, parseCommandLine } from './command-line.ts'
import { fromRegistry, loadArchives, type PackageSource } from './packages.ts'
import type { Answers } from './questions.ts'
import { version } from './templates.ts'
import { requireEmpty, writeApp } from './write-app.ts'

export interface Environment {
  readonly cwd: string
  /** Asks in the terminal; undefined without one. */
  readonly ask: ((flags: Flags) => Promise<Answers>) | undefined
  /** Packs this checkout into a folder; undefined outside a checkout. */
  readonly pack: ((folder: string) => Promise<void>) | undefined
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  /** The version of Node.js that runs this npm, and will run the new app: `v24.0.0`. */
  readonly nodeVersion: string
  /** The signal that Ctrl-C aborts. */
  readonly signal: AbortSignal
}

/** @throws Refusal, Cancelled, CommanderError (its text is printed already) */
export async function create(args: readonly string[], environment: Environment): Promise<void> {
  const { cwd, ask, print, printError, signal } = environment
  const flags = parseCommandLine(args, { out: print, error: printError })
  // Before any question.
  if (flags.directory !== undefined) requireEmpty(resolve(cwd, flags.directory))
  const { directory, ...choices } = ask && !flags.yes ? await ask(flags) : fillIn(flags, cwd)
  const target = resolve(cwd, directory)
  const packages = await choosePackages(flags.packages, environment)
  await writeApp(target, await buildAppFiles(choices, packages), signal)
  print(describeNext(choices.name, target, cwd))
  if (isTooOld(environment.nodeVersion)) {
    printError(
      `\nNote: your Node.js is ${environment.nodeVersion}. The new app, its start and its npm test need Node.js ${NEEDED_NODE.join('.')} or newer.\n`,
    )
  }
}

function fillIn(flags: Flags, cwd: string): Answers {
  const { directory } = flags
  if (directory === undefined) {
    throw new Refusal(
      'Say where the app goes, such as: npm create chartside-app my-app (in a checkout: npm run tool -- create-app ../my-app).',
    )
  }
  const name = flags.name ?? suggestName(basename(resolve(cwd, directory)))
  const { option, framework, kind } = { ...DEFAULTS, ...flags }
  return { directory, name, option, framework, kind }
}

async function choosePackages(
  folder: string | undefined,
  { cwd, pack, print, signal }: Environment,
): Promise<PackageSource> {
  if (folder !== undefined) return loadArchives(resolve(cwd, folder))
  if (!pack) return fromRegistry(`^${version}`)
  print('Packing the Chartside packages of this checkout, which the app carries in vendor/ …\n')
  const packed = await mkdtemp(join(tmpdir(), 'chartside-archives-'))
  try {
    // Packing is not interrupted: in a terminal Ctrl-C reaches it as well, elsewhere it ends soon.
    await pack(packed).finally(() => signal.throwIfAborted())
    return await loadArchives(packed)
  } finally {
    await rm(packed, { recursive: true, force: true })
  }
}

function describeNext(name: string, target: string, cwd: string): string {
  const path = relative(cwd, target)
  return `
${name} is in ${target}

Next:
${path === '' ? '' : `  cd ${quote(path)}\n`}  npm install
  npm test
  npm run dev

The last command opens it beside a sample chart.
`
}

/** The version in `engines` of the new package.json: TypeScript without a build. */
const NEEDED_NODE = [22, 18] as const

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const [neededMajor, neededMinor] = NEEDED_NODE
  return major < neededMajor || (major === neededMajor && minor < neededMinor)
}

const quote = (path: string): string => (/^[\w./@:+-]+$/.test(path) ? path : JSON.stringify(path))
