// The SQL of the chains: their links, which are only inserted, and how far each slot is chained. A link
// stands under the number of its last event. audit-link.ts has its content.

import type { ChainHead } from '@chartside/protocol/audit-trail'
import type { Database, Row } from '../db/database.ts'
import { bytes, integer, text } from '../db/row.ts'
import { list, type Statement, sql } from '../db/sql.ts'
import { partOf } from '../kernel/partitions.ts'
import { type Link, packHash, packLink, unpackLink } from './audit-link.ts'
import { ByteWriter } from './audit-value.ts'

/** The chains are built in so many slots, each by one node at a time. */
export const CHAIN_SLOTS = 16

/** An account as a trail's name in the table. */
export function packTrail(accountId: string): Buffer {
  const bytes = new ByteWriter()
  bytes.text(accountId)
  return bytes.finish()
}

const linkOf = (row: Row): Link =>
  unpackLink({
    seq: integer(row, 'seq'),
    hash: bytes(row, 'hash'),
    events: bytes(row, 'events'),
  })

const ofTrail = (accountId: string): Statement =>
  sql`part = ${partOf(accountId)} AND trail = ${packTrail(accountId)}`

/** Lists the links of a trail, newest first, before a number. */
export async function listLinksBefore(
  db: Database,
  accountId: string,
  beforeSeq: number,
  limit: number,
): Promise<Link[]> {
  const rows = await db.read(
    sql`SELECT seq, hash, events FROM audit_links WHERE ${ofTrail(accountId)} AND seq < ${beforeSeq}
      ORDER BY seq DESC LIMIT ${limit}`,
  )
  return rows.map(linkOf)
}

/** Lists the links of a trail, oldest first, after a number. */
export async function listLinksAfter(
  db: Database,
  accountId: string,
  afterSeq: number,
  limit: number,
): Promise<Link[]> {
  const rows = await db.read(
    sql`SELECT seq, hash, events FROM audit_links WHERE ${ofTrail(accountId)} AND seq > ${afterSeq}
      ORDER BY seq LIMIT ${limit}`,
  )
  return rows.map(linkOf)
}

export const NEWEST_SEQ = 2 ** 31 - 1

/** The last link, with its number and hash: the end of the chain. */
export const findLastLink = async (db: Database, accountId: string): Promise<Link | undefined> =>
  (await listLinksBefore(db, accountId, NEWEST_SEQ, 1))[0]

/** The end of what is in archives, and no longer here. */
export async function findArchivedEnd(
  db: Database,
  accountId: string,
): Promise<ChainHead | undefined> {
  const [row] = await db.read(
    sql`SELECT seq, hash FROM audit_archives WHERE part = ${partOf(accountId)}
      AND account_id = ${accountId} ORDER BY seq DESC LIMIT 1`,
  )
  return row && { seq: integer(row, 'seq'), hash: text(row, 'hash') }
}

const LINKS_IN_STATEMENT = 25

const insertSomeStatement = (
  links: readonly (Link & { readonly accountId: string })[],
): Statement =>
  sql`INSERT INTO audit_links (part, seq, trail, hash, events) VALUES ${links
    .map(
      (link) =>
        sql`(${partOf(link.accountId)}, ${link.seq}, ${packTrail(link.accountId)}, ${packHash(link.hash)}, ${packLink(link)})`,
    )
    .reduce((all, one) => sql`${all}, ${one}`)}`

/** A write of them throws UniqueViolation when another node extended one of these chains. */
export function insertLinksStatements(
  links: readonly (Link & { readonly accountId: string })[],
): Statement[] {
  const statements: Statement[] = []
  // Two texts only, whatever the number of links: engines keep what they have parsed.
  for (let at = 0; at < links.length; ) {
    const rows = links.slice(at, at + LINKS_IN_STATEMENT)
    const some = rows.length === LINKS_IN_STATEMENT ? rows : rows.slice(0, 1)
    statements.push(insertSomeStatement(some))
    at += some.length
  }
  return statements
}

const positionName = (slot: number) => `audit-chain-${slot}-done`

/** Each slot has the time before which all its events are chained; one that was never built has none. */
export async function listChainPositions(db: Database): Promise<Map<number, number>> {
  const names = Array.from({ length: CHAIN_SLOTS }, (_, slot) => positionName(slot))
  const rows = await db.read(sql`SELECT name, due_at FROM leases WHERE name IN (${list(names)})`)
  return new Map(rows.map((row) => [names.indexOf(text(row, 'name')), integer(row, 'due_at')]))
}

const updatePositionStatement = (slot: number, doneAt: number): Statement =>
  sql`INSERT INTO leases (name, due_at) VALUES (${positionName(slot)}, ${doneAt})
    ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
      WHERE leases.due_at < excluded.due_at`

export async function updateChainPositions(
  db: Database,
  slots: readonly number[],
  doneAt: number,
): Promise<void> {
  await db.write(...slots.map((slot) => updatePositionStatement(slot, doneAt)))
}
