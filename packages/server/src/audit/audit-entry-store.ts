// The SQL that reads events: by what names them, by time, and with the openings of launches that later
// steps leave out. Never writes.

import type { Database, Row } from '../db/database.ts'
import { bytes, integer, optionalText } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import { Yielder } from '../kernel/yielder.ts'
import type { AuditEvent } from './audit.ts'
import {
  completeEntry,
  type EntryKey,
  isOpeningOf,
  keyOf,
  type StoredEntry,
  unpackEntry,
} from './audit-entry.ts'

/** An event and its place in the storage. */
export type StoredEvent = AuditEvent & {
  readonly part: number
  readonly key: EntryKey
  /** The opening time of the launch, if the row leaves fields to the opening event. */
  readonly openedAt: number | undefined
}

/** The sizes keep the texts of a statement few, whatever the number of values: engines keep what they have parsed. */
const LIST_SIZES = [8, 64, 512]
const MAX_LIST = 512

/** Values for `IN (…)`; the last one stands there several times. */
const padded = (values: readonly (number | string)[]): Statement => {
  const size = LIST_SIZES.find((some) => values.length <= some) ?? values.length
  const last = values.at(-1) ?? null
  return list([...values, ...Array.from({ length: size - values.length }, () => last)])
}

const SELECT = sql`SELECT e.part, e.n, e.at, e.account_id, e.content FROM audit_entries e`

const entryOf = (row: Row): StoredEntry =>
  unpackEntry({
    part: integer(row, 'part'),
    n: integer(row, 'n'),
    at: integer(row, 'at'),
    accountId: optionalText(row, 'account_id') ?? null,
    content: bytes(row, 'content'),
  })

/** Unpacking hundreds of events takes longer than a request. */
async function entriesOf(rows: readonly Row[], yielder: Yielder): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = []
  for (const row of rows) {
    if (yielder.isDue()) await yielder.yieldNow()
    entries.push(entryOf(row))
  }
  return entries
}

async function listAt(
  db: Database,
  {
    parts,
    times,
    yielder,
  }: { parts: readonly number[]; times: readonly number[]; yielder: Yielder },
) {
  const found: StoredEntry[] = []
  const wanted = [...new Set(times)].sort((a, b) => a - b)
  for (let at = 0; at < wanted.length; at += MAX_LIST) {
    const some = wanted.slice(at, at + MAX_LIST)
    const inParts =
      parts.length === 1 ? sql`e.part = ${parts[0] ?? 0}` : sql`e.part IN (${padded(parts)})`
    const rows = await db.read(sql`${SELECT} WHERE ${inParts} AND e.at IN (${padded(some)})`)
    found.push(...(await entriesOf(rows, yielder)))
  }
  return found
}

/** Names the opening event of one launch, whose identifier says its partition. */
const openingName = (part: number, { launchId }: StoredEntry['event']) => `${part} ${launchId}`

/** The events of these entries, with what their openings say; not those whose opening is missing. */
async function complete(
  db: Database,
  entries: readonly StoredEntry[],
  yielder: Yielder,
): Promise<StoredEvent[]> {
  const openings = new Map<string, AuditEvent>()
  const note = (some: readonly StoredEntry[]) => {
    for (const entry of some) {
      const { event, part } = entry
      if (!isOpeningOf(event, event.launchId)) continue
      const whole = completeEntry(entry, undefined)
      if (whole) openings.set(openingName(part, event), whole)
    }
  }
  note(entries)
  const missing = entries.filter(
    ({ openedAt, event, part }) =>
      openedAt !== undefined && !openings.has(openingName(part, event)),
  )
  if (missing.length > 0) {
    const parts = [...new Set(missing.map(({ part }) => part))]
    const times = missing.map(({ openedAt }) => openedAt ?? 0)
    note(await listAt(db, { parts, times, yielder }))
  }
  return entries.flatMap((entry) => {
    const { part, at, n, event, openedAt } = entry
    const opening = openedAt === undefined ? undefined : openings.get(openingName(part, event))
    const whole = completeEntry(entry, opening)
    return whole ? [{ ...whole, part, key: { at, n }, openedAt }] : []
  })
}

/** Finds the events of one partition by what names them. */
export async function findEvents(
  db: Database,
  part: number,
  keys: readonly EntryKey[],
): Promise<Map<string, StoredEvent>> {
  if (keys.length === 0) return new Map()
  const wanted = new Set(keys.map(keyOf))
  const yielder = new Yielder()
  const times = keys.map(({ at }) => at)
  const entries = await listAt(db, { parts: [part], times, yielder })
  const named = entries.filter((entry) => wanted.has(keyOf(entry)))
  const events = await complete(db, named, yielder)
  return new Map(events.map((event) => [keyOf(event.key), event]))
}

export interface EventRange {
  /** The range begins at this time, in milliseconds. */
  readonly from: number
  /** The range ends before this time. */
  readonly to: number
  readonly limit: number
  /** The range begins after this event. */
  readonly after?: (EntryKey & { readonly part: number }) | undefined
  readonly part?: number
  /** The number of slots of the chain. */
  readonly slots?: { readonly of: number; readonly are: readonly number[] }
}

/** Lists the events in a range of time, oldest first. `last` is the last row, also when its event is left out. */
export async function listEventsBetween(
  db: Database,
  { from, to, limit, after, part, slots }: EventRange,
  yielder = new Yielder(),
): Promise<{ events: StoredEvent[]; last: StoredEntry | undefined; isFull: boolean }> {
  const isAfter = after
    ? sql`(e.at, e.n, e.part) > (${after.at}, ${after.n}, ${after.part})`
    : ALWAYS
  const isInSlot = slots ? sql`e.part % ${slots.of} IN (${list(slots.are)})` : ALWAYS
  const isInPart = part === undefined ? ALWAYS : sql`e.part = ${part}`
  const rows = await db.read(
    sql`${SELECT} WHERE e.at >= ${after?.at ?? from} AND e.at < ${to} AND ${isInPart} AND ${isInSlot} AND ${isAfter}
      ORDER BY e.at, e.n, e.part LIMIT ${limit}`,
  )
  const entries = await entriesOf(rows, yielder)
  return {
    events: await complete(db, entries, yielder),
    last: entries.at(-1),
    isFull: entries.length === limit,
  }
}

const EVENTS_AT_ONCE = 2000

/** Reads all events of a range of time, oldest first. */
export async function* readEventsBetween(
  db: Database,
  range: Pick<EventRange, 'from' | 'part' | 'to'>,
): AsyncGenerator<StoredEvent> {
  for (let after: EventRange['after']; ; ) {
    const some = await listEventsBetween(db, { ...range, after, limit: EVENTS_AT_ONCE })
    yield* some.events
    if (!some.isFull) return
    after = some.last
  }
}
