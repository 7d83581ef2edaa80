// Writes and reads an archive: the trails of many accounts in one compressed file of JSON Lines, each with
// its begin and its end, and a last line that says how many there are. docs/operate/audit.md.
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import {
  type ChainHead,
  chainRoot,
  findArchivedEnd,
  formatBegin,
  formatHead,
  formatLine,
  NEWEST_SEQ,
  readChained,
} from '@chartside/server/operator/audit'
import type { Database } from '@chartside/server/operator/database'
import { openLines } from './line-reader.ts'
import { type CheckedFile, checkFile, formatArchiveEnd } from './trails-check.ts'

export const ARCHIVE_NAME = /^audit-before-\d{4}-\d{2}(-\d+)?\.jsonl\.gz$/

/** Reads what is older than `before` and not yet archived in one trail; a link of the chain stays whole. */
async function* readTrail(
  db: Database,
  accountId: string,
  before: number,
): AsyncGenerator<{ line: string; isEvent: boolean }> {
  const begin = (await findArchivedEnd(db, accountId)) ?? { seq: 0, hash: chainRoot(accountId) }
  let end: ChainHead = begin
  const range = { afterSeq: begin.seq, afterHash: begin.hash, toSeq: NEWEST_SEQ }
  for await (const { link, chained } of readChained(db, accountId, range)) {
    if (link.newest.at >= before) break
    if (end === begin) yield { line: formatBegin(accountId, begin), isEvent: false }
    for (const event of chained) yield { line: formatLine(event), isEvent: true }
    end = { seq: link.seq, hash: link.hash }
  }
  if (end !== begin) yield { line: formatHead(accountId, end), isEvent: false }
}

export interface Written {
  readonly trails: number
  readonly events: number
}

/** Resolves when the file is on the disk. An empty file, if nothing is that old. */
export async function writeArchive(
  path: string,
  {
    db,
    accountIds,
    before,
    onEvents,
  }: {
    readonly db: Database
    readonly accountIds: readonly string[]
    readonly before: number
    readonly onEvents: (accountId: string, number: number, events: number) => Promise<void>
  },
): Promise<Written> {
  let [trails, events] = [0, 0]
  async function* lines(): AsyncGenerator<string> {
    for (const [at, accountId] of accountIds.entries()) {
      let ofTrail = 0
      for await (const { line, isEvent } of readTrail(db, accountId, before)) {
        if (isEvent) {
          events += 1
          ofTrail += 1
          if (ofTrail % 500 === 0) await onEvents(accountId, at + 1, ofTrail)
        } else if (ofTrail === 0) trails += 1
        yield `${line}\n`
      }
      await onEvents(accountId, at + 1, ofTrail)
    }
    if (trails > 0) yield `${formatArchiveEnd(trails, events)}\n`
  }
  const target = createWriteStream(path, { mode: 0o600 })
  await pipeline(Readable.from(lines()), createGzip(), target)
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
  return { trails, events }
}

/** Reads all of it and verifies it. A file that cannot be read is a problem, too. */
export async function readArchive(
  path: string,
  name: string,
  onEvents: (events: number) => void = () => {},
): Promise<CheckedFile & { readonly digest: string }> {
  const { lines, digest } = openLines(path)
  try {
    const checked = await checkFile(name, lines, onEvents)
    return { ...checked, digest: digest() }
  } catch (error) {
    const problems = [`cannot be read to its end: ${(error as Error).message}`]
    return { sections: [], events: 0, problems, digest: '' }
  }
}
