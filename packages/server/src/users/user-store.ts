// The SQL of users, their memberships and their login methods. A disabled user is found by
// nobody, and a password leaves here only as the hash that it is stored as.

import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, optionalText, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { AccountRole, Membership, PlatformRole, User } from '../kernel/user.ts'

export function userOf(row: Row): User {
  return {
    id: text(row, 'id'),
    email: text(row, 'email'),
    name: text(row, 'name'),
    role: text(row, 'role') as PlatformRole,
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
  }
}

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  const row = await readOne(db, sql`SELECT * FROM users WHERE id = ${id} AND disabled_at IS NULL`)
  return row && userOf(row)
}

/** The person with this normalised address, one who may not sign in any more too. */
export async function findUserByEmail(
  db: Database,
  email: string,
): Promise<{ user: User; isDisabled: boolean } | undefined> {
  const row = await readOne(db, sql`SELECT * FROM users WHERE email = ${email}`)
  return row && { user: userOf(row), isDisabled: row.disabled_at !== null }
}

export interface PasswordLogin {
  readonly user: User
  readonly methodId: string
  readonly passwordHash: string
}

/** The person with this normalised address and their password, when they have one. */
export async function findPasswordLogin(
  db: Database,
  email: string,
): Promise<PasswordLogin | undefined> {
  const row = await readOne(
    db,
    sql`SELECT u.*, m.id AS method_id, m.password_hash FROM users u
      JOIN login_methods m ON m.user_id = u.id AND m.kind = 'password'
      WHERE u.email = ${email} AND u.disabled_at IS NULL`,
  )
  const passwordHash = row && optionalText(row, 'password_hash')
  return row && passwordHash !== undefined
    ? { user: userOf(row), methodId: text(row, 'method_id'), passwordHash }
    : undefined
}

/** The joins that add a user's memberships to a statement over `u`, a row each, or one of nulls. */
export const WITH_MEMBERSHIPS = sql`LEFT JOIN members m ON m.user_id = u.id AND m.invited_at IS NULL
  LEFT JOIN accounts a ON a.id = m.account_id AND a.deleted_at IS NULL`
export const MEMBERSHIP_COLUMNS = sql`m.role AS member_role, a.id AS account_id, a.name AS account_name`

/** The memberships in the rows of one user; those of deleted accounts are none. */
export const membershipsOf = (rows: readonly Row[]): Membership[] =>
  rows
    .filter((row) => row.account_id !== null)
    .map((row) => ({
      account: { id: text(row, 'account_id'), name: text(row, 'account_name') },
      role: text(row, 'member_role') as AccountRole,
    }))

export async function isAnyUserStored(db: Database): Promise<boolean> {
  return (await db.read(sql`SELECT id FROM users LIMIT 1`)).length > 0
}

export const insertUserStatement = (user: User): Statement =>
  sql`INSERT INTO users (id, email, name, role, created_at, updated_at) VALUES (${user.id}, ${user.email}, ${user.name}, ${user.role}, ${user.createdAt}, ${user.updatedAt})`

/** The statements that store a user with a password; run them in one write. */
export function insertUserWithPasswordStatements(
  user: User,
  methodId: string,
  passwordHash: string,
): Statement[] {
  return [
    insertUserStatement(user),
    sql`INSERT INTO login_methods (id, user_id, kind, label, password_hash, created_at)
        VALUES (${methodId}, ${user.id}, 'password', 'Password', ${passwordHash}, ${user.createdAt})`,
  ]
}

/**
 * First in every write that gives a person a way to sign in, takes one, or signs them in by one: who
 * comes second waits here, and then sees what the first has done.
 */
export const lockUserStatement = (id: string): Statement =>
  sql`UPDATE users SET updated_at = updated_at WHERE id = ${id}`

/** From now on nobody finds them. Ending what they are signed in to belongs to the same write. */
export const disableUserStatement = (id: string, now: number): Statement =>
  sql`UPDATE users SET disabled_at = ${now} WHERE id = ${id} AND disabled_at IS NULL`

export const insertMemberStatement = (
  accountId: string,
  userId: string,
  role: AccountRole,
  now: number,
) =>
  sql`INSERT INTO members (account_id, user_id, role, created_at) VALUES (${accountId}, ${userId}, ${role}, ${now})`

export const updateMethodLastUsedStatement = (methodId: string, now: number) =>
  sql`UPDATE login_methods SET last_used_at = ${now} WHERE id = ${methodId}`

/** Undefined when the user was changed or disabled since they were read. */
export async function updateUserName(
  db: Database,
  stored: User,
  name: string,
  updatedAt: number,
): Promise<User | undefined> {
  const [rows] = await db.write(
    sql`UPDATE users SET name = ${name}, updated_at = ${updatedAt}
        WHERE id = ${stored.id} AND updated_at = ${stored.updatedAt} AND disabled_at IS NULL RETURNING *`,
  )
  return rows?.[0] && userOf(rows[0])
}
