// Reads the trail of an account: newest first with a filter, or in the order of the chain. What has no
// place in the chain yet comes first; behind it the links of the chain name the events. Never writes.

import type { Database } from '../db/database.ts'
import { partOf } from '../kernel/partitions.ts'
import { type AuditEvent, type ChainedEvent, chainRoot } from './audit.ts'
import { keyOf } from './audit-entry.ts'
import { findEvents, readEventsBetween, type StoredEvent } from './audit-entry-store.ts'
import { chainLink, type Link } from './audit-link.ts'
import {
  CHAIN_SLOTS,
  findLastLink,
  listChainPositions,
  listLinksAfter,
  listLinksBefore,
  NEWEST_SEQ,
} from './audit-link-store.ts'

/** A filter looks at about so many events at once: a trail is kept for years. */
const MAX_SCANNED = 20_000
const LINKS_AT_ONCE = 100
/** The events of a batch stand in few of them. */
const LINKS_OF_SEARCH = 10
const EVENTS_AT_ONCE = 2000

/** The key above every identifier: a list begins with the newest event. */
export const NEWEST = 'evt_~'

export interface EventFilter {
  readonly accountId: string
  /** The actor, target, launch or action. */
  readonly about?: string | undefined
  readonly actor?: string | undefined
  readonly actions?: ReadonlySet<string> | undefined
  readonly outcome?: string | undefined
  /** The events at this time or later, in milliseconds. */
  readonly from?: number | undefined
  /** The events before this time, in milliseconds. */
  readonly to?: number | undefined
}

export interface EventPage extends EventFilter {
  /** The cursor of the page before; see {@link cursorOf}. */
  readonly before: string
  readonly limit: number
}

/** An event may get its place behind newer ones: one that a slow write or another clock brought late. */
const MAX_LATE_MS = 60 * 60_000

/** An event with its place in the chain, once it has one. */
export type PlacedEvent = AuditEvent & {
  readonly chain?: { readonly seq: number; readonly hash: string }
}

/** The cursor after an event: its number in the chain, or its identifier before it has one. */
export const cursorOf = ({ id, chain }: PlacedEvent) => (chain ? `seq_${chain.seq}` : id)

const seqOfCursor = (cursor: string) => Number(/^seq_(\d{1,10})$/.exec(cursor)?.[1] ?? NEWEST_SEQ)

const isWanted = (
  { about, actor, actions, outcome, from = 0, to = Number.MAX_VALUE }: EventFilter,
  event: AuditEvent,
) =>
  event.at >= from &&
  event.at < to &&
  (outcome === undefined || event.outcome === outcome) &&
  (actor === undefined || event.actor === actor) &&
  (actions === undefined || actions.has(event.action)) &&
  (about === undefined || [event.actor, event.target, event.action, event.launchId].includes(about))

/**
 * Reads the events of one trail, newest first. `next` is where a list goes on when the filter has looked at
 * enough events for one page, also after a page without a match.
 */
export async function scanEvents(
  db: Database,
  page: EventPage,
): Promise<{ events: PlacedEvent[]; next: string | undefined }> {
  const found: PlacedEvent[] = []
  let scanned = 0
  let last: PlacedEvent | undefined
  for await (const events of newestFirst(db, page)) {
    for (const event of events) {
      if (isWanted(page, event)) found.push(event)
      if (found.length === page.limit) return { events: found, next: undefined }
    }
    scanned += events.length
    last = events.at(-1) ?? last
    if (scanned >= MAX_SCANNED && last) return { events: found, next: cursorOf(last) }
  }
  return { events: found, next: undefined }
}

export const listEvents = async (db: Database, page: EventPage): Promise<PlacedEvent[]> =>
  (await scanEvents(db, page)).events

async function* newestFirst(
  db: Database,
  { accountId, before, limit, from = 0, to }: EventPage,
): AsyncGenerator<PlacedEvent[]> {
  const seq = seqOfCursor(before)
  if (seq === NEWEST_SEQ) {
    const pending = await listPending(db, accountId)
    yield pending.filter(({ id }) => id < before).reverse()
  }
  const isBefore = (event: PlacedEvent) => (event.chain?.seq ?? 0) < seq
  // The link of the cursor may hold events on both sides of it.
  const [first] = seq === NEWEST_SEQ ? [] : await listLinksAfter(db, accountId, seq - 2, 1)
  const start = first ? first.seq + 1 : NEWEST_SEQ
  let beforeSeq =
    to === undefined ? start : Math.min(start, await findSeqAfter(db, accountId, to + MAX_LATE_MS))
  for (let links = Math.min(limit, LINKS_AT_ONCE); ; links = LINKS_AT_ONCE) {
    // One more, which has the hash that the others continue.
    const some = await listLinksBefore(db, accountId, beforeSeq, links + 1)
    const used = limitEvents(some.slice(0, links))
    if (used.length === 0) return
    const chained = await chainLinks(db, accountId, used.toReversed(), some[used.length]?.hash)
    const events = chained.map(({ event, seq, hash }) => ({ ...event, chain: { seq, hash } }))
    yield events.filter(isBefore).reverse()
    // No event of this link or of those before it is as new as what is asked for.
    if (used.length === some.length || (used.at(-1)?.newest.at ?? 0) < from) return
    beforeSeq = used.at(-1)?.seq ?? 0
  }
}

/** Finds the place after the first link with an event of this time or later, by binary search. */
async function findSeqAfter(db: Database, accountId: string, at: number): Promise<number> {
  const last = await findLastLink(db, accountId)
  if (!last || last.newest.at < at) return NEWEST_SEQ
  const linkOf = async (seq: number) => (await listLinksAfter(db, accountId, seq - 1, 1))[0] ?? last
  let [low, high] = [1, last.seq]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const link = await linkOf(middle)
    if (link.newest.at < at) low = link.seq + 1
    else high = middle
  }
  return (await linkOf(low)).seq + 1
}

/** The first ones, with not many more events than are read at once. */
function limitEvents(links: readonly Link[]): readonly Link[] {
  let events = 0
  const end = links.findIndex(({ keys }) => {
    events += keys.length
    return events > EVENTS_AT_ONCE
  })
  return end < 0 ? links : links.slice(0, end + 1)
}

/** The events of links that follow one another, oldest first. */
async function chainLinks(
  db: Database,
  accountId: string,
  links: readonly Link[],
  previous: string | undefined,
): Promise<ChainedEvent[]> {
  const events = await findEvents(
    db,
    partOf(accountId),
    links.flatMap(({ keys }) => keys),
  )
  let before = previous ?? chainRoot(accountId)
  return links.flatMap((link) => {
    const chained = chainOf(link, before, events)
    before = link.hash
    return chained
  })
}

const plain = ({ part: _, key: __, openedAt: ___, ...event }: StoredEvent): AuditEvent => event

/** Reads in the order of the chain, from `afterSeq`, which is the end of a link or 0, up to `toSeq`. */
export async function* readChained(
  db: Database,
  accountId: string,
  { afterSeq, afterHash, toSeq }: { afterSeq: number; afterHash?: string; toSeq: number },
): AsyncGenerator<{ link: Link; chained: ChainedEvent[] }> {
  let [after, hash] = [afterSeq, afterHash ?? chainRoot(accountId)]
  for (;;) {
    const links = limitEvents(await listLinksAfter(db, accountId, after, LINKS_AT_ONCE))
    if (links.length === 0) return
    const keys = links.flatMap((link) => link.keys)
    const events = await findEvents(db, partOf(accountId), keys)
    for (const link of links) {
      if (link.seq > toSeq) return
      yield { link, chained: chainOf(link, hash, events) }
      hash = link.hash
      after = link.seq
    }
  }
}

const chainOf = (
  link: Link,
  previous: string,
  events: ReadonlyMap<string, StoredEvent>,
): ChainedEvent[] =>
  chainLink(link, previous, events).map(({ event, ...place }) => ({
    ...place,
    event: plain(event),
  }))

/** Lists the events of a trail that have no place in its chain yet, oldest first. */
export async function listPending(db: Database, accountId: string): Promise<StoredEvent[]> {
  const part = partOf(accountId)
  const position = (await listChainPositions(db)).get(part % CHAIN_SLOTS) ?? 0
  const last = await findLastLink(db, accountId)
  // Without a position everything behind the newest chained event may be pending.
  const from = position === 0 ? (last?.newest.at ?? 0) : position
  const pending: StoredEvent[] = []
  for await (const event of readEventsBetween(db, { from, to: Number.MAX_SAFE_INTEGER, part })) {
    if (event.accountId === accountId) pending.push(event)
  }
  return withoutChained(db, accountId, pending)
}

/**
 * Returns the events that no link names. A caller that asks for later and later events passes the same
 * `starts`: links that are too old for one batch are then not read for the next.
 */
export async function withoutChained<Event extends Pick<StoredEvent, 'key'>>(
  db: Database,
  accountId: string,
  events: readonly Event[],
  starts: Map<string, number> = new Map(),
): Promise<Event[]> {
  const [oldest] = events.map(({ key }) => key.at).sort((a, b) => a - b)
  if (oldest === undefined) return []
  const missing = new Set(events.map(({ key }) => keyOf(key)))
  let after = starts.get(accountId) ?? (await findSeqBefore(db, accountId, oldest))
  while (missing.size > 0) {
    const links = await listLinksAfter(db, accountId, after, LINKS_OF_SEARCH)
    for (const { seq, newest, keys } of links) {
      if (newest.at < oldest) starts.set(accountId, seq)
      for (const key of keys) missing.delete(keyOf(key))
    }
    const end = links.at(-1)
    if (!end) break
    after = end.seq
  }
  return events.filter(({ key }) => missing.has(keyOf(key)))
}

/** A number up to which no event of the trail is of this time or later, by halving; 0 when there is none. */
async function findSeqBefore(db: Database, accountId: string, at: number): Promise<number> {
  let low = 0
  let high = (await findLastLink(db, accountId))?.seq ?? 0
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2)
    const [link] = await listLinksBefore(db, accountId, middle + 1, 1)
    if (link && link.newest.at >= at) high = link.seq
    else low = middle
  }
  return low
}

/** Counts the events of a trail that are too new to have a place in its chain. */
export const countPending = async (db: Database, accountId: string): Promise<number> =>
  (await listPending(db, accountId)).length
