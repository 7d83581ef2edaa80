// The SQL of memberships as the directory of their account sees them. Every statement names the account, so
// no directory finds a person of another one. A membership is inactive where members has no row of it.
import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, type Statement, sql } from '../db/sql.ts'
import { normalizeEmail } from '../kernel/user.ts'
import type { DirectoryMember, Filter, Names } from './scim-user.ts'

const ID = sql`COALESCE(d.id, m.invited_id, k.user_id)`

const ofAccount = (accountId: string): Statement =>
  sql`FROM (SELECT user_id FROM members WHERE account_id = ${accountId}
      UNION SELECT user_id FROM directory_members WHERE account_id = ${accountId}) k
    JOIN users u ON u.id = k.user_id
    LEFT JOIN members m ON m.account_id = ${accountId} AND m.user_id = k.user_id
    LEFT JOIN directory_members d ON d.account_id = ${accountId} AND d.user_id = k.user_id`

const COLUMNS = sql`${ID} AS id, k.user_id, d.user_name, d.external_id, d.work_email, d.names, u.email,
  d.was_accepted, m.role AS member_role, u.disabled_at,
  COALESCE(d.created_at, m.created_at) AS created_at,
  COALESCE(d.updated_at, m.created_at) AS updated_at,
  CASE WHEN m.invited_at IS NOT NULL AND m.invited_name IS NOT NULL THEN m.invited_name ELSE u.name END AS shown_name,
  CASE WHEN m.user_id IS NOT NULL AND (u.disabled_at IS NULL OR m.invited_at IS NOT NULL)
    THEN 1 ELSE 0 END AS is_active`

/** The directory itself does not see these facts. */
export interface StoredMember extends DirectoryMember {
  readonly email: string
  /** The person had accepted the membership that the directory ended, and may sign in. */
  readonly isRestorable: boolean
}

function memberOf(row: Row): StoredMember {
  const stored = optionalText(row, 'names')
  const names: Names = stored ? JSON.parse(stored) : { displayName: text(row, 'shown_name') }
  const email = text(row, 'email')
  return {
    ...names,
    id: text(row, 'id'),
    userId: text(row, 'user_id'),
    userName: optionalText(row, 'user_name') ?? email,
    externalId: optionalText(row, 'external_id'),
    workEmail: optionalText(row, 'work_email') ?? email,
    active: integer(row, 'is_active') === 1,
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    email,
    isRestorable: optionalInteger(row, 'was_accepted') === 1 && row.disabled_at === null,
  }
}

const CONDITIONS: Readonly<Record<Filter['by'], (value: string) => Statement>> = {
  userName: (value) => sql`COALESCE(d.user_name_key, u.email) = ${value}`,
  externalId: (value) => sql`d.external_id = ${value}`,
  workEmail: (value) => sql`COALESCE(d.work_email, u.email) = ${value}`,
}

const whereOf = (filter: Filter | undefined): Statement =>
  filter ? CONDITIONS[filter.by](filter.value) : ALWAYS

export async function listDirectoryMembers(
  db: Database,
  accountId: string,
  filter: Filter | undefined,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly members: StoredMember[] }> {
  const where = whereOf(filter)
  const counted = await readOne(
    db,
    sql`SELECT COUNT(*) AS total ${ofAccount(accountId)} WHERE ${where}`,
  )
  const rows = await db.read(
    sql`SELECT ${COLUMNS} ${ofAccount(accountId)} WHERE ${where} ORDER BY ${ID}
      LIMIT ${limit} OFFSET ${offset}`,
  )
  return { total: counted ? integer(counted, 'total') : 0, members: rows.map(memberOf) }
}

export async function findDirectoryMember(
  db: Database,
  accountId: string,
  id: string,
): Promise<StoredMember | undefined> {
  const row = await readOne(db, sql`SELECT ${COLUMNS} ${ofAccount(accountId)} WHERE ${ID} = ${id}`)
  return row && memberOf(row)
}

const namesOf = ({ givenName, familyName, formatted, displayName }: Names) =>
  JSON.stringify({ givenName, familyName, formatted, displayName })

/** @throws UniqueViolation when the name or the external id is that of another membership, or there is a row. */
export const insertDirectoryMemberStatement = (
  accountId: string,
  member: DirectoryMember,
): Statement =>
  sql`INSERT INTO directory_members (account_id, user_id, id, external_id, user_name, user_name_key,
      work_email, names, was_accepted, created_at, updated_at)
    VALUES (${accountId}, ${member.userId}, ${member.id}, ${member.externalId ?? null},
      ${member.userName}, ${normalizeEmail(member.userName)}, ${member.workEmail},
      ${namesOf(member)}, 0, ${member.createdAt}, ${member.updatedAt})`

export const upsertDirectoryMemberStatement = (
  accountId: string,
  member: DirectoryMember,
): Statement =>
  sql`${insertDirectoryMemberStatement(accountId, member)}
    ON CONFLICT (account_id, user_id) DO UPDATE SET external_id = excluded.external_id,
      user_name = excluded.user_name, user_name_key = excluded.user_name_key,
      work_email = excluded.work_email, names = excluded.names, updated_at = excluded.updated_at`

/** Stores, before the membership ends, whether it may come back without an invitation. */
export const rememberAcceptedStatement = (accountId: string, userId: string): Statement =>
  sql`UPDATE directory_members SET was_accepted = CASE WHEN EXISTS (SELECT 1 FROM members a
      WHERE a.account_id = ${accountId} AND a.user_id = ${userId} AND a.invited_at IS NULL)
    THEN 1 ELSE 0 END WHERE account_id = ${accountId} AND user_id = ${userId}
    AND EXISTS (SELECT 1 FROM members b WHERE b.account_id = ${accountId} AND b.user_id = ${userId})`

/** A removed person comes back by an invitation only, in every account. */
export const forgetAcceptedStatement = (userId: string, condition: Statement): Statement =>
  sql`UPDATE directory_members SET was_accepted = 0 WHERE user_id = ${userId} AND ${condition}`

/** Deletes names and addresses that any directory has sent of the user. */
export const deleteDirectoryMembersOfStatement = (
  userId: string,
  condition: Statement,
): Statement => sql`DELETE FROM directory_members WHERE user_id = ${userId} AND ${condition}`

export const deleteDirectoryMemberStatement = (accountId: string, userId: string): Statement =>
  sql`DELETE FROM directory_members WHERE account_id = ${accountId} AND user_id = ${userId}`

/** Deletes what the directory of an account has sent, and its tokens. */
export const deleteDirectoryStatements = (accountId: string): Statement[] => [
  sql`DELETE FROM directory_members WHERE account_id = ${accountId}`,
  sql`DELETE FROM directory_tokens WHERE account_id = ${accountId}`,
]
