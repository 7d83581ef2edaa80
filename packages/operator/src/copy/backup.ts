// Backs up an installation into one file while it runs, and restores it into an empty database, of
// either engine. The file is a SQLite database; a backup of PostgreSQL is a copy of a snapshot. Owns
// the order of the steps and the refusals. docs/operate/backup.md.
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { refuseToOverwrite, verifyChecksum, writeChecksum, writeWhole } from './backup-file.ts'
import { type CopyOptions, checkVersions, copyDatabase, openEndpoint } from './copy.ts'
import { CopyFailed } from './endpoint.ts'
import { isOpenElsewhere, leaveWal, writeSnapshot } from './sqlite-endpoint.ts'
import { pathOf } from './url.ts'

type CopyContext = Pick<CopyOptions, 'clock' | 'onProgress' | 'signal'>

export interface Backup {
  readonly bytes: number
  /** Digest of the whole file; the checksum file beside it has the same. */
  readonly sha256: string
  readonly tables: number
  readonly rows: number
  readonly versions: readonly number[]
}

/** @throws CopyFailed; then there is no file at `file`. */
export async function backUp(
  { from, file }: { readonly from: string; readonly file: string },
  copyContext: CopyContext,
): Promise<Backup> {
  refuseToOverwrite(file)
  const source = await openEndpoint(from, 'snapshot')
  await source.close()
  checkVersions(source)
  await writeWhole(file, async (temporary) => {
    const path = pathOf(from)
    if (path !== undefined) return writeSnapshot(path, temporary)
    await copyDatabase({ ...copyContext, from, to: `file:${temporary}`, mode: 'snapshot' })
    leaveWal(temporary)
  })
  return { ...(await describeBackup(file)), sha256: await writeChecksum(file) }
}

async function describeBackup(file: string) {
  const endpoint = await openEndpoint(`file:${file}`, 'snapshot')
  try {
    let rows = 0
    for (const table of endpoint.tables) rows += await endpoint.count(table)
    const { tables, versions } = endpoint
    return { bytes: statSync(file).size, tables: tables.length, rows, versions }
  } finally {
    await endpoint.close()
  }
}

export interface RestoreOptions extends CopyContext {
  readonly file: string
  readonly to: string
  /** Renames an existing SQLite database instead of refusing. */
  readonly replace: boolean
}

export interface Restored {
  readonly versions: readonly number[]
  /** False without a checksum file beside the backup. */
  readonly isChecksumKnown: boolean
  /** The new path of the replaced database. */
  readonly keptAt: string | undefined
}

/** @throws CopyFailed; then the target is as it was. */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { file, to } = options
  const isChecksumKnown = await verifyChecksum(file)
  const backup = await openEndpoint(`file:${file}`, 'snapshot')
  await backup.close()
  checkVersions(backup)
  const path = pathOf(to)
  let keptAt: string | undefined
  if (path !== undefined) keptAt = await restoreFile(path, options)
  else await copyDatabase({ ...options, from: `file:${file}`, mode: 'snapshot' })
  return { versions: backup.versions, isChecksumKnown, keptAt }
}

async function restoreFile(
  path: string,
  { file, replace, clock }: RestoreOptions,
): Promise<string | undefined> {
  const found = ['', '-wal', '-shm'].filter((suffix) => existsSync(path + suffix))
  if (found.length > 0 && !replace) {
    throw new CopyFailed(
      `There is a database at ${path}${found[0]}. Nothing was changed. Stop the service and use --replace, which keeps it under another name.`,
    )
  }
  if (found.includes('') && isOpenElsewhere(path)) {
    throw new CopyFailed(`A process has ${path} open. Nothing was changed. Stop the service first.`)
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const keptAt = `${path}.before-${new Date(clock()).toISOString().replace(/[-:]|\.\d+/g, '')}`
  // With its log: it may have rows of a crashed process, and SQLite would use it for the restored
  // database.
  const moveAside = () => {
    for (const suffix of ['-wal', '-shm', '']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, keptAt + suffix)
    }
  }
  await writeWhole(path, async (temporary) => writeSnapshot(file, temporary), moveAside)
  return found.length > 0 ? keptAt : undefined
}
