// The SQL of the audit trail. Events and links are only ever inserted. An event of a launch is part of
// the write that it records, and is there exactly if that write did what it was to do.
import {
  type Database,
  type Row,
  type SqlValue,
  type Statement,
  statement,
} from '../db/database.ts'
import { integer, json, optionalText, text } from '../db/row.ts'
import type { AuditEvent, ChainedEvent, Outcome } from './audit.ts'
import type { ChainHead } from './audit-export.ts'

const COLUMNS = 'id, at, account_id, actor, action, target, launch_id, ip, outcome, detail'

const valuesOf = (event: AuditEvent) => [
  event.id,
  event.at,
  event.accountId,
  event.actor,
  event.action,
  event.target,
  event.launchId ?? null,
  event.ip,
  event.outcome,
  JSON.stringify(event.detail),
]

export const insertEvent = (event: AuditEvent): Statement =>
  statement(
    `INSERT INTO audit_events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...valuesOf(event),
  )

/** An event of a launch; whose trail it is in, the launch's EHR session says. */
export type LaunchEvent = Omit<AuditEvent, 'accountId' | 'launchId'> & { readonly launchId: string }

/** What shows that the statement before it in the same write took effect. */
const TRACES = {
  launched: 'l.launch_hash = ?',
  authorized: 'l.code_hash = ?',
  exchanged: 'l.token_hash = ?',
  revoked: 'l.token_hash = ? AND l.token_revoked_at = ?',
  failed: 'EXISTS (SELECT 1 FROM launch_failures f WHERE f.id = ?)',
} as const

/** The event, if what it tells of has left its trace. */
export const insertLaunchEvent = (
  event: LaunchEvent,
  trace: keyof typeof TRACES,
  ...values: SqlValue[]
): Statement =>
  statement(
    `INSERT INTO audit_events (${COLUMNS})
      SELECT ?, CAST(? AS BIGINT), e.account_id, ?, ?, ?, ?, ?, ?, ?
        FROM launches l JOIN ehr_sessions e ON e.id = l.session_id
        WHERE l.id = ? AND ${TRACES[trace]}`,
    event.id,
    event.at,
    event.actor,
    event.action,
    event.target,
    event.launchId,
    event.ip,
    event.outcome,
    JSON.stringify(event.detail),
    event.launchId,
    ...values,
  )

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

/** Events of one trail, newest first, before an identifier. */
export async function listEvents(
  db: Database,
  page: { readonly accountId: string; readonly before: string; readonly limit: number },
): Promise<AuditEvent[]> {
  const rows = await db.read(
    'SELECT * FROM audit_events WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
    page.accountId,
    page.before,
    page.limit,
  )
  return rows.map(eventOf)
}

/** The account of a record that a request named, so that a refusal too is in the right trail. */
const OWNERS: Readonly<Record<string, string>> = {
  acc: 'SELECT id AS account_id FROM accounts WHERE id = ?',
  app: 'SELECT account_id FROM apps WHERE id = ?',
  col: 'SELECT account_id FROM collections WHERE id = ?',
  ses: 'SELECT account_id FROM ehr_sessions WHERE id = ?',
}

export async function findOwner(db: Database, id: string): Promise<string | undefined> {
  const sql = OWNERS[id.slice(0, id.indexOf('_'))]
  const [row] = sql ? await db.read(sql, id) : []
  return row && text(row, 'account_id')
}

/** A person by identifier or by normalised address, with the accounts whose trails they are in. */
export async function findTrails(
  db: Database,
  who: { readonly userId: string } | { readonly email: string },
): Promise<{ userId: string | undefined; accountIds: string[] }> {
  const [where, value] = 'userId' in who ? ['u.id', who.userId] : ['u.email', who.email]
  const rows = await db.read(
    // Who was invited and has not accepted is no member: an invitation must not show their sign-ins.
    `SELECT u.id, a.id AS account_id FROM users u
      LEFT JOIN members m ON m.user_id = u.id AND m.invited_at IS NULL
      LEFT JOIN accounts a ON a.id = m.account_id AND a.deleted_at IS NULL
      WHERE ${where} = ? ORDER BY a.id`,
    value,
  )
  return {
    userId: rows[0] && text(rows[0], 'id'),
    accountIds: rows.flatMap((row) => optionalText(row, 'account_id') ?? []),
  }
}

/** Events that no chain has, made in this time, oldest first. */
export async function listUnchained(
  db: Database,
  range: { readonly from: string; readonly to: string; readonly limit: number },
): Promise<AuditEvent[]> {
  const rows = await db.read(
    `SELECT e.* FROM audit_events e WHERE e.id >= ? AND e.id < ?
      AND NOT EXISTS (SELECT 1 FROM audit_chain c WHERE c.event_id = e.id) ORDER BY e.id LIMIT ?`,
    range.from,
    range.to,
    range.limit,
  )
  return rows.map(eventOf)
}

/** The newest event that any chain has; '' when there is none. */
export async function findLastChained(db: Database): Promise<string> {
  const [row] = await db.read('SELECT MAX(event_id) AS last FROM audit_chain')
  return (row && optionalText(row, 'last')) ?? ''
}

export async function findHead(db: Database, accountId: string): Promise<ChainHead | undefined> {
  const [row] = await db.read(
    'SELECT seq, hash FROM audit_chain WHERE account_id = ? ORDER BY seq DESC LIMIT 1',
    accountId,
  )
  return row && { seq: integer(row, 'seq'), hash: text(row, 'hash') }
}

/** @throws UniqueViolation when another node has gone on with one of these chains. */
export async function insertLinks(db: Database, links: readonly ChainedEvent[]): Promise<void> {
  await db.write(
    ...links.map(({ event, seq, hash }) =>
      statement(
        'INSERT INTO audit_chain (account_id, seq, event_id, hash) VALUES (?, ?, ?, ?)',
        event.accountId,
        seq,
        event.id,
        hash,
      ),
    ),
  )
}

/** A stretch of an account's chain with its events, from `afterSeq` on. */
export async function listChained(
  db: Database,
  accountId: string,
  afterSeq: number,
  limit: number,
): Promise<ChainedEvent[]> {
  const rows = await db.read(
    `SELECT e.*, c.seq, c.hash FROM audit_chain c JOIN audit_events e ON e.id = c.event_id
      WHERE c.account_id = ? AND c.seq > ? ORDER BY c.seq LIMIT ?`,
    accountId,
    afterSeq,
    limit,
  )
  return rows.map((row) => ({
    event: eventOf(row),
    seq: integer(row, 'seq'),
    hash: text(row, 'hash'),
  }))
}
