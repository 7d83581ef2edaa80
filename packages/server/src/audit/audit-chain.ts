// Hangs new events on the chains of their accounts, in batches, a while after they were written, so
// that issuance never waits for a chain. One node at a time does it; when two do, one of them breaks
// a primary key and looks again. docs/decisions/0020.

import { acquireLease, updateLeaseExpiry } from '../cluster/leases.ts'
import { type Database, UniqueViolation } from '../db/database.ts'
import { idFloor } from '../kernel/identifiers.ts'
import { type AuditEvent, buildChain, chainRoot } from './audit.ts'
import { findHead, findLastChained, insertLinks, listUnchained } from './audit-store.ts'

export const CHAIN = {
  /** Longer than any write takes that began earlier, and than clocks differ. */
  settleMs: 30_000,
  everyMs: 5000,
  batch: 100,
  heldMs: 30_000,
  /** Events that were written even later are looked for now and then, so far back. */
  stragglersEveryMs: 10 * 60_000,
  stragglersMs: 30 * 60_000,
} as const

const DUTY = 'audit-chain'

/** One node's turn: chains what has settled. Gives how many, or undefined when it is not its turn. */
export async function extendChains(
  db: Database,
  now: number,
  options: { readonly settleMs?: number; readonly includeLateEvents?: boolean } = {},
): Promise<number | undefined> {
  const to = idFloor('evt', now - (options.settleMs ?? CHAIN.settleMs))
  let from = options.includeLateEvents
    ? idFloor('evt', now - CHAIN.stragglersMs)
    : await findLastChained(db)
  // An idle installation has nothing to chain, and nothing is written to find that out.
  if ((await listUnchained(db, { from, to, limit: 1 })).length === 0) return 0
  const claim = { now, leaseExpiresAt: now + CHAIN.heldMs, longestMs: 2 * CHAIN.heldMs }
  if (!(await acquireLease(db, DUTY, claim))) return undefined
  let count = 0
  for (;;) {
    const events = await listUnchained(db, { from, to, limit: CHAIN.batch })
    if (events.length === 0) break
    try {
      await chainBatch(db, events)
    } catch (error) {
      if (error instanceof UniqueViolation) break
      throw error
    }
    count += events.length
    from = events.at(-1)?.id ?? from
  }
  await updateLeaseExpiry(db, DUTY, now)
  return count
}

async function chainBatch(db: Database, events: readonly AuditEvent[]): Promise<void> {
  const byAccount = Map.groupBy(events, ({ accountId }) => accountId)
  const links = await Promise.all(
    [...byAccount].map(async ([accountId, ofAccount]) => {
      const head = (await findHead(db, accountId)) ?? { seq: 0, hash: chainRoot(accountId) }
      return buildChain(head, ofAccount)
    }),
  )
  await insertLinks(db, links.flat())
}
