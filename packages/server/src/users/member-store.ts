// The SQL of the members of an account. Removing one ends their EHR sessions and launches in that
// account in the same write, and their open invitation to it. Somebody who has not accepted yet is
// in the list and is no member.
import { type Database, type Row, type Statement, statement, writeOne } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import { withdrawInvitations } from './invitation-store.ts'
import type { AccountRole, PlatformRole } from './user.ts'

export interface Member {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: AccountRole
  readonly platformRole: PlatformRole
  readonly isInvited: boolean
  readonly createdAt: number
}

const memberOf = (row: Row): Member => ({
  id: text(row, 'user_id'),
  email: text(row, 'email'),
  // Whoever invites an address learns nothing of the person behind it before they have agreed.
  name: text(row, row.invited_at !== null && row.invited_name !== null ? 'invited_name' : 'name'),
  role: text(row, 'role') as AccountRole,
  platformRole: text(row, 'platform_role') as PlatformRole,
  isInvited: row.invited_at !== null,
  createdAt: integer(row, 'created_at'),
})

const MEMBERS = `SELECT m.*, u.email, u.name, u.role AS platform_role
  FROM members m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
  WHERE m.account_id = ?`

export async function listMembers(
  db: Database,
  accountId: string,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): Promise<Member[]> {
  const rows = await db.read(
    `${MEMBERS} AND m.user_id > ? ORDER BY m.user_id LIMIT ?`,
    accountId,
    cursor,
    limit,
  )
  return rows.map(memberOf)
}

export async function findMember(
  db: Database,
  accountId: string,
  userId: string,
): Promise<Member | undefined> {
  const [row] = await db.read(`${MEMBERS} AND m.user_id = ?`, accountId, userId)
  return row && memberOf(row)
}

/** Stores somebody who is invited, by the name that the inviter gives; who is already gets these. */
export const insertInvited = (
  accountId: string,
  userId: string,
  { name, role }: { readonly name: string; readonly role: AccountRole },
  now: number,
): Statement =>
  statement(
    `INSERT INTO members (account_id, user_id, role, created_at, invited_at, invited_name)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, user_id)
      DO UPDATE SET role = excluded.role, invited_name = excluded.invited_name
        WHERE members.invited_at IS NOT NULL`,
    accountId,
    userId,
    role,
    now,
    now,
    name,
  )

export async function updateMemberRole(
  db: Database,
  accountId: string,
  userId: string,
  role: AccountRole,
): Promise<boolean> {
  const row = await writeOne(
    db,
    'UPDATE members SET role = ? WHERE account_id = ? AND user_id = ? RETURNING user_id',
    role,
    accountId,
    userId,
  )
  return row !== undefined
}

/** Gives the EHR sessions that ended with the membership. */
export async function deleteMember(
  db: Database,
  accountId: string,
  userId: string,
  now: number,
): Promise<string[]> {
  const [, , sessions = []] = await db.write(
    statement('DELETE FROM members WHERE account_id = ? AND user_id = ?', accountId, userId),
    withdrawInvitations(accountId, userId, now),
    statement(
      `UPDATE ehr_sessions SET ended_at = ? WHERE account_id = ? AND user_id = ?
        AND ended_at IS NULL RETURNING id`,
      now,
      accountId,
      userId,
    ),
    statement(
      `UPDATE launches SET ended_at = ? WHERE ended_at IS NULL AND session_id IN
        (SELECT id FROM ehr_sessions WHERE account_id = ? AND user_id = ?)`,
      now,
      accountId,
      userId,
    ),
  )
  return sessions.map((row) => text(row, 'id'))
}

/** Whether this account is the only one that has to do with the person, invited or not. */
export async function isOnlyAccount(
  db: Database,
  accountId: string,
  userId: string,
): Promise<boolean> {
  const rows = await db.read(
    'SELECT account_id FROM members WHERE user_id = ? AND account_id <> ? LIMIT 1',
    userId,
    accountId,
  )
  return rows.length === 0
}
