// Reads the trail of an account out of the database as the lines of an export, a stretch at a time.
// What was written in the last half minute has no place in the chain yet and is left to the next one.
import type { Database } from '../db/database.ts'
import { chainRoot } from './audit.ts'
import { formatHead, formatLine } from './audit-export.ts'
import { findHead, listChained } from './audit-store.ts'

const STRETCH = 500

/** Lines with their ends. The head is read first, so that a trail that grows meanwhile still ends. */
export async function* readExport(db: Database, accountId: string): AsyncGenerator<string> {
  const head = (await findHead(db, accountId)) ?? { seq: 0, hash: chainRoot(accountId) }
  for (let seq = 0; seq < head.seq; ) {
    const limit = Math.min(STRETCH, head.seq - seq)
    const stretch = await listChained(db, accountId, seq, limit)
    if (stretch.length === 0) break
    for (const chained of stretch) yield `${formatLine(chained)}\n`
    seq = stretch.at(-1)?.seq ?? head.seq
  }
  yield `${formatHead(accountId, head)}\n`
}
