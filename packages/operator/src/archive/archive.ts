// Archives the audit trail: writes what is old into a file, reads it back and verifies it, records it, and only
// then removes the events. Begun again after a kill at any point it goes on where it was. docs/inside/decisions/0042.
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextImmediate } from 'node:timers/promises'
import {
  findArchivedEnd,
  findEvents,
  type Link,
  listLinksAfter,
  MAX_DELAY_MS,
  partOf,
  readEventsBetween,
} from '@chartside/server/operator/audit'
import type { Database, Statement } from '@chartside/server/operator/database'
import type { Progress } from '../copy/copy.ts'
import { ARCHIVE_NAME, readArchive, writeArchive } from './archive-file.ts'
import {
  type ArchivedPart,
  deleteEventsStatements,
  deleteLinkStatement,
  insertArchivedPartStatement,
  listArchivedParts,
  listTrailsBefore,
  writeOutStatement,
} from './archive-store.ts'

/** The archive cannot be made. The message names cause and fix, and what was changed. */
class ArchiveFailed extends Error {
  override readonly name = 'ArchiveFailed'
}

interface ArchiveOptions {
  readonly db: Database
  readonly folder: string
  /** Events before this time. */
  readonly before: number
  /** The month, such as `2026-09`, for the name of the file. */
  readonly month: string
  readonly now: number
  readonly onProgress: (progress: Progress) => void
  readonly signal: AbortSignal
  /** Runs before any event of this file is removed. */
  onRecorded(file: ArchivedFile): Promise<void>
}

export interface ArchivedFile {
  readonly file: string
  readonly digest: string
  readonly trails: number
  readonly events: number
}

const LINKS_AT_ONCE = 100
const EVENTS_IN_TRANSACTION = 500
const DAY_MS = 86_400_000

/** Archives the events; finishes an interrupted run first. Returns the files of which events were removed. */
export async function archiveTrails(options: ArchiveOptions): Promise<ArchivedFile[]> {
  const finished = await finishEarlier(options)
  const made = await makeArchive(options)
  return made ? [...finished, made] : finished
}

/** Counts the events, and their trails, that {@link archiveTrails} would put into a new file. */
export async function countArchivable(db: Database, before: number) {
  let [trails, events] = [0, 0]
  for (const accountId of await listTrailsBefore(db, before)) {
    const begin = (await findArchivedEnd(db, accountId))?.seq ?? 0
    let ofTrail = 0
    for await (const { keys, newest } of linksAfter(db, accountId, begin)) {
      if (newest.at >= before) break
      ofTrail += keys.length
    }
    events += ofTrail
    if (ofTrail > 0) trails += 1
  }
  return { trails, events }
}

async function* linksAfter(db: Database, accountId: string, seq: number): AsyncGenerator<Link> {
  for (let after = seq; ; ) {
    const links = await listLinksAfter(db, accountId, after, LINKS_AT_ONCE)
    yield* links
    const end = links.at(-1)
    if (!end) return
    after = end.seq
  }
}

async function makeArchive(options: ArchiveOptions): Promise<ArchivedFile | undefined> {
  const { db, folder, before, onProgress, signal } = options
  const name = await chooseName(options)
  const partial = join(folder, `${name}.partial`)
  const accountIds = await listTrailsBefore(db, before)
  const written = await writeArchive(partial, {
    db,
    accountIds,
    before,
    async onEvents(table, number, rows) {
      onProgress({ step: 'archiving', table, number, tables: accountIds.length, rows })
      await nextImmediate()
      if (!signal.aborted) return
      throw new ArchiveFailed('Interrupted. Nothing was removed; run it again to start over.')
    },
  })
  if (written.trails === 0) {
    await rm(partial)
    return undefined
  }
  const checked = await verify(options, partial, name)
  if (checked.events !== written.events) {
    throw new ArchiveFailed(
      `${partial} has ${checked.events} events where ${written.events} were written. Nothing was removed. Look for a fault of the disk.`,
    )
  }
  await rename(partial, join(folder, name))
  return recordAndRemove(options, name, checked)
}

/** A file of this month may be there, because some events came into a chain later. */
export async function chooseName({
  folder,
  month,
}: Pick<ArchiveOptions, 'folder' | 'month'>): Promise<string> {
  const names = new Set(await readdir(folder))
  for (let number = 1; ; number++) {
    const name = `audit-before-${month}${number === 1 ? '' : `-${number}`}.jsonl.gz`
    if (!names.has(name)) return name
  }
}

type Checked = Awaited<ReturnType<typeof readArchive>>

/** @throws ArchiveFailed when the file is not whole. */
async function verify(
  { onProgress }: ArchiveOptions,
  path: string,
  name: string,
): Promise<Checked> {
  const checked = await readArchive(path, name, (rows) =>
    onProgress({ step: 'verifying', table: name, number: 1, tables: 1, rows }),
  )
  if (checked.problems.length > 0) {
    throw new ArchiveFailed(
      `${path} does not verify, so nothing of it is removed from the database:\n  ${checked.problems.join('\n  ')}\n` +
        'If a trail was changed, keep this file and the database as evidence: docs/operate/incident.md.',
    )
  }
  return checked
}

async function recordAndRemove(
  options: ArchiveOptions,
  file: string,
  { sections, events, digest }: Checked,
): Promise<ArchivedFile> {
  const { db, now, onRecorded } = options
  const parts = sections.map(
    ({ accountId, end }): ArchivedPart => ({ accountId, ...end, file, digest }),
  )
  // One transaction records every trail of the file, or none.
  await db.write(...parts.map((part) => insertArchivedPartStatement(part, now)))
  const done = { file, digest, trails: sections.length, events }
  await onRecorded(done)
  await removeParts(options, parts)
  return done
}

async function removeParts(
  { db, onProgress, signal }: ArchiveOptions,
  parts: readonly ArchivedPart[],
): Promise<void> {
  for (const [at, part] of parts.entries()) {
    await removeTrail(db, part, async (rows) => {
      const place = { number: at + 1, tables: parts.length }
      onProgress({ step: 'removing', table: part.accountId, ...place, rows })
      await nextImmediate()
      if (!signal.aborted) return
      throw new ArchiveFailed('Interrupted. The archive is whole; run it again to remove the rest.')
    })
  }
}

/** The oldest first, so that what is left is always the end of the trail. */
async function removeTrail(
  db: Database,
  { accountId, seq }: ArchivedPart,
  report: (events: number) => Promise<void>,
): Promise<void> {
  const [last] = await listLinksAfter(db, accountId, seq - 1, 1)
  if (last) await writeOutSteps(db, accountId, last.newest.at)
  let [removed, keys] = [0, 0]
  let statements: Statement[] = []
  const flush = async () => {
    if (statements.length > 0) await db.write(...statements)
    removed += keys
    statements = []
    keys = 0
    await report(removed)
  }
  for await (const link of linksAfter(db, accountId, 0)) {
    if (link.seq > seq) break
    statements.push(...deleteEventsStatements(accountId, link.keys))
    // The last link stays, because the chain continues its hash.
    if (link.seq < seq) statements.push(deleteLinkStatement(accountId, link.seq))
    keys += link.keys.length
    if (keys >= EVENTS_IN_TRANSACTION) await flush()
  }
  await flush()
}

/** Steps that leave account and app to an opening which goes into the archive get them themselves. */
async function writeOutSteps(db: Database, accountId: string, newestAt: number): Promise<void> {
  const range = {
    from: newestAt - DAY_MS,
    to: newestAt + MAX_DELAY_MS + 1,
    part: partOf(accountId),
  }
  let statements: Statement[] = []
  for await (const event of readEventsBetween(db, range)) {
    if (event.accountId !== accountId || event.openedAt === undefined) continue
    if (event.openedAt > newestAt) continue
    statements.push(writeOutStatement(event))
    if (statements.length < EVENTS_IN_TRANSACTION) continue
    await db.write(...statements)
    statements = []
  }
  if (statements.length > 0) await db.write(...statements)
}

/** An archive that was recorded, and of which events are left; one that is in the folder and not recorded. */
async function finishEarlier(options: ArchiveOptions): Promise<ArchivedFile[]> {
  const { db, folder, onRecorded } = options
  const recorded = await listArchivedParts(db)
  const finished: ArchivedFile[] = []
  const newest = new Map(recorded.map((part) => [part.accountId, part]))
  const left: ArchivedPart[] = []
  for (const part of newest.values()) if (await hasEventsLeft(db, part)) left.push(part)
  for (const [file, parts] of Map.groupBy(left, (part) => part.file)) {
    const checked = await verify(options, join(folder, file), file)
    if (checked.digest !== parts[0]?.digest) {
      throw new ArchiveFailed(
        `${join(folder, file)} is not the file that was recorded. Nothing more was removed. Put the right one there.`,
      )
    }
    const { digest, events, sections } = checked
    const done = { file, digest, trails: sections.length, events }
    await onRecorded(done)
    await removeParts(options, parts)
    finished.push(done)
  }
  const names = new Set(recorded.map(({ file }) => file))
  for (const name of (await readdir(folder)).sort()) {
    if (name.endsWith('.partial') && ARCHIVE_NAME.test(name.slice(0, -'.partial'.length))) {
      await rm(join(folder, name))
    }
    if (ARCHIVE_NAME.test(name) && !names.has(name)) finished.push(await adopt(options, name))
  }
  return finished
}

/** Adopts a file that was written and renamed by a run that was killed before it recorded the file. */
async function adopt(options: ArchiveOptions, name: string): Promise<ArchivedFile> {
  const { db, folder } = options
  const checked = await verify(options, join(folder, name), name)
  for (const { accountId, begin, end } of checked.sections) {
    const [link] = await listLinksAfter(db, accountId, end.seq - 1, 1)
    const archived = await findArchivedEnd(db, accountId)
    const isNext = begin.seq === (archived?.seq ?? 0)
    if (!isNext || link?.seq !== end.seq || link.hash !== end.hash) {
      throw new ArchiveFailed(
        `${join(folder, name)} is not an archive of this database, or is a second copy of one. Nothing was removed. Move it to another folder.`,
      )
    }
  }
  return recordAndRemove(options, name, checked)
}

async function hasEventsLeft(db: Database, { accountId, seq }: ArchivedPart): Promise<boolean> {
  const [first] = await listLinksAfter(db, accountId, 0, 1)
  if (!first || first.seq > seq) return false
  if (first.seq < seq) return true
  return (await findEvents(db, partOf(accountId), first.keys)).size > 0
}
