// The SQL that adds events to the trail, and that finds the trail of a record. Events are only inserted. An event
// of a launch is part of the write that it records, and is inserted exactly if that write took effect.
// audit-entry-store.ts reads them.

import type { Database } from '../db/database.ts'
import { optionalText, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import { partOf, partOfId } from '../kernel/partitions.ts'
import type { AuditEvent } from './audit.ts'
import { type LaunchEvent, packEntry, packLaunchEvent } from './audit-entry.ts'

const COLUMNS = sql`part, n, at, account_id, content`

/** Inserts nothing where the condition is false. */
export function insertEventStatement(event: AuditEvent, condition?: Statement): Statement {
  const part = partOf(event.accountId)
  const { at, n, content } = packEntry(event, part)
  if (condition) {
    return sql`INSERT INTO audit_entries (${COLUMNS})
      SELECT CAST(${part} AS INTEGER), CAST(${n} AS INTEGER), CAST(${at} AS BIGINT),
        ${event.accountId}, ${content} WHERE ${condition}`
  }
  return sql`INSERT INTO audit_entries (${COLUMNS})
    VALUES (${part}, ${n}, ${at}, ${event.accountId}, ${content})`
}

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
export function insertLaunchEventStatement(event: LaunchEvent, effect: Statement): Statement {
  const part = partOfId(event.launchId)
  const { at, n, content, leavesOut } = packLaunchEvent(event, part)
  const launch = sql`l.id = ${event.launchId} AND l.part = ${part} AND ${effect}`
  // Without the account, which the event of the opening has, no EHR session is read.
  return leavesOut
    ? sql`INSERT INTO audit_entries (part, n, at, content)
        SELECT l.part, CAST(${n} AS INTEGER), CAST(${at} AS BIGINT), ${content}
          FROM launches l WHERE ${launch}`
    : sql`INSERT INTO audit_entries (${COLUMNS})
        SELECT l.part, CAST(${n} AS INTEGER), CAST(${at} AS BIGINT), s.account_id, ${content}
          FROM launches l JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
          WHERE ${launch}`
}

/** The account of a record that a request named, so that refusals are in the right trail too. */
const OWNERS: Readonly<Record<string, (id: string) => Statement>> = {
  acc: (id) => sql`SELECT id AS account_id FROM accounts WHERE id = ${id}`,
  app: (id) => sql`SELECT account_id FROM apps WHERE id = ${id}`,
  col: (id) => sql`SELECT account_id FROM collections WHERE id = ${id}`,
  ses: (id) => sql`SELECT account_id FROM ehr_sessions WHERE id = ${id} AND part = ${partOfId(id)}`,
  lau: (id) => sql`SELECT s.account_id FROM launches l
    JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
    WHERE l.id = ${id} AND l.part = ${partOfId(id)}`,
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
