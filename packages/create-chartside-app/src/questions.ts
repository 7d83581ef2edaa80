// Asks in a terminal what no flag answers. Owns the prompts; choices.ts decides what is allowed.
// Writes no file.
import { basename, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { intro, isCancel, outro, select, text } from '@clack/prompts'
import {
  Cancelled,
  type Choices,
  DEFAULTS,
  FRAMEWORKS,
  type Framework,
  isReact,
  KINDS,
  type Kind,
  OPTIONS,
  parseName,
  suggestName,
  type TokenOption,
} from './choices.ts'
import type { Flags } from './command-line.ts'
import { explainOccupied } from './write-app.ts'

export interface Answers extends Choices {
  readonly directory: string
}

/** The terminal; `cwd` is the base of the directory's path. */
export interface Terminal {
  readonly cwd: string
  readonly input?: Readable
  readonly output?: Writable
}

/** @throws Cancelled on Ctrl-C */
export async function askForMissing(flags: Flags, terminal: Terminal): Promise<Answers> {
  const { cwd, ...streams } = terminal
  intro('A new app for Chartside', streams)
  const directory =
    flags.directory ??
    (await answered(
      text({
        message: 'Where shall it go?',
        defaultValue: 'my-app',
        placeholder: 'my-app',
        validate: (value) => explainOccupied(resolve(cwd, value || 'my-app')),
        ...streams,
      }),
    ))
  const suggested = tryOr(() => suggestName(basename(resolve(cwd, directory))), 'My App')
  const name =
    flags.name ??
    (await answered(
      text({
        message: 'What is it called?',
        defaultValue: suggested,
        placeholder: suggested,
        validate: (value) => messageOf(() => parseName(value || suggested)),
        ...streams,
      }),
    ))
  const option =
    flags.option ??
    (await answered(
      select<TokenOption>({
        message: 'How does it get its tokens?',
        options: entries(OPTIONS).map(([value, texts]) => ({ value: `${value}`, ...texts })),
        initialValue: DEFAULTS.option,
        ...streams,
      }),
    ))
  const framework =
    flags.framework ??
    (await answered(
      select<Framework>({
        message: 'With which framework?',
        options: entries(FRAMEWORKS)
          .filter(([value]) => flags.kind !== 'worker' || !isReact(value))
          .map(([value, texts]) => ({ value, ...texts })),
        initialValue: DEFAULTS.framework,
        ...streams,
      }),
    ))
  const kind =
    flags.kind ??
    (isReact(framework) ? 'ui' : undefined) ??
    (await answered(
      select<Kind>({
        message: 'What kind of app is it?',
        options: entries(KINDS).map(([value, texts]) => ({ value, ...texts })),
        initialValue: DEFAULTS.kind,
        ...streams,
      }),
    ))
  outro('That is all.', streams)
  return { directory, name: parseName(name), option, framework, kind }
}

async function answered<Value>(prompt: Promise<Value>): Promise<Exclude<Value, symbol>> {
  const value = await prompt
  if (isCancel(value)) throw new Cancelled()
  return value as Exclude<Value, symbol>
}

const entries = <Key extends string | number, Value>(of: Readonly<Record<Key, Value>>) =>
  Object.entries(of) as [Key, Value][]

function tryOr(attempt: () => string, fallback: string): string {
  try {
    return attempt()
  } catch {
    return fallback
  }
}

function messageOf(attempt: () => unknown): string | undefined {
  try {
    attempt()
  } catch (error) {
    return (error as Error).message
  }
}
