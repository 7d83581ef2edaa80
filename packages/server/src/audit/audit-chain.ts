// Appends new events to the hash chains of their accounts, in batches, some time after they were
// written, so that issuance never waits for a chain. The accounts are divided into slots by their
// partition; a node builds the slots whose leases it gets, so several nodes build at once. Of two nodes
// that build one slot all the same, one breaks a primary key and reads again. docs/inside/decisions/0020.

import { acquireLease, updateLeaseExpiry } from '../cluster/leases.ts'
import { type Database, UniqueViolation } from '../db/database.ts'
import { Yielder } from '../kernel/yielder.ts'
import { buildChain, type ChainedEvent, chainRoot } from './audit.ts'
import { listEventsBetween, type StoredEvent } from './audit-entry-store.ts'
import { buildLink, isNewer, type Link } from './audit-link.ts'
import {
  CHAIN_SLOTS,
  findLastLink,
  insertLinksStatements,
  listChainPositions,
  updateChainPositions,
} from './audit-link-store.ts'
import { withoutChained } from './audit-trail.ts'

export const CHAIN = {
  /** The time is longer than the duration of any write, and than the difference between clocks. */
  settleMs: 30_000,
  everyMs: 5000,
  batch: 500,
  leaseMs: 30_000,
  /** A node reads the events of so many slots together, and leaves the others to other nodes. */
  slotsAtOnce: 4,
  /** Events that were written even later are searched at this interval, so far back. */
  lateEventsEveryMs: 10 * 60_000,
  lateEventsMs: 30 * 60_000,
  /** Events that wait longer are a fault: ChartsideAuditChainLags. */
  alarmMs: 300_000,
} as const

export interface ChainOptions {
  readonly settleMs?: number
  readonly includeLateEvents?: boolean
  /** The slot at which this node begins, so that nodes which start together take different slots. */
  readonly firstSlot?: number
  /** The signal aborts when the node ends. */
  readonly signal?: AbortSignal
}

/** Chains the settled events. Returns how many, or undefined when other nodes have every lease. */
export async function extendChains(
  db: Database,
  now: number,
  {
    settleMs = CHAIN.settleMs,
    includeLateEvents = false,
    firstSlot = 0,
    signal,
  }: ChainOptions = {},
): Promise<number | undefined> {
  const to = now - settleMs
  const beginning = await findBeginning(db, now)
  const lateFrom = includeLateEvents ? now - CHAIN.lateEventsMs : Number.POSITIVE_INFINITY
  const fromOf = (slots: readonly number[]) =>
    Math.max(Math.min(lateFrom, ...slots.map(beginning)), 0)
  const every = Array.from({ length: CHAIN_SLOTS }, (_, i) => (firstSlot + i) % CHAIN_SLOTS)
  // On an idle installation the read saves the writes of leases.
  const { last } = await listEventsBetween(db, { from: fromOf(every), to, limit: 1 })
  if (!last) return 0
  const yielder = Yielder.ofJob(signal)
  let count = 0
  let hasBuilt = false
  for (let at = 0; at < every.length; at += CHAIN.slotsAtOnce) {
    const slots = await acquireSlots(db, now, every.slice(at, at + CHAIN.slotsAtOnce))
    if (slots.length === 0) continue
    hasBuilt = true
    const { chained, isDone } = await chainSlots(db, { slots, from: fromOf(slots), to, yielder })
    count += chained
    // What other nodes write at this moment is not passed by, also when all was asked for.
    if (isDone) await updateChainPositions(db, slots, Math.min(to, now - CHAIN.settleMs))
    for (const slot of slots) await updateLeaseExpiry(db, leaseOf(slot), now)
  }
  return hasBuilt ? count : undefined
}

/** Finds the time from which a slot may have unchained events. */
async function findBeginning(db: Database, now: number): Promise<(slot: number) => number> {
  const positions = await listChainPositions(db)
  // A position in the future was written by a node whose clock was wrong; the search for late events helps.
  return (slot) => Math.min(positions.get(slot) ?? 0, now)
}

/** Lists the times of the events that are in no chain yet, batch by batch, oldest first. */
async function* listUnchainedTimes(
  db: Database,
  now: number,
  lateFrom = now,
): AsyncGenerator<number[]> {
  const beginning = await findBeginning(db, now)
  const every = Array.from({ length: CHAIN_SLOTS }, (_, slot) => beginning(slot))
  const range = { from: Math.min(lateFrom, ...every), to: now + CHAIN.settleMs, limit: CHAIN.batch }
  const starts = new Map<string, number>()
  for (let after: { at: number; n: number; part: number } | undefined; ; ) {
    const { events, last, isFull } = await listEventsBetween(db, { ...range, after })
    const unchained = [...(await withoutPlace(db, events, { ends: new Map(), starts })).values()]
    const times = unchained.flatMap((some) => some.events.map(({ at }) => at))
    if (times.length > 0) yield times.sort((a, b) => a - b)
    if (!isFull) return
    after = last
  }
}

/** Finds the time of the oldest event that is in no chain yet; undefined when there is none. */
export async function findOldestUnchained(db: Database, now: number): Promise<number | undefined> {
  for await (const [oldest] of listUnchainedTimes(db, now)) return oldest
  return undefined
}

/** Counts all events that are in no chain yet, also those that were written late. */
export async function countUnchained(
  db: Database,
  now: number,
): Promise<{ readonly events: number; readonly oldestAt: number | undefined }> {
  let events = 0
  let oldestAt: number | undefined
  for await (const times of listUnchainedTimes(db, now, now - CHAIN.lateEventsMs)) {
    events += times.length
    oldestAt ??= times[0]
  }
  return { events, oldestAt }
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

interface SlotRange {
  readonly slots: readonly number[]
  readonly from: number
  readonly to: number
  readonly yielder: Yielder
}

/** Chains what these slots have, oldest first, until nothing is left or another node interferes. */
async function chainSlots(
  db: Database,
  { slots, from, to, yielder }: SlotRange,
): Promise<{ chained: number; isDone: boolean }> {
  const known: KnownLinks = { ends: new Map(), starts: new Map() }
  let chained = 0
  const range = { from, to, limit: CHAIN.batch, slots: { of: CHAIN_SLOTS, are: slots } }
  for (let after: { at: number; n: number; part: number } | undefined; ; ) {
    const { events, last, isFull } = await listEventsBetween(db, { ...range, after }, yielder)
    try {
      chained += await chainBatch(db, { events, known, yielder })
    } catch (error) {
      if (error instanceof UniqueViolation) return { chained, isDone: false }
      throw error
    }
    if (!isFull) return { chained, isDone: true }
    after = last
  }
}

/** The links that earlier batches have found, by account. */
interface KnownLinks {
  readonly ends: Map<string, Link | undefined>
  readonly starts: Map<string, number>
}

interface Unchained {
  readonly end: Link | undefined
  readonly events: readonly StoredEvent[]
}

/** Returns the events that no link names, by account, with the end of its chain. */
async function withoutPlace(
  db: Database,
  events: readonly StoredEvent[],
  { ends, starts }: KnownLinks,
): Promise<Map<string, Unchained>> {
  const byAccount = [...Map.groupBy(events, ({ accountId }) => accountId)]
  const unchained = await Promise.all(
    byAccount.map(async ([accountId, ofAccount]): Promise<[string, Unchained]> => {
      if (!ends.has(accountId)) ends.set(accountId, await findLastLink(db, accountId))
      const end = ends.get(accountId)
      const mayHave = end ? ofAccount.filter(({ key }) => !isNewer(key, end.newest)) : []
      const others = await withoutChained(db, accountId, mayHave, starts)
      const isNew = new Set<StoredEvent>(others)
      const found = ofAccount.filter(
        (event) => isNew.has(event) || !end || isNewer(event.key, end.newest),
      )
      return [accountId, { end, events: found }]
    }),
  )
  return new Map(unchained.filter(([, { events }]) => events.length > 0))
}

async function chainBatch(
  db: Database,
  {
    events,
    known,
    yielder,
  }: {
    readonly events: readonly StoredEvent[]
    readonly known: KnownLinks
    readonly yielder: Yielder
  },
): Promise<number> {
  const links: (Link & { readonly accountId: string })[] = []
  for (const [accountId, { end, events: ofAccount }] of await withoutPlace(db, events, known)) {
    let head = end ?? { seq: 0, hash: chainRoot(accountId) }
    const chained: ChainedEvent<StoredEvent>[] = []
    for (const event of ofAccount) {
      if (yielder.isDue()) await yielder.yieldNow()
      const [next] = buildChain(head, [event])
      if (next) chained.push(next)
      head = next ?? head
    }
    const placed = chained.map(({ event, seq, hash }) => ({ key: event.key, seq, hash }))
    const link = buildLink(placed, end?.newest)
    if (link) links.push({ ...link, accountId })
  }
  if (links.length > 0) await db.write(...insertLinksStatements(links))
  for (const link of links) known.ends.set(link.accountId, link)
  return links.reduce((count, { keys }) => count + keys.length, 0)
}
