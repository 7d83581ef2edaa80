// Writes the files of a new app, all or none: into a sibling of the directory first, then moves
// them in one step. Refuses a directory that is not empty. Knows nothing of the contents.
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Refusal } from './choices.ts'

/** Contents by path, relative, with slashes. */
export type AppFiles = ReadonlyMap<string, string | Uint8Array>

/** Returns why nothing can be written there; undefined when it can. An empty Git repository is empty. */
export function explainOccupied(directory: string): string | undefined {
  try {
    const found = readdirSync(directory).find((name) => name !== '.git')
    if (found === undefined) return undefined
    return `${directory} is not empty (it holds ${found}). Name another directory, or empty this one.`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A dangling link exists, and nothing could replace it.
    if (code === 'ENOENT' && !lstatSync(directory, { throwIfNoEntry: false })) return undefined
    if (code === 'ENOENT') return `${directory} is a dangling link. Name another directory.`
    if (code === 'ENOTDIR') return `${directory} is a file. Name a directory, or one to create.`
    throw error
  }
}

export function requireEmpty(directory: string): void {
  const why = explainOccupied(directory)
  if (why) throw new Refusal(why)
}

/** @throws Refusal, or the reason of `signal`, after it deleted what it had written */
export async function writeApp(
  directory: string,
  files: AppFiles,
  signal: AbortSignal,
): Promise<void> {
  requireEmpty(directory)
  const parent = dirname(directory)
  const staged = join(parent, `.${basename(directory)}-${process.pid}`)
  /** The topmost new directory, which a failure deletes. */
  const created = await mkdir(staged, { recursive: true })
  try {
    for (const [path, content] of files) {
      const file = join(staged, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
    }
    signal.throwIfAborted()
    requireEmpty(directory)
    moveOver(staged, directory)
  } catch (error) {
    await rm(created ?? staged, { recursive: true, force: true })
    throw error
  }
}

/** Synchronous, so that Ctrl-C takes effect before or after. */
function moveOver(staged: string, directory: string): void {
  if (!existsSync(directory)) {
    renameSync(staged, directory)
    return
  }
  // Keeps the directory itself, which may be the working directory of a shell.
  for (const name of readdirSync(staged)) renameSync(join(staged, name), join(directory, name))
  rmdirSync(staged)
}
