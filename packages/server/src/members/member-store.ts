// The SQL of the members of an account. Removing one ends their EHR sessions and launches in the account
// and revokes their invitation to it, in the same write. An invited user is in the list and is not a
// member before they accept.

import { lockAccountStatement } from '../accounts/account-store.ts'
import {
  deleteProblemReportsOfUserStatement,
  deleteProblemReportsStatement,
} from '../accounts/problem-report-store.ts'
import {
  revokeInvitationsOfStatement,
  revokeInvitationsStatement,
  revokeInvitationsToStatement,
  revokeMembershipLinksStatement,
} from '../credentials/invitation-store.ts'
import type { Database, Row } from '../db/database.ts'
import { hasText } from '../db/page.ts'
import { integer, optionalInteger, text } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import { partOf } from '../kernel/partitions.ts'
import type { AccountRole, PlatformRole } from '../kernel/user.ts'
import { endSessionsStatements } from '../liveness/liveness-store.ts'
import { lockUserStatement, markAdministratorsStatement } from '../users/user-store.ts'

export interface Member {
  /** The id that the account sees: of the invitation before the user accepts, then of the user. */
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: AccountRole
  readonly platformRole: PlatformRole
  readonly isInvited: boolean
  readonly createdAt: number
  /** The time in milliseconds when the membership ends by itself. */
  readonly expiresAt: number | undefined
}

const memberOf = (row: Row): Member => ({
  id: text(row, 'shown_id'),
  userId: text(row, 'user_id'),
  email: text(row, 'email'),
  // The inviter learns nothing about an existing user before that user accepts.
  name: text(row, row.invited_at !== null && row.invited_name !== null ? 'invited_name' : 'name'),
  role: text(row, 'role') as AccountRole,
  platformRole: text(row, 'platform_role') as PlatformRole,
  isInvited: row.invited_at !== null,
  createdAt: integer(row, 'created_at'),
  expiresAt: optionalInteger(row, 'expires_at'),
})

/** The id of an existing user begins with the time of their creation, so an inviter does not see it. */
const SHOWN_ID = sql`CASE WHEN m.invited_at IS NULL THEN m.user_id
  ELSE m.invited_id END`

/** An invited user stays in the list while disabled: the account does not learn that they are. */
const MEMBERS = sql`SELECT m.*, ${SHOWN_ID} AS shown_id, u.email, u.name, u.role AS platform_role
  FROM members m JOIN users u ON u.id = m.user_id
    AND (u.disabled_at IS NULL OR m.invited_at IS NOT NULL)`

/** The name that the account sees; a search must not tell more. */
const SHOWN_NAME = sql`CASE WHEN m.invited_at IS NOT NULL AND m.invited_name IS NOT NULL
  THEN m.invited_name ELSE u.name END`

interface MemberPage {
  readonly cursor: string
  readonly limit: number
  /** The text is part of the name that the account sees, or of the address. */
  readonly q?: string | undefined
  readonly role?: AccountRole | undefined
  readonly isByName?: boolean
}

export async function listMembers(
  db: Database,
  accountId: string,
  { cursor, limit, q, role, isByName = false }: MemberPage,
): Promise<Member[]> {
  const isFound =
    q === undefined ? ALWAYS : sql`(${hasText(SHOWN_NAME, q)} OR ${hasText(sql`u.email`, q)})`
  const hasRole = role === undefined ? ALWAYS : sql`m.role = ${role}`
  const byName = sql`LOWER(${SHOWN_NAME}), ${SHOWN_ID}`
  const isAfter =
    isByName && cursor !== ''
      ? sql`(${byName}) > (SELECT ${byName} FROM members m JOIN users u ON u.id = m.user_id
          WHERE m.account_id = ${accountId} AND ${SHOWN_ID} = ${cursor})`
      : sql`${SHOWN_ID} > ${cursor}`
  const rows = await db.read(
    sql`${MEMBERS} WHERE m.account_id = ${accountId} AND ${isAfter} AND ${isFound} AND ${hasRole}
      ORDER BY ${isByName ? byName : SHOWN_ID} LIMIT ${limit}`,
  )
  return rows.map(memberOf)
}

/** Finds a member by the id that the account sees. The id of the invitation stays valid after acceptance. */
export async function findMember(
  db: Database,
  accountId: string,
  id: string,
): Promise<Member | undefined> {
  const [row] = await db.read(
    sql`${MEMBERS} WHERE m.account_id = ${accountId}
      AND (${SHOWN_ID} = ${id} OR m.invited_id = ${id})`,
  )
  return row && memberOf(row)
}

/** The invitation of the account that this user has not accepted. */
export async function findPendingMember(
  db: Database,
  accountId: string,
  userId: string,
): Promise<Member | undefined> {
  const [row] = await db.read(
    sql`${MEMBERS} WHERE m.account_id = ${accountId} AND m.user_id = ${userId}
      AND m.invited_at IS NOT NULL`,
  )
  return row && memberOf(row)
}

export async function countMembers(db: Database, accountId: string): Promise<number> {
  const [row] = await db.read(
    sql`SELECT COUNT(*) AS members FROM members WHERE account_id = ${accountId}`,
  )
  return row ? integer(row, 'members') : 0
}

export async function isActiveMember(
  db: Database,
  accountId: string,
  userId: string,
): Promise<boolean> {
  const rows = await db.read(
    sql`SELECT user_id FROM members
      WHERE account_id = ${accountId} AND user_id = ${userId} AND invited_at IS NULL`,
  )
  return rows.length > 0
}

/** Inserts a member who needs no invitation, for sample data. */
export const insertMemberStatement = (
  accountId: string,
  userId: string,
  role: AccountRole,
  now: number,
): Statement =>
  sql`INSERT INTO members (account_id, user_id, role, created_at) VALUES (${accountId}, ${userId}, ${role}, ${now})`

export interface InvitedMember {
  /** A fresh id: of a new user, or in place of the id of an existing one. */
  readonly invitedId: string
  readonly name: string
  readonly role: AccountRole
  readonly expiresAt?: number | undefined
}

/** Inserts an invited user by the name that the inviter gives, or updates name, role and end of one. */
export const upsertInvitedStatement = (
  accountId: string,
  userId: string,
  { invitedId, name, role, expiresAt }: InvitedMember,
  now: number,
): Statement =>
  sql`INSERT INTO members (account_id, user_id, role, created_at, invited_at, invited_name, invited_id,
        expires_at)
      VALUES (${accountId}, ${userId}, ${role}, ${now}, ${now}, ${name}, ${invitedId},
        ${expiresAt ?? null})
      ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role,
        invited_name = excluded.invited_name, expires_at = excluded.expires_at
        WHERE members.invited_at IS NOT NULL RETURNING invited_id`

/** Removes the member whom the statement before has inserted, if the account has `max` without them. */
export const deleteBeyondLimitStatement = (
  accountId: string,
  invitedId: string,
  max: number,
): Statement =>
  sql`DELETE FROM members WHERE account_id = ${accountId} AND invited_id = ${invitedId}
    AND (SELECT COUNT(*) FROM members WHERE account_id = ${accountId}) > ${max} RETURNING user_id`

export interface MemberChange {
  readonly role: AccountRole
  readonly expiresAt: number | undefined
}

const isMembershipOf = (accountId: string, userIds: readonly string[]): Statement =>
  sql`account_id = ${accountId} AND user_id IN (${list(userIds)})`

/** A viewer opens no app: who becomes one loses the EHR sessions in the account. The first returns their ids. */
const endViewersSessionsStatements = (
  accountId: string,
  userIds: readonly string[],
  now: number,
): Statement[] =>
  endSessionsStatements(
    {
      parts: [partOf(accountId)],
      condition: sql`e.account_id = ${accountId} AND e.user_id IN (${list(userIds)})
        AND e.user_id IN (SELECT v.user_id FROM members v WHERE v.account_id = ${accountId}
          AND v.user_id IN (${list(userIds)}) AND v.role = 'viewer')`,
    },
    { at: now, reason: 'revoked' },
  )

/**
 * Returns the EHR sessions that it ended; undefined when role or end are not those that were seen, or the member is
 * gone.
 */
export async function updateMember(
  db: Database,
  accountId: string,
  { userId, role: seen, expiresAt: seenEnd }: Pick<Member, 'role' | 'userId' | 'expiresAt'>,
  { role, expiresAt }: MemberChange,
  now: number,
): Promise<string[] | undefined> {
  const [, rows, sessions = []] = await db.write(
    markAdministratorsStatement(isMembershipOf(accountId, [userId]), now),
    sql`UPDATE members SET role = ${role}, expires_at = ${expiresAt ?? null}
      WHERE account_id = ${accountId} AND user_id = ${userId}
        AND role = ${seen} AND COALESCE(expires_at, 0) = ${seenEnd ?? 0} RETURNING user_id`,
    ...(role === 'viewer' ? endViewersSessionsStatements(accountId, [userId], now) : []),
  )
  return rows?.length === 1 ? sessions.map((row) => text(row, 'id')) : undefined
}

/** Returns the ids of the EHR sessions that it ended. */
export async function deleteMember(
  db: Database,
  accountId: string,
  userId: string,
  now: number,
): Promise<string[]> {
  const [, , , sessions = []] = await db.write(
    markAdministratorsStatement(isMembershipOf(accountId, [userId]), now),
    sql`DELETE FROM members WHERE account_id = ${accountId} AND user_id = ${userId}`,
    revokeInvitationsStatement(accountId, userId, now),
    ...endSessionsStatements(
      {
        parts: [partOf(accountId)],
        condition: sql`e.account_id = ${accountId} AND e.user_id = ${userId}`,
      },
      { at: now, reason: 'revoked' },
    ),
    deleteProblemReportsStatement(accountId, userId),
  )
  return sessions.map((row) => text(row, 'id'))
}

/** Deletes every membership of a user, invitations among them, and what goes with it. */
export const deleteMembershipsStatements = (
  userId: string,
  now: number,
  condition: Statement,
): Statement[] => [
  markAdministratorsStatement(sql`user_id = ${userId} AND ${condition}`, now),
  sql`DELETE FROM members WHERE user_id = ${userId} AND ${condition}`,
  revokeMembershipLinksStatement(userId, now, condition),
  deleteProblemReportsOfUserStatement(userId, condition),
]

const isAdministrator = (m: Statement, u: Statement): Statement =>
  sql`${m}.role = 'admin' AND ${m}.invited_at IS NULL AND ${u}.disabled_at IS NULL`

/** The condition is true where the user is the only one who administers the account. */
const isLastAdministrator = (accountId: string, userId: string): Statement =>
  sql`(EXISTS (SELECT 1 FROM members own JOIN users o ON o.id = own.user_id
      WHERE own.account_id = ${accountId} AND own.user_id = ${userId}
        AND ${isAdministrator(sql`own`, sql`o`)})
    AND NOT EXISTS (SELECT 1 FROM members other JOIN users p ON p.id = other.user_id
      WHERE other.account_id = ${accountId} AND other.user_id <> ${userId}
        AND ${isAdministrator(sql`other`, sql`p`)}))`

/** The condition is true where an administrator is left, without these users; or none of them is one. */
function keepsAdministrator(accountId: string, userIds: readonly string[]): Statement {
  const administrators = (isOne: Statement) => sql`EXISTS (SELECT 1 FROM members k
    JOIN users o ON o.id = k.user_id WHERE k.account_id = ${accountId}
      AND ${isAdministrator(sql`k`, sql`o`)} AND ${isOne})`
  return sql`(NOT ${administrators(sql`k.user_id IN (${list(userIds)})`)}
    OR ${administrators(sql`k.user_id NOT IN (${list(userIds)})`)})`
}

/** The users of those whom the account sees by these ids. */
export async function listMembersByIds(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<Member[]> {
  const rows = await db.read(
    sql`${MEMBERS} WHERE m.account_id = ${accountId} AND ${SHOWN_ID} IN (${list(ids)})`,
  )
  return rows.map(memberOf)
}

/**
 * Changes all of them in one write. Returns the users that it changed, and the EHR sessions that it ended; no user
 * when the account would be left without an administrator, of two changes at once too.
 */
export async function updateMembers(
  db: Database,
  accountId: string,
  userIds: readonly string[],
  { role, expiresAt }: { readonly role?: AccountRole; readonly expiresAt?: number | null },
  now: number,
): Promise<{ readonly changed: string[]; readonly sessions: string[] }> {
  const keeps =
    role === undefined || role === 'admin' ? ALWAYS : keepsAdministrator(accountId, userIds)
  const newRole = role === undefined ? sql`role` : sql`${role}`
  const newEnd = expiresAt === undefined ? sql`expires_at` : sql`${expiresAt}`
  const [, , rows = [], sessions = []] = await db.write(
    lockAccountStatement(accountId),
    markAdministratorsStatement(isMembershipOf(accountId, userIds), now),
    sql`UPDATE members SET role = ${newRole}, expires_at = ${newEnd}
      WHERE account_id = ${accountId} AND user_id IN (${list(userIds)}) AND ${keeps}
      RETURNING user_id`,
    ...(role === 'viewer' ? endViewersSessionsStatements(accountId, userIds, now) : []),
  )
  return {
    changed: rows.map((row) => text(row, 'user_id')),
    sessions: sessions.map((row) => text(row, 'id')),
  }
}

/**
 * Removes all of them in one write, as {@link deleteMember} does. Returns the users that it removed, and the EHR
 * sessions that it ended; no user when the account would be left without an administrator.
 */
export async function deleteMembers(
  db: Database,
  accountId: string,
  userIds: readonly string[],
  now: number,
): Promise<{ readonly removed: string[]; readonly sessions: string[] }> {
  const isGone = (userId: Statement) => sql`${userId} NOT IN (SELECT g.user_id FROM members g
    WHERE g.account_id = ${accountId} AND g.user_id IN (${list(userIds)}))`
  const [, , removed = [], , sessions = []] = await db.write(
    lockAccountStatement(accountId),
    markAdministratorsStatement(isMembershipOf(accountId, userIds), now),
    sql`DELETE FROM members WHERE account_id = ${accountId} AND user_id IN (${list(userIds)})
      AND ${keepsAdministrator(accountId, userIds)} RETURNING user_id`,
    revokeInvitationsOfStatement(accountId, userIds, isGone(sql`invitations.user_id`), now),
    ...endSessionsStatements(
      {
        parts: [partOf(accountId)],
        condition: sql`e.account_id = ${accountId} AND e.user_id IN (${list(userIds)})
          AND ${isGone(sql`e.user_id`)}`,
      },
      { at: now, reason: 'revoked' },
    ),
  )
  const gone = removed.map((row) => text(row, 'user_id'))
  if (gone.length > 0) {
    await db.write(...gone.map((userId) => deleteProblemReportsStatement(accountId, userId)))
  }
  return { removed: gone, sessions: sessions.map((row) => text(row, 'id')) }
}

/** Lists the memberships whose end has come. */
export async function listExpiredMembers(
  db: Database,
  now: number,
  limit: number,
): Promise<{ readonly accountId: string; readonly userId: string }[]> {
  const rows = await db.read(
    sql`SELECT account_id, user_id FROM members WHERE expires_at <= ${now}
      ORDER BY expires_at LIMIT ${limit}`,
  )
  return rows.map((row) => ({ accountId: text(row, 'account_id'), userId: text(row, 'user_id') }))
}

/**
 * Ends a membership whose end has come, the last administrator's too. Returns the EHR sessions that it ended. The
 * first statement locks the row: of two nodes the second finds none. `event` is written by the first.
 */
export async function expireMember(
  db: Database,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
  now: number,
  event: (condition: Statement) => Statement,
): Promise<string[]> {
  const isDue = sql`account_id = ${accountId} AND user_id = ${userId} AND expires_at <= ${now}`
  const isGone = isNoMember(accountId, userId)
  const results = await db.write(
    sql`UPDATE members SET role = role WHERE ${isDue}`,
    event(sql`EXISTS (SELECT 1 FROM members WHERE ${isDue})`),
    markAdministratorsStatement(isDue, now),
    sql`DELETE FROM members WHERE ${isDue}`,
    revokeInvitationsOfStatement(accountId, [userId], isGone, now),
    ...endSessionsStatements(
      {
        parts: [partOf(accountId)],
        condition: sql`e.account_id = ${accountId} AND e.user_id = ${userId} AND ${isGone}`,
      },
      { at: now, reason: 'revoked' },
    ),
  )
  return (results[5] ?? []).map((row) => text(row, 'id'))
}

/** The condition is true where the user has no membership of the account, not even an invitation to it. */
const isNoMember = (accountId: string, userId: string): Statement =>
  sql`NOT EXISTS (SELECT 1 FROM members k
    WHERE k.account_id = ${accountId} AND k.user_id = ${userId})`

/**
 * Does as {@link deleteMember}, but the last administrator stays: of two that are removed at once, one.
 * Returns undefined when it was the last one. `first` runs before, in the same write.
 */
export async function deleteMemberUnlessLast(
  db: Database,
  accountId: string,
  userId: string,
  now: number,
  first: readonly Statement[] = [],
): Promise<string[] | undefined> {
  const isGone = isNoMember(accountId, userId)
  const results = await db.write(
    lockAccountStatement(accountId),
    ...first,
    markAdministratorsStatement(isMembershipOf(accountId, [userId]), now),
    sql`DELETE FROM members WHERE account_id = ${accountId} AND user_id = ${userId}
      AND NOT ${isLastAdministrator(accountId, userId)}`,
    revokeInvitationsStatement(accountId, userId, now),
    ...endSessionsStatements(
      {
        parts: [partOf(accountId)],
        condition: sql`e.account_id = ${accountId} AND e.user_id = ${userId} AND ${isGone}`,
      },
      { at: now, reason: 'revoked' },
    ),
  )
  const left = await db.read(
    sql`SELECT user_id FROM members WHERE account_id = ${accountId} AND user_id = ${userId}`,
  )
  if (left.length > 0) return undefined
  await db.write(deleteProblemReportsStatement(accountId, userId))
  return (results[first.length + 4] ?? []).map((row) => text(row, 'id'))
}

/** A membership that the person had accepted before its directory ended it. Nothing else comes back. */
export const restoreMemberStatements = (
  accountId: string,
  userId: string,
  shownId: string,
  now: number,
): Statement[] => [
  lockUserStatement(userId),
  sql`INSERT INTO members (account_id, user_id, role, created_at, invited_id)
    SELECT CAST(${accountId} AS TEXT), u.id, 'provider', CAST(${now} AS BIGINT),
      CAST(${shownId} AS TEXT)
    FROM users u WHERE u.id = ${userId} AND u.disabled_at IS NULL
    ON CONFLICT (account_id, user_id) DO NOTHING`,
]

/** The name of an invited person, until they accept. */
export const updateInvitedNameStatement = (
  accountId: string,
  userId: string,
  name: string,
): Statement =>
  sql`UPDATE members SET invited_name = ${name}
    WHERE account_id = ${accountId} AND user_id = ${userId} AND invited_at IS NOT NULL`

/** Whether the user is a member of, or invited to, no other account. */
export async function isOnlyAccount(
  db: Database,
  accountId: string,
  userId: string,
): Promise<boolean> {
  const rows = await db.read(
    // Who signs in at the provider of another account comes from there.
    sql`SELECT account_id FROM members WHERE user_id = ${userId} AND account_id <> ${accountId}
      UNION ALL SELECT account_id FROM login_methods
      WHERE user_id = ${userId} AND account_id <> ${accountId} LIMIT 1`,
  )
  return rows.length === 0
}

/** Lists those who are in no other account, nor invited to one, and do not run the platform. */
export async function listPeopleOfOnly(db: Database, accountId: string): Promise<string[]> {
  const rows = await db.read(
    sql`SELECT m.user_id FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.account_id = ${accountId} AND u.role = 'member' AND u.emergency_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM members o
          JOIN accounts a ON a.id = o.account_id AND a.deleted_at IS NULL
          WHERE o.user_id = m.user_id AND o.account_id <> ${accountId}) ORDER BY m.user_id`,
  )
  return rows.map((row) => text(row, 'user_id'))
}

/** Every membership of an account that is deleted. */
export const deleteMembersStatements = (accountId: string, now: number): Statement[] => [
  revokeInvitationsToStatement(accountId, now),
  markAdministratorsStatement(sql`account_id = ${accountId}`, now),
  sql`DELETE FROM members WHERE account_id = ${accountId}`,
]
