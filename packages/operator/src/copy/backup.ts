// Backs up an installation into one file while it runs, and restores it into an empty database, of
// either engine. The file is a SQLite database, which may be packed; a backup of PostgreSQL is a copy
// of a snapshot. Owns the order of the steps and the refusals. docs/operate/backup.md.
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import {
  refuseToOverwrite,
  verifyChecksum,
  withClearFile,
  writeChecksum,
  writeWhole,
} from './backup-file.ts'
import { type CopyOptions, checkVersions, copyDatabase, openEndpoint } from './copy.ts'
import { CopyFailed } from './endpoint.ts'
import { isPacked, type Packing, packerOf, suffixOf, unpack } from './packed-file.ts'
import { checkIntegrity, isOpenElsewhere, leaveWal, writeSnapshot } from './sqlite-endpoint.ts'
import { pathOf } from './url.ts'

type CopyContext = Pick<CopyOptions, 'clock' | 'onProgress' | 'signal'>

export interface Backup {
  readonly bytes: number
  /** The digest of the whole file; the checksum file beside it has the same. */
  readonly sha256: string
  readonly tables: number
  readonly rows: number
  readonly versions: readonly number[]
}

export interface BackupOptions {
  readonly from: string
  readonly file: string
  readonly packing?: Packing
  /** The folder in which the rows lie unpacked during the backup, when the file is packed. */
  readonly scratch?: string
}

const UNPACKED: Packing = { isCompressed: false, recipients: [] }

/**
 * Returns the folder where rows may lie unpacked. Beside a SQLite database they do already; for PostgreSQL it
 * is the folder of temporary files.
 */
export function defaultScratch(url: string): string {
  const path = pathOf(url)
  return path === undefined ? tmpdir() : dirname(path)
}

/** @throws CopyFailed; then there is no file at `file`. */
export async function backUp(
  { from, file, packing = UNPACKED, scratch = defaultScratch(from) }: BackupOptions,
  copyContext: CopyContext,
): Promise<Backup> {
  refuseToOverwrite(file)
  const pack = packerOf(packing, copyContext.signal)
  const source = await openEndpoint(from, 'snapshot')
  await source.close()
  checkVersions(source)
  const write = (to: string) => writeDatabase(from, to, copyContext)
  let content: Pick<Backup, 'tables' | 'rows' | 'versions'>
  if (suffixOf(packing) === '') {
    await writeWhole(file, write)
    content = await describeBackup(file)
  } else {
    content = await withClearFile(scratch, async (clear) => {
      await write(clear)
      await writeWhole(file, (temporary) => pack(clear, temporary))
      return await describeBackup(clear)
    })
  }
  return { ...content, bytes: statSync(file).size, sha256: await writeChecksum(file) }
}

async function writeDatabase(from: string, to: string, copyContext: CopyContext): Promise<void> {
  const path = pathOf(from)
  if (path !== undefined) writeSnapshot(path, to)
  else {
    await copyDatabase({ ...copyContext, from, to: `file:${to}`, mode: 'snapshot' })
    leaveWal(to)
  }
  checkIntegrity(to)
}

async function describeBackup(file: string) {
  const endpoint = await openEndpoint(`file:${file}`, 'snapshot')
  try {
    let rows = 0
    for (const table of endpoint.tables) rows += await endpoint.count(table)
    const { tables, versions } = endpoint
    return { tables: tables.length, rows, versions }
  } finally {
    await endpoint.close()
  }
}

export interface RestoreOptions extends CopyContext {
  readonly file: string
  readonly to: string
  /** Renames an existing SQLite database instead of refusing. */
  readonly replace: boolean
  /** The secret keys of age, for a backup that is encrypted. */
  readonly identityFile?: string | undefined
  /** The folder in which the rows of a packed backup lie until they are in their database. */
  readonly scratch?: string
}

export interface Restored {
  readonly versions: readonly number[]
  /** The value is false without a checksum file beside the backup. */
  readonly isChecksumKnown: boolean
  /** The new path of the replaced database. */
  readonly keptAt: string | undefined
}

/** @throws CopyFailed; then the target is as it was. */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { file, to, identityFile, scratch = defaultScratch(to) } = options
  const isChecksumKnown = await verifyChecksum(file)
  if (!isPacked(file)) return { ...(await restoreDatabase(options)), isChecksumKnown }
  const restored = await withClearFile(scratch, async (clear) => {
    await unpack(file, clear, identityFile)
    return await restoreDatabase({ ...options, file: clear })
  })
  return { ...restored, isChecksumKnown }
}

async function restoreDatabase(
  options: RestoreOptions,
): Promise<Pick<Restored, 'versions' | 'keptAt'>> {
  const { file, to } = options
  const backup = await openEndpoint(`file:${file}`, 'snapshot')
  await backup.close()
  checkVersions(backup)
  const path = pathOf(to)
  let keptAt: string | undefined
  if (path !== undefined) keptAt = await restoreFile(path, options)
  else await copyDatabase({ ...options, from: `file:${file}`, mode: 'snapshot' })
  return { versions: backup.versions, keptAt }
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
  await writeWhole(
    path,
    (temporary) => writeDatabase(`file:${file}`, temporary, { clock }),
    moveAside,
  )
  return found.length > 0 ? keptAt : undefined
}
