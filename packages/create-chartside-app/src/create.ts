// The story of a new app: read the flags, ask for what they leave open, get the packages, write.
// Owns the order and what is said at the end. Refuses before it writes anything.
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

export interface Surroundings {
  readonly cwd: string
  /** Asks a person; undefined when there is none at a terminal. */
  readonly ask: ((flags: Flags) => Promise<Answers>) | undefined
  /** Packs the checkout that this runs from into a folder; undefined when it is none. */
  readonly pack: ((folder: string) => Promise<void>) | undefined
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  /** Somebody pressed Ctrl-C. */
  readonly signal: AbortSignal
}

/** @throws Refusal, Cancelled, CommanderError (its words are printed by then) */
export async function create(args: readonly string[], around: Surroundings): Promise<void> {
  const { cwd, ask, print, printError, signal } = around
  const flags = parseCommandLine(args, { out: print, error: printError })
  // Before any question: nobody likes to answer five for nothing.
  if (flags.directory !== undefined) requireEmpty(resolve(cwd, flags.directory))
  const { directory, ...choices } = ask && !flags.yes ? await ask(flags) : fillIn(flags, cwd)
  const place = resolve(cwd, directory)
  const packages = await choosePackages(flags.packages, around)
  await writeApp(place, await buildAppFiles(choices, packages), signal)
  print(describeNext(choices.name, place, cwd))
}

function fillIn(flags: Flags, cwd: string): Answers {
  const { directory } = flags
  if (directory === undefined) {
    throw new Refusal(
      'Say where the app goes, such as: npm create chartside-app my-app (in a checkout: npm run create-app -- ../my-app).',
    )
  }
  const name = flags.name ?? suggestName(basename(resolve(cwd, directory)))
  const { option, framework, kind } = { ...DEFAULTS, ...flags }
  return { directory, name, option, framework, kind }
}

async function choosePackages(
  folder: string | undefined,
  { cwd, pack, print, signal }: Surroundings,
): Promise<PackageSource> {
  if (folder !== undefined) return loadArchives(resolve(cwd, folder))
  if (!pack) return fromRegistry(`^${version}`)
  print('Packing the Chartside packages of this checkout, which the app takes along in vendor/ …\n')
  const packed = await mkdtemp(join(tmpdir(), 'chartside-archives-'))
  try {
    // It is not stopped half-way: in a terminal Ctrl-C reaches it as well, elsewhere it soon ends.
    await pack(packed).finally(() => signal.throwIfAborted())
    return await loadArchives(packed)
  } finally {
    await rm(packed, { recursive: true, force: true })
  }
}

function describeNext(name: string, place: string, cwd: string): string {
  const way = relative(cwd, place)
  return `
${name} is in ${place}

Next:
${way === '' ? '' : `  cd ${quote(way)}\n`}  npm install
  npm test

Then see it launched, in a checkout of Chartside:
  npm start -- --app ${quote(place)}
`
}

const quote = (path: string): string => (/^[\w./@:+-]+$/.test(path) ? path : JSON.stringify(path))
