// Reads the trail of an account from the database as the lines of an export, in batches. Events of the
// last half minute are not chained yet and are part of the next export.
import type { Database } from '../db/database.ts'
import { chainRoot } from './audit.ts'
import { formatHead, formatLine } from './audit-export.ts'
import { findHead, listChained } from './audit-store.ts'

const BATCH = 500

/** Lines with line ends. Reads the head first, so that the export of a growing trail ends. */
export async function* readExport(db: Database, accountId: string): AsyncGenerator<string> {
  const head = (await findHead(db, accountId)) ?? { seq: 0, hash: chainRoot(accountId) }
  for (let seq = 0; seq < head.seq; ) {
    const limit = Math.min(BATCH, head.seq - seq)
    const batch = await listChained(db, accountId, seq, limit)
    if (batch.length === 0) break
    for (const chained of batch) yield `${formatLine(chained)}\n`
    seq = batch.at(-1)?.seq ?? head.seq
  }
  yield `${formatHead(accountId, head)}\n`
}
