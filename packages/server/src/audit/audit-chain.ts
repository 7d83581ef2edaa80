// Appends new events to the hash chains of their accounts, in batches, some time after they were
// written, so that issuance never waits for a chain. One node at a time does it; of two concurrent
// nodes one breaks a primary key and reads again. docs/decisions/0020.

import { acquireLease, updateLeaseExpiry } from '../cluster/leases.ts'
import { type Database, UniqueViolation } from '../db/database.ts'
import { idFloor } from '../kernel/identifiers.ts'
import { buildChain, chainRoot } from './audit.ts'
import {
  findHead,
  findLastChained,
  insertLinks,
  listUnchained,
  type StoredEvent,
} from './audit-store.ts'

export const CHAIN = {
  /** Longer than the duration of any write, and than the difference between clocks. */
  settleMs: 30_000,
  everyMs: 5000,
  batch: 100,
  leaseMs: 30_000,
  /** Events that were written even later are searched at this interval, so far back. */
  lateEventsEveryMs: 10 * 60_000,
  lateEventsMs: 30 * 60_000,
} as const

const LEASE = 'audit-chain'

/** Chains the settled events. Returns how many, or undefined when another node has the lease. */
export async function extendChains(
  db: Database,
  now: number,
  options: { readonly settleMs?: number; readonly includeLateEvents?: boolean } = {},
): Promise<number | undefined> {
  const to = idFloor('evt', now - (options.settleMs ?? CHAIN.settleMs))
  let from = options.includeLateEvents
    ? idFloor('evt', now - CHAIN.lateEventsMs)
    : await findLastChained(db)
  // On an idle installation the read saves the write of a lease.
  if ((await listUnchained(db, { from, to, limit: 1 })).length === 0) return 0
  const lease = { now, leaseExpiresAt: now + CHAIN.leaseMs, maxLeaseMs: 2 * CHAIN.leaseMs }
  if (!(await acquireLease(db, LEASE, lease))) return undefined
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
  await updateLeaseExpiry(db, LEASE, now)
  return count
}

async function chainBatch(db: Database, events: readonly StoredEvent[]): Promise<void> {
  const byAccount = Map.groupBy(events, ({ accountId }) => accountId)
  const links = await Promise.all(
    [...byAccount].map(async ([accountId, ofAccount]) => {
      const head = (await findHead(db, accountId)) ?? { seq: 0, hash: chainRoot(accountId) }
      return buildChain(head, ofAccount)
    }),
  )
  await insertLinks(db, links.flat())
}
