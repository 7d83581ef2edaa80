// Where tests keep their temporary files: in memory when the system has a file system for that with
// room to spare, because hundreds of short-lived databases are otherwise bound by the disk.
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const NEEDED_BYTES = 2 * 1024 ** 3

export interface TemporaryFiles {
  readonly directory: string
  remove(): void
}

export function openTemporaryFiles(): TemporaryFiles {
  const directory = mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), 'chartside-run-'))
  // A PostgreSQL that is started by root runs as another user and must reach its own folder.
  chmodSync(directory, 0o711)
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux') return false
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}
