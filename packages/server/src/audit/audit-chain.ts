// Appends new events to the hash chains of their accounts, in batches, some time after they were
// written, so that issuance never waits for a chain. The accounts are divided into slots by their
// partition; a node builds the slots whose leases it gets, so several nodes build at once. Of two nodes
// that build one slot all the same, one breaks a primary key and reads again. docs/decisions/0020.

import { acquireLease, updateLeaseExpiry } from '../cluster/leases.ts'
import { type Database, UniqueViolation } from '../db/database.ts'
import { idFloor, timeOfId } from '../kernel/identifiers.ts'
import { buildChain, chainRoot } from './audit.ts'
import type { ChainHead } from './audit-export.ts'
import {
  CHAIN_SLOTS,
  findHead,
  findLastChained,
  insertLinks,
  listChainPositions,
  listUnchained,
  type StoredEvent,
  updateChainPositions,
} from './audit-store.ts'

export const CHAIN = {
  /** Longer than the duration of any write, and than the difference between clocks. */
  settleMs: 30_000,
  everyMs: 5000,
  batch: 500,
  leaseMs: 30_000,
  /** A node reads the events of so many slots together, and leaves the others to other nodes. */
  slotsAtOnce: 4,
  /** Events that were written even later are searched at this interval, so far back. */
  lateEventsEveryMs: 10 * 60_000,
  lateEventsMs: 30 * 60_000,
} as const

export interface ChainOptions {
  readonly settleMs?: number
  readonly includeLateEvents?: boolean
  /** Where this node begins, so that nodes which start together take different slots. */
  readonly firstSlot?: number
}

/** Chains the settled events. Returns how many, or undefined when other nodes have every lease. */
export async function extendChains(
  db: Database,
  now: number,
  { settleMs = CHAIN.settleMs, includeLateEvents = false, firstSlot = 0 }: ChainOptions = {},
): Promise<number | undefined> {
  const doneAt = now - settleMs
  const to = idFloor('evt', doneAt)
  const beginning = await findBeginning(db, now)
  const lateFrom = includeLateEvents ? now - CHAIN.lateEventsMs : Number.POSITIVE_INFINITY
  const fromOf = (slots: readonly number[]) =>
    idFloor('evt', Math.max(Math.min(lateFrom, ...slots.map(beginning)), 0))
  const every = Array.from({ length: CHAIN_SLOTS }, (_, i) => (firstSlot + i) % CHAIN_SLOTS)
  // On an idle installation the reads save the writes of leases.
  if ((await listUnchained(db, { from: fromOf(every), to, limit: 1 })).length === 0) return 0
  let count = 0
  let hasBuilt = false
  for (let at = 0; at < every.length; at += CHAIN.slotsAtOnce) {
    const slots = await acquireSlots(db, now, every.slice(at, at + CHAIN.slotsAtOnce))
    if (slots.length === 0) continue
    hasBuilt = true
    const { chained, isDone } = await chainSlots(db, { slots, from: fromOf(slots), to })
    count += chained
    if (isDone) await updateChainPositions(db, slots, Math.min(doneAt, now))
    for (const slot of slots) await updateLeaseExpiry(db, leaseOf(slot), now)
  }
  return hasBuilt ? count : undefined
}

/** Where the first unchained event of a slot may be; at first behind what an earlier version chained. */
async function findBeginning(db: Database, now: number): Promise<(slot: number) => number> {
  const positions = await listChainPositions(db)
  const last = positions.size < CHAIN_SLOTS ? await findLastChained(db) : ''
  const first = last === '' ? 0 : (timeOfId(last) ?? 0)
  // A position in the future was written by a node whose clock was wrong; the search for late events helps.
  return (slot) => Math.min(positions.get(slot) ?? first, now)
}

/** When the oldest event happened that is in no chain yet; undefined when there is none. */
export async function findOldestUnchained(db: Database, now: number): Promise<number | undefined> {
  const beginning = await findBeginning(db, now)
  const from = Math.min(...Array.from({ length: CHAIN_SLOTS }, (_, slot) => beginning(slot)))
  const range = { from: idFloor('evt', from), to: idFloor('evt', now + CHAIN.settleMs), limit: 1 }
  return (await listUnchained(db, range))[0]?.at
}

const leaseOf = (slot: number) => `audit-chain-${slot}`

async function acquireSlots(
  db: Database,
  now: number,
  slots: readonly number[],
): Promise<number[]> {
  const lease = { now, leaseExpiresAt: now + CHAIN.leaseMs, maxLeaseMs: 2 * CHAIN.leaseMs }
  const held = await Promise.all(slots.map((slot) => acquireLease(db, leaseOf(slot), lease)))
  return slots.filter((_, i) => held[i])
}

/** Chains what these slots have, oldest first, until nothing is left or another node interferes. */
async function chainSlots(
  db: Database,
  { slots, from, to }: { slots: readonly number[]; from: string; to: string },
): Promise<{ chained: number; isDone: boolean }> {
  const heads = new Map<string, ChainHead>()
  let chained = 0
  for (let after = from; ; ) {
    const events = await listUnchained(db, { from: after, to, limit: CHAIN.batch, slots })
    if (events.length === 0) return { chained, isDone: true }
    try {
      await chainBatch(db, events, heads)
    } catch (error) {
      if (error instanceof UniqueViolation) return { chained, isDone: false }
      throw error
    }
    chained += events.length
    after = events.at(-1)?.id ?? after
  }
}

async function chainBatch(
  db: Database,
  events: readonly StoredEvent[],
  heads: Map<string, ChainHead>,
): Promise<void> {
  const byAccount = Map.groupBy(events, ({ accountId }) => accountId)
  const links = await Promise.all(
    [...byAccount].map(async ([accountId, ofAccount]) => {
      const head = heads.get(accountId) ??
        (await findHead(db, accountId)) ?? { seq: 0, hash: chainRoot(accountId) }
      return buildChain(head, ofAccount)
    }),
  )
  await insertLinks(db, links.flat())
  for (const [last] of links.map((ofAccount) => ofAccount.slice(-1))) {
    if (last) heads.set(last.event.accountId, { seq: last.seq, hash: last.hash })
  }
}
