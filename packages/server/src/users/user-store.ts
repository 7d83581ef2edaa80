// The SQL of users and of the memberships that each request needs. Only findUserByEmail and
// insertOrFindUser find a disabled user. Login methods belong to credentials/login-method-store.ts.

import { type Database, type Row, readOne, writeOne } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
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
    ...(row.emergency_at === null ? {} : { isEmergency: true as const }),
  }
}

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  const row = await readOne(db, sql`SELECT * FROM users WHERE id = ${id} AND disabled_at IS NULL`)
  return row && userOf(row)
}

/** The user with this normalised address, a disabled one too. */
export async function findUserByEmail(
  db: Database,
  email: string,
): Promise<{ user: User; isDisabled: boolean } | undefined> {
  const row = await readOne(db, sql`SELECT * FROM users WHERE email = ${email}`)
  return row && { user: userOf(row), isDisabled: row.disabled_at !== null }
}

/** Joins the memberships of the user `u`: one row each, or one row of nulls. */
export const WITH_MEMBERSHIPS = sql`LEFT JOIN members m ON m.user_id = u.id AND m.invited_at IS NULL
  LEFT JOIN accounts a ON a.id = m.account_id AND a.deleted_at IS NULL`
export const MEMBERSHIP_COLUMNS = sql`m.role AS member_role, a.id AS account_id, a.name AS account_name`

/** The memberships in the rows of one user, without those of deleted accounts. */
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
  sql`INSERT INTO users (id, email, name, role, created_at, updated_at)
      VALUES (${user.id}, ${user.email}, ${user.name}, ${user.role}, ${user.createdAt},
        ${user.updatedAt})`

/**
 * The user with this address, inserted if there is none, in one statement that takes the same work
 * either way. Finds a disabled user too: an inviter does not learn that they are. [V10]
 */
export async function insertOrFindUser(db: Database, user: User): Promise<User> {
  const row = await writeOne(
    db,
    sql`INSERT INTO users (id, email, name, role, created_at, updated_at)
      VALUES (${user.id}, ${user.email}, ${user.name}, ${user.role}, ${user.createdAt},
        ${user.updatedAt})
      ON CONFLICT (email) DO UPDATE SET updated_at = users.updated_at RETURNING *`,
  )
  return row ? userOf(row) : user
}

/**
 * First in every write that inserts, deletes or uses a login method: the second of two such writes
 * waits here and then sees what the first has done.
 */
export const lockUserStatement = (id: string): Statement =>
  sql`UPDATE users SET updated_at = updated_at WHERE id = ${id}`

/** The same write must end the sign-ins of the user. */
export const disableUserStatement = (id: string, now: number): Statement =>
  sql`UPDATE users SET disabled_at = ${now} WHERE id = ${id} AND disabled_at IS NULL`

/** Undefined when the user was changed or disabled since `stored` was read. */
export async function updateUserName(
  db: Database,
  stored: User,
  name: string,
  updatedAt: number,
): Promise<User | undefined> {
  const row = await writeOne(
    db,
    sql`UPDATE users SET name = ${name}, updated_at = ${updatedAt}
        WHERE id = ${stored.id} AND updated_at = ${stored.updatedAt} AND disabled_at IS NULL RETURNING *`,
  )
  return row && userOf(row)
}
