// Puts the files of a new app where they belong, all or none: beside the directory first, then over in
// one step. Refuses a directory that holds something. Knows nothing of what it writes.
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Refusal } from './choices.ts'

/** Contents by path, relative, with slashes. */
export type AppFiles = ReadonlyMap<string, string | Uint8Array>

/** Why nothing can be written there; undefined when it can. A repository without files is empty. */
export function explainOccupied(directory: string): string | undefined {
  try {
    const found = readdirSync(directory).find((name) => name !== '.git')
    if (found === undefined) return undefined
    return `${directory} is not empty (it holds ${found}). Name another directory, or empty this one.`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A link to nowhere is there, and nothing could take its place.
    if (code === 'ENOENT' && !lstatSync(directory, { throwIfNoEntry: false })) return undefined
    if (code === 'ENOENT') return `${directory} is a link to nowhere. Name another directory.`
    if (code === 'ENOTDIR') return `${directory} is a file. Name a directory, or one to be made.`
    throw error
  }
}

export function requireEmpty(directory: string): void {
  const why = explainOccupied(directory)
  if (why) throw new Refusal(why)
}

/** @throws Refusal, or the reason of `signal`; whatever was begun is gone then */
export async function writeApp(
  directory: string,
  files: AppFiles,
  signal: AbortSignal,
): Promise<void> {
  requireEmpty(directory)
  const parent = dirname(directory)
  const staged = join(parent, `.${basename(directory)}-${process.pid}`)
  /** The topmost directory that is new, so that a failure leaves none. */
  const made = await mkdir(staged, { recursive: true })
  try {
    for (const [path, content] of files) {
      const place = join(staged, path)
      await mkdir(dirname(place), { recursive: true })
      await writeFile(place, content)
    }
    signal.throwIfAborted()
    requireEmpty(directory)
    moveOver(staged, directory)
  } catch (error) {
    await rm(made ?? staged, { recursive: true, force: true })
    throw error
  }
}

/** Without a pause, so that Ctrl-C comes before or after. */
function moveOver(staged: string, directory: string): void {
  if (!existsSync(directory)) {
    renameSync(staged, directory)
    return
  }
  // The directory stays the one that a shell may stand in.
  for (const name of readdirSync(staged)) renameSync(join(staged, name), join(directory, name))
  rmdirSync(staged)
}
