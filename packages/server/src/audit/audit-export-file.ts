// Reads the trail of an account from the database as the lines of an export, in batches. Events of the
// last half minute are not chained yet and are part of the next export.
import {
  type ChainHead,
  formatBegin,
  formatHead,
  formatLine,
} from '@chartside/protocol/audit-trail'
import type { Database } from '../db/database.ts'
import { chainRoot } from './audit.ts'
import { findArchivedEnd, findLastLink } from './audit-link-store.ts'
import { readChained } from './audit-trail.ts'

/**
 * Lines with line ends. Reads the end first, so that the export of a growing trail ends. A trail of which
 * events are in an archive begins with what it continues.
 */
export async function* readExport(db: Database, accountId: string): AsyncGenerator<string> {
  const start = { seq: 0, hash: chainRoot(accountId) }
  const begin = (await findArchivedEnd(db, accountId)) ?? start
  const { seq, hash } = (await findLastLink(db, accountId)) ?? start
  if (begin.seq > 0) yield `${formatBegin(accountId, begin)}\n`
  yield* readLines(db, accountId, { begin, end: { seq, hash } })
}

/** The events after `begin` to `end`, and the line of the end. Both are ends of links. */
export async function* readLines(
  db: Database,
  accountId: string,
  { begin, end }: { readonly begin: ChainHead; readonly end: ChainHead },
): AsyncGenerator<string> {
  const range = { afterSeq: begin.seq, afterHash: begin.hash, toSeq: end.seq }
  for await (const { chained } of readChained(db, accountId, range)) {
    for (const event of chained) yield `${formatLine(event)}\n`
  }
  yield `${formatHead(accountId, end)}\n`
}
