// Reads the trail of an account from the database as the lines of an export, in batches. Events of the
// last half minute are not chained yet and are part of the next export.
import type { Database } from '../db/database.ts'
import { chainRoot } from './audit.ts'
import { formatHead, formatLine } from './audit-export.ts'
import { findLastLink } from './audit-link-store.ts'
import { readChained } from './audit-trail.ts'

/** Lines with line ends. Reads the head first, so that the export of a growing trail ends. */
export async function* readExport(db: Database, accountId: string): AsyncGenerator<string> {
  const { seq, hash } = (await findLastLink(db, accountId)) ?? {
    seq: 0,
    hash: chainRoot(accountId),
  }
  for await (const { chained } of readChained(db, accountId, { afterSeq: 0, toSeq: seq })) {
    for (const event of chained) yield `${formatLine(event)}\n`
  }
  yield `${formatHead(accountId, { seq, hash })}\n`
}
