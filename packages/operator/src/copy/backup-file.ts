// A backup as a file: written under a temporary name, fsynced and then renamed; beside it its SHA-256
// in the format of sha256sum, which shows a damaged file. Owns names and modes of files; never reads a
// row.
import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CopyFailed } from './endpoint.ts'

/** Only the user of the service may read the rows of a database. */
const PRIVATE = 0o600

/**
 * Writes a new file by `write` and renames it to `path` once it is complete and durable. `makeRoom` moves an
 * existing file away just before. @throws CopyFailed, and leaves no file behind.
 */
export async function writeWhole(
  path: string,
  write: (temporary: string) => Promise<void>,
  makeRoom: () => void = () => {},
): Promise<void> {
  const temporary = `${path}.partial`
  try {
    closeSync(openSync(temporary, 'wx', PRIVATE))
  } catch (error) {
    throw cannotWrite(temporary, error)
  }
  try {
    await write(temporary)
    syncFile(temporary)
    makeRoom()
    refuseToOverwrite(path)
    renameSync(temporary, path)
    syncFile(dirname(path))
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) {
      rmSync(temporary + suffix, { force: true })
    }
  }
}

const CLEAR_FOLDER = 'chartside-clear-'

/** Lists the folders that killed runs have left, and those of runs that still go on. */
export const listClearFolders = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(CLEAR_FOLDER))
    .map((name) => join(folder, name))

/**
 * Gives the path of a database that is readable as it is, for as long as `use` takes: in a new folder
 * that only this user can open. @throws CopyFailed when there can be no folder.
 */
export async function withClearFile<T>(
  folder: string,
  use: (clear: string) => Promise<T>,
): Promise<T> {
  let own: string
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    own = mkdtempSync(join(folder, CLEAR_FOLDER))
  } catch (error) {
    throw cannotWrite(folder, error)
  }
  try {
    return await use(join(own, 'clear.db'))
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

function cannotWrite(temporary: string, error: unknown): CopyFailed {
  const { code, message } = error as NodeJS.ErrnoException
  const cause =
    code === 'EEXIST'
      ? `${temporary} is left from a run that was cut off, or belongs to one that still runs. If none runs, remove it.`
      : `${temporary} cannot be written: ${message}.`
  return new CopyFailed(cause, { cause: error })
}

export function refuseToOverwrite(path: string): void {
  if (existsSync(path)) {
    throw new CopyFailed(`${path} exists already, and is not overwritten. Choose another name.`)
  }
}

/** Waits until the file, or the names in the directory, are on the disk. */
function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const checksumPath = (path: string) => `${path}.sha256`

/** Writes `<path>.sha256`, which `sha256sum -c` reads as well. */
export async function writeChecksum(path: string): Promise<string> {
  const sum = await hashFile(path)
  writeFileSync(checksumPath(path), `${sum}  ${basename(path)}\n`, { mode: PRIVATE, flush: true })
  syncFile(dirname(path))
  return sum
}

/**
 * @returns whether there was a checksum; without one only the structure of the file was checked.
 * @throws CopyFailed when the backup is not what was written.
 */
export async function verifyChecksum(path: string): Promise<boolean> {
  if (!existsSync(path)) throw new CopyFailed(`There is no backup at ${path}.`)
  const hasChecksum = existsSync(checksumPath(path))
  if (hasChecksum) {
    const [wanted] = readFileSync(checksumPath(path), 'utf8').split(' ')
    if (wanted !== (await hashFile(path))) {
      throw new CopyFailed(
        `${path} is not what was written: its SHA-256 is not the one in ${checksumPath(path)}. Nothing was changed. Take another backup.`,
      )
    }
  }
  return hasChecksum
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}
