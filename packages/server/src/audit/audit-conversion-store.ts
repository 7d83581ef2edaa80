// Brings the events of an earlier version into the tables of this one: each event and its place in the
// chain, unchanged, so that an export has the same bytes. In batches that commit by themselves; begun
// again it goes on. Needs the right to delete from the earlier tables. docs/inside/decisions/0041.
import { type Database, type Row, UniqueViolation } from '../db/database.ts'
import { integer, json, optionalText, text } from '../db/row.ts'
import { list, type Statement, sql } from '../db/sql.ts'
import { timeOfId } from '../kernel/identifiers.ts'
import { NO_PART, partOf } from '../kernel/partitions.ts'
import { type AuditEvent, chainHash, chainRoot, type Outcome } from './audit.ts'
import { type EntryKey, keyOfEvent } from './audit-entry.ts'
import { buildLink, type Link } from './audit-link.ts'
import { findLastLink, insertLinksStatements, lowerPositionStatement } from './audit-link-store.ts'
import { insertEventStatement } from './audit-store.ts'

const BATCH = 500

/** The role of the service cannot move events, because it cannot remove any. */
export class TrailNotConverted extends Error {
  constructor(cause: unknown) {
    super(
      'The audit trail has events in the tables of the version before, and this role may not move them. ' +
        'Run chartside migrate as the owner of the tables; run it again when the last node of the version before has ended.',
      { cause },
    )
    this.name = 'TrailNotConverted'
  }
}

const eventOf = (row: Row): AuditEvent => ({
  id: text(row, 'id'),
  at: integer(row, 'at'),
  accountId: text(row, 'account_id'),
  actor: text(row, 'actor'),
  action: text(row, 'action'),
  target: text(row, 'target'),
  launchId: optionalText(row, 'launch_id'),
  ip: text(row, 'ip'),
  outcome: text(row, 'outcome') as Outcome,
  detail: detailOf(row),
})

/** One that was changed to no JSON stops nothing: its hash shows the change. */
function detailOf(row: Row): AuditEvent['detail'] {
  try {
    return json(row, 'detail')
  } catch {
    return {}
  }
}

const partsOf = (accountId: string): Statement => list([partOf(accountId), NO_PART])

/** Returns the number of events. Also what nodes of the version before wrote since the last time. */
export async function convertEarlierTrail(db: Database): Promise<number> {
  try {
    return await convertAll(db)
  } catch (error) {
    if (!/permission denied/.test((error as Error).message)) throw error
    throw new TrailNotConverted(error)
  }
}

async function convertAll(db: Database): Promise<number> {
  let count = 0
  let last: string | undefined
  for (;;) {
    const [row] = [
      ...(await db.read(sql`SELECT account_id FROM audit_chain LIMIT 1`)),
      ...(await db.read(sql`SELECT account_id FROM audit_events LIMIT 1`)),
    ]
    if (!row) return count
    const accountId = text(row, 'account_id')
    const converted = await convertTrail(db, accountId)
    if (converted === 0 && accountId === last) {
      throw new Error(`Earlier events of ${accountId} stand under a part that is not its own.`)
    }
    last = accountId
    count += converted
  }
}

async function convertTrail(db: Database, accountId: string): Promise<number> {
  let count = 0
  for (;;) {
    try {
      const chained = await convertChained(db, accountId)
      if (chained === 'again') continue
      const converted = chained || (await convertUnchained(db, accountId))
      if (converted === 0) return count
      count += converted
    } catch (error) {
      // Another node converts, too: what it has done is not here any more.
      if (!(error instanceof UniqueViolation)) throw error
    }
  }
}

interface EarlierPlace {
  /** Undefined when its row was removed: the gap in the chain stays. */
  readonly event: AuditEvent | undefined
  readonly key: EntryKey
  readonly seq: number
  readonly hash: string
}

/** `again` when what was read was of two moments, or a chain that was begun anew is gone. */
async function convertChained(db: Database, accountId: string): Promise<number | 'again'> {
  const parts = partsOf(accountId)
  const rows = await db.read(
    sql`SELECT e.*, c.seq, c.hash, c.event_id FROM audit_chain c
      LEFT JOIN audit_events e ON e.part = c.part AND e.id = c.event_id
      WHERE c.part IN (${parts}) AND c.account_id = ${accountId} ORDER BY c.seq LIMIT ${BATCH}`,
  )
  const places = rows.map((row): EarlierPlace => {
    const event = row.id === null ? undefined : eventOf(row)
    const id = text(row, 'event_id')
    const key = keyOfEvent(event ?? { id, at: timeOfId(id) ?? 0 })
    return { event, key, seq: integer(row, 'seq'), hash: text(row, 'hash') }
  })
  const end = await findLastLink(db, accountId)
  const [first] = places
  if (!first) return 0
  if (first.seq <= (end?.seq ?? 0)) {
    // Numbers that do not go on were given by a node of the version before, which did not see this chain. If
    // its row is not there any more, another node has moved it between the two reads.
    await db.write(
      sql`DELETE FROM audit_chain WHERE part IN (${parts}) AND account_id = ${accountId}
        AND EXISTS (SELECT 1 FROM audit_chain c WHERE c.part IN (${parts})
          AND c.account_id = ${accountId} AND c.seq = ${first.seq})`,
    )
    return 'again'
  }
  const events = places.flatMap(({ event }) => event ?? [])
  await db.write(
    ...events.map(insertEventStatement),
    ...insertLinksStatements(
      linksOf(places, end, accountId).map((link) => ({ ...link, accountId })),
    ),
    sql`DELETE FROM audit_chain WHERE part IN (${parts}) AND account_id = ${accountId}
      AND seq <= ${places.at(-1)?.seq ?? 0}`,
    deleteEventsStatement(accountId, events),
  )
  return places.length
}

/** A link ends where the chain is broken, so that a change from before is found where it is. */
function linksOf(
  places: readonly EarlierPlace[],
  end: Link | undefined,
  accountId: string,
): Link[] {
  const links: Link[] = []
  let open: EarlierPlace[] = []
  let newest = end?.newest
  let [seq, before] = [end?.seq ?? 0, end?.hash ?? chainRoot(accountId)]
  const close = () => {
    const link = buildLink(open, newest)
    if (!link) return
    links.push(link)
    newest = link.newest
    open = []
  }
  for (const place of places) {
    const isWhole =
      place.event !== undefined &&
      place.seq === seq + 1 &&
      place.hash === chainHash(before, place.seq, place.event)
    if (!isWhole) close()
    open.push(place)
    if (!isWhole) close()
    seq = place.seq
    before = place.hash
  }
  close()
  return links
}

async function convertUnchained(db: Database, accountId: string): Promise<number> {
  const rows = await db.read(
    sql`SELECT * FROM audit_events e WHERE e.part IN (${partsOf(accountId)})
      AND e.account_id = ${accountId} AND NOT EXISTS (SELECT 1 FROM audit_chain c
        WHERE c.part = e.part AND c.event_id = e.id) ORDER BY e.id LIMIT ${BATCH}`,
  )
  const events = rows.map(eventOf)
  const [oldest] = events.map(({ at }) => at).sort((a, b) => a - b)
  if (oldest === undefined) return 0
  await db.write(
    ...events.map(insertEventStatement),
    deleteEventsStatement(accountId, events),
    lowerPositionStatement(accountId, oldest),
  )
  return events.length
}

const deleteEventsStatement = (accountId: string, events: readonly AuditEvent[]): Statement =>
  sql`DELETE FROM audit_events WHERE part IN (${partsOf(accountId)})
    AND id IN (${list(events.map(({ id }) => id))})`
