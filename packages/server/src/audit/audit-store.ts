// The SQL of the audit trail. Events and chain links are only inserted. An event of a launch is part of
// the write that it records, and is inserted exactly if that write took effect.

import type { Database, Row } from '../db/database.ts'
import { integer, json, optionalText, text } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import { NO_PART, partOf, partOfId } from '../kernel/partitions.ts'
import type { AuditEvent, ChainedEvent, Outcome } from './audit.ts'
import type { ChainHead } from './audit-export.ts'

const COLUMNS = sql`id, part, at, account_id, actor, action, target, launch_id, ip, outcome, detail`

export const insertEventStatement = (event: AuditEvent): Statement =>
  sql`INSERT INTO audit_events (${COLUMNS})
    VALUES (${event.id}, ${partOf(event.accountId)}, ${event.at}, ${event.accountId}, ${event.actor}, ${event.action},
      ${event.target}, ${event.launchId ?? null}, ${event.ip}, ${event.outcome},
      ${JSON.stringify(event.detail)})`

/** An event of a launch; the account of its trail is that of the launch's EHR session. */
export type LaunchEvent = Omit<AuditEvent, 'accountId' | 'launchId'> & { readonly launchId: string }

/** The condition on the launch `l` which shows that the statement before it took effect. */
export const EFFECT = {
  launched: (launchHash: string) => sql`l.launch_hash = ${launchHash}`,
  authorized: (codeHash: string) => sql`l.code_hash = ${codeHash}`,
  exchanged: (tokenHash: string) => sql`l.token_hash = ${tokenHash}`,
  revoked: (tokenHash: string, revokedAt: number) =>
    sql`l.token_hash = ${tokenHash} AND l.token_revoked_at = ${revokedAt}`,
  failed: (failureId: string) =>
    sql`EXISTS (SELECT 1 FROM launch_failures f WHERE f.part = l.part AND f.id = ${failureId})`,
} as const

/** Inserts the event if the previous statement of the same write took effect. */
export const insertLaunchEventStatement = (event: LaunchEvent, effect: Statement): Statement =>
  sql`INSERT INTO audit_events (${COLUMNS})
    SELECT ${event.id}, l.part, CAST(${event.at} AS BIGINT), s.account_id, ${event.actor},
        ${event.action}, ${event.target}, ${event.launchId}, ${event.ip}, ${event.outcome},
        ${JSON.stringify(event.detail)}
      FROM launches l JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
      WHERE l.id = ${event.launchId} AND l.part = ${partOfId(event.launchId)} AND ${effect}`

function eventOf(row: Row): AuditEvent {
  return {
    id: text(row, 'id'),
    at: integer(row, 'at'),
    accountId: text(row, 'account_id'),
    actor: text(row, 'actor'),
    action: text(row, 'action'),
    target: text(row, 'target'),
    launchId: optionalText(row, 'launch_id'),
    ip: text(row, 'ip'),
    outcome: text(row, 'outcome') as Outcome,
    detail: json(row, 'detail'),
  }
}

/** A filter looks at so many events at once: a trail is kept for ever. */
const MAX_SCANNED = 20_000

export interface EventPage {
  readonly accountId: string
  readonly before: string
  readonly limit: number
  /** Actor, target, launch or action. */
  readonly about?: string | undefined
  readonly outcome?: string | undefined
}

/** An event with its place in the chain, once it has one. */
export type PlacedEvent = AuditEvent & {
  readonly chain?: { readonly seq: number; readonly hash: string }
}

const isFiltered = ({ about, outcome }: EventPage) => about !== undefined || outcome !== undefined

const newestStatement = (page: EventPage): Statement =>
  sql`SELECT * FROM audit_events WHERE part IN (${partsOf(page.accountId)})
    AND account_id = ${page.accountId} AND id < ${page.before}
    ORDER BY id DESC LIMIT ${isFiltered(page) ? MAX_SCANNED : page.limit}`

/** Events of one trail, newest first, before an identifier. */
export async function listEvents(db: Database, page: EventPage): Promise<PlacedEvent[]> {
  const { about, outcome, limit } = page
  const isAbout =
    about === undefined
      ? ALWAYS
      : sql`${about} IN (e.actor, e.target, e.action, COALESCE(e.launch_id, ''))`
  const hasOutcome = outcome === undefined ? ALWAYS : sql`e.outcome = ${outcome}`
  const rows = await db.read(
    sql`SELECT e.*, c.seq, c.hash FROM (${newestStatement(page)}) AS e
      LEFT JOIN audit_chain c ON c.part = e.part AND c.event_id = e.id
      WHERE ${isAbout} AND ${hasOutcome} ORDER BY e.id DESC LIMIT ${limit}`,
  )
  return rows.map((row) => ({
    ...eventOf(row),
    ...(row.seq === null ? {} : { chain: { seq: integer(row, 'seq'), hash: text(row, 'hash') } }),
  }))
}

/**
 * The last event that the filter of {@link listEvents} has looked at, when there may be older ones: the
 * list goes on there, also after a page without a match.
 */
export async function findScanEnd(db: Database, page: EventPage): Promise<string | undefined> {
  if (!isFiltered(page)) return undefined
  const [row] = await db.read(
    sql`SELECT COUNT(*) AS events, MIN(id) AS last FROM (${newestStatement(page)}) AS scanned`,
  )
  return row && integer(row, 'events') === MAX_SCANNED ? text(row, 'last') : undefined
}

/** Rows of an earlier version have no part. */
const partsOfId = (id: string): Statement => list([partOfId(id), NO_PART])
const partsOf = (accountId: string): Statement => list([partOf(accountId), NO_PART])

/** The account of a record that a request named, so that refusals are in the right trail too. */
const OWNERS: Readonly<Record<string, (id: string) => Statement>> = {
  acc: (id) => sql`SELECT id AS account_id FROM accounts WHERE id = ${id}`,
  app: (id) => sql`SELECT account_id FROM apps WHERE id = ${id}`,
  col: (id) => sql`SELECT account_id FROM collections WHERE id = ${id}`,
  ses: (id) =>
    sql`SELECT account_id FROM ehr_sessions WHERE id = ${id} AND part IN (${partsOfId(id)})`,
  lau: (id) => sql`SELECT s.account_id FROM launches l
    JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
    WHERE l.id = ${id} AND l.part IN (${partsOfId(id)})`,
}

export async function findOwner(db: Database, id: string): Promise<string | undefined> {
  const findOwnerOf = OWNERS[id.slice(0, id.indexOf('_'))]
  const [row] = findOwnerOf ? await db.read(findOwnerOf(id)) : []
  return row && text(row, 'account_id')
}

/** A user by identifier or by normalised address, with the accounts of which they are a member. */
export async function findTrails(
  db: Database,
  who: { readonly userId: string } | { readonly email: string },
): Promise<{ userId: string | undefined; accountIds: string[] }> {
  const isWanted = 'userId' in who ? sql`u.id = ${who.userId}` : sql`u.email = ${who.email}`
  const rows = await db.read(
    // An invited user is no member yet: an invitation must not show their sign-ins.
    sql`SELECT u.id, a.id AS account_id FROM users u
      LEFT JOIN members m ON m.user_id = u.id AND m.invited_at IS NULL
      LEFT JOIN accounts a ON a.id = m.account_id AND a.deleted_at IS NULL
      WHERE ${isWanted} ORDER BY a.id`,
  )
  return {
    userId: rows[0] && text(rows[0], 'id'),
    accountIds: rows.flatMap((row) => optionalText(row, 'account_id') ?? []),
  }
}

/** An event and its partition; 0 of one of an earlier version. */
export type StoredEvent = AuditEvent & { readonly part: number }

/** The chains are built in so many slots, each by one node at a time. */
export const CHAIN_SLOTS = 16

export interface UnchainedRange {
  readonly from: string
  readonly to: string
  readonly limit: number
  /** Of these slots only. */
  readonly slots?: readonly number[]
}

/** Events in no chain, in this range of identifiers, oldest first. */
export async function listUnchained(db: Database, range: UnchainedRange): Promise<StoredEvent[]> {
  const isInSlot =
    range.slots === undefined ? ALWAYS : sql`e.part % ${CHAIN_SLOTS} IN (${list(range.slots)})`
  const rows = await db.read(
    sql`SELECT e.* FROM audit_events e WHERE e.id >= ${range.from} AND e.id < ${range.to}
      AND ${isInSlot} AND NOT EXISTS (SELECT 1 FROM audit_chain c WHERE c.part = e.part AND c.event_id = e.id) ORDER BY e.id LIMIT ${range.limit}`,
  )
  return rows.map((row) => ({ ...eventOf(row), part: integer(row, 'part') }))
}

/** Events of a trail from this identifier on that have no place in its chain yet. */
export async function countPending(db: Database, accountId: string, from: string): Promise<number> {
  const [row] = await db.read(
    sql`SELECT COUNT(*) AS pending FROM audit_events e
      WHERE e.part IN (${partsOf(accountId)}) AND e.account_id = ${accountId} AND e.id >= ${from}
      AND NOT EXISTS (SELECT 1 FROM audit_chain c WHERE c.part = e.part AND c.event_id = e.id)`,
  )
  return row ? integer(row, 'pending') : 0
}

/** The newest event of any chain; '' when there is none. */
export async function findLastChained(db: Database): Promise<string> {
  const [row] = await db.read(sql`SELECT MAX(event_id) AS last FROM audit_chain`)
  return (row && optionalText(row, 'last')) ?? ''
}

const positionName = (slot: number) => `audit-chain-${slot}-done`

/** Of each slot the time before which all its events are chained; none for one that was never built. */
export async function listChainPositions(db: Database): Promise<Map<number, number>> {
  const names = Array.from({ length: CHAIN_SLOTS }, (_, slot) => positionName(slot))
  const rows = await db.read(sql`SELECT name, due_at FROM duties WHERE name IN (${list(names)})`)
  return new Map(rows.map((row) => [names.indexOf(text(row, 'name')), integer(row, 'due_at')]))
}

const updatePositionStatement = (slot: number, doneAt: number): Statement =>
  sql`INSERT INTO duties (name, due_at) VALUES (${positionName(slot)}, ${doneAt})
    ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
      WHERE duties.due_at < excluded.due_at`

export async function updateChainPositions(
  db: Database,
  slots: readonly number[],
  doneAt: number,
): Promise<void> {
  await db.write(...slots.map((slot) => updatePositionStatement(slot, doneAt)))
}

export async function findHead(db: Database, accountId: string): Promise<ChainHead | undefined> {
  const [row] = await db.read(
    sql`SELECT seq, hash FROM audit_chain
      WHERE part IN (${partsOf(accountId)}) AND account_id = ${accountId} ORDER BY seq DESC LIMIT 1`,
  )
  return row && { seq: integer(row, 'seq'), hash: text(row, 'hash') }
}

/** @throws UniqueViolation when another node extended one of these chains. */
export async function insertLinks(
  db: Database,
  links: readonly ChainedEvent<StoredEvent>[],
): Promise<void> {
  const statements: Statement[] = []
  // Two texts only, whatever the number of links: engines keep what they have parsed.
  for (let at = 0; at < links.length; ) {
    const rows = links.slice(at, at + LINKS_IN_STATEMENT)
    const some = rows.length === LINKS_IN_STATEMENT ? rows : rows.slice(0, 1)
    statements.push(insertLinksStatement(some))
    at += some.length
  }
  await db.write(...statements)
}

const LINKS_IN_STATEMENT = 25

const insertLinksStatement = (links: readonly ChainedEvent<StoredEvent>[]): Statement =>
  sql`INSERT INTO audit_chain (part, account_id, seq, event_id, hash) VALUES ${links
    .map(
      ({ event, seq, hash }) =>
        sql`(${event.part}, ${event.accountId}, ${seq}, ${event.id}, ${hash})`,
    )
    .reduce((all, one) => sql`${all}, ${one}`)}`

/** A part of an account's chain with its events, after `afterSeq`. */
export async function listChained(
  db: Database,
  accountId: string,
  afterSeq: number,
  limit: number,
): Promise<ChainedEvent[]> {
  const rows = await db.read(
    sql`SELECT e.*, c.seq, c.hash FROM audit_chain c JOIN audit_events e ON e.part = c.part AND e.id = c.event_id
      WHERE c.part IN (${partsOf(accountId)}) AND c.account_id = ${accountId} AND c.seq > ${afterSeq} ORDER BY c.seq LIMIT ${limit}`,
  )
  return rows.map((row) => ({
    event: eventOf(row),
    seq: integer(row, 'seq'),
    hash: text(row, 'hash'),
  }))
}
