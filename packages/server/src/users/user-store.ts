// The SQL of users and of the memberships that each request needs. Only what administrators of the
// platform and the command line use, and insertOrFindUser, finds a disabled user. Login methods belong to credentials/login-method-store.ts.

import { type Database, type Row, readOne, writeOne } from '../db/database.ts'
import { hasText, orderOf, type VisiblePage } from '../db/page.ts'
import { integer, optionalInteger, text } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
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
export const MEMBERSHIP_COLUMNS = sql`m.role AS member_role, a.id AS account_id, a.name AS account_name,
  a.required_providers`

/** The memberships in the rows of one user, without those of deleted accounts. */
export const membershipsOf = (rows: readonly Row[]): Membership[] =>
  rows
    .filter((row) => row.account_id !== null)
    .map((row) => ({
      account: { id: text(row, 'account_id'), name: text(row, 'account_name') },
      role: text(row, 'member_role') as AccountRole,
    }))

/** A user with what only administrators of the platform see. */
export interface PlatformUser extends User {
  /** The value is true for a removed user too. */
  readonly isDisabled: boolean
  readonly isRemoved: boolean
  readonly lastSignInAt: number | undefined
  readonly memberships: readonly Membership[]
}

const PLATFORM_USERS = sql`SELECT u.*, (SELECT MAX(l.last_used_at) FROM login_methods l
  WHERE l.user_id = u.id) AS last_sign_in_at FROM users u`

/** The users of these rows, with the accounts of each by name. */
async function platformUsersOf(db: Database, rows: readonly Row[]): Promise<PlatformUser[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => text(row, 'id'))
  const joined =
    await db.read(sql`SELECT u.id, ${MEMBERSHIP_COLUMNS} FROM users u ${WITH_MEMBERSHIPS}
    WHERE u.id IN (${list(ids)}) ORDER BY a.name, a.id`)
  const ofUser = Map.groupBy(joined, (row) => text(row, 'id'))
  return rows.map((row) => ({
    ...userOf(row),
    isDisabled: row.disabled_at !== null,
    isRemoved: row.removed_at !== null,
    lastSignInAt: optionalInteger(row, 'last_sign_in_at'),
    memberships: membershipsOf(ofUser.get(text(row, 'id')) ?? []),
  }))
}

/** A disabled user too. */
export async function findPlatformUser(
  db: Database,
  where: { readonly id: string } | { readonly email: string },
): Promise<PlatformUser | undefined> {
  const condition = 'id' in where ? sql`u.id = ${where.id}` : sql`u.email = ${where.email}`
  const [user] = await platformUsersOf(db, await db.read(sql`${PLATFORM_USERS} WHERE ${condition}`))
  return user
}

export interface UserFilters {
  /** The address is normalized. */
  readonly email: string | undefined
  /** The text is part of the name or of the address. */
  readonly q: string | undefined
  readonly role: PlatformRole | undefined
  readonly isDisabled: boolean | undefined
}

export async function listPlatformUsers(
  db: Database,
  { email, q, role, isDisabled }: UserFilters,
  { limit, ...page }: Pick<VisiblePage, 'cursor' | 'limit' | 'isByName'>,
): Promise<PlatformUser[]> {
  const order = orderOf('users', page)
  const ofState =
    isDisabled === undefined
      ? ALWAYS
      : isDisabled
        ? sql`u.disabled_at IS NOT NULL`
        : sql`u.disabled_at IS NULL`
  const isFound =
    q === undefined ? ALWAYS : sql`(${hasText(sql`u.name`, q)} OR ${hasText(sql`u.email`, q)})`
  const rows = await db.read(
    sql`${PLATFORM_USERS} WHERE ${order.isAfter}
      AND ${email === undefined ? ALWAYS : sql`u.email = ${email}`}
      AND ${role === undefined ? ALWAYS : sql`u.role = ${role}`} AND ${ofState} AND ${isFound}
      ORDER BY ${order.columns} LIMIT ${limit}`,
  )
  return platformUsersOf(db, rows)
}

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
 * This statement comes first in every write that inserts, deletes or uses a login method: the second of two
 * such writes waits here and then sees what the first has done.
 */
export const lockUserStatement = (id: string): Statement =>
  sql`UPDATE users SET updated_at = updated_at WHERE id = ${id}`

/** The same write must end the sign-ins of the user. */
export const disableUserStatement = (id: string, now: number): Statement =>
  sql`UPDATE users SET disabled_at = ${now} WHERE id = ${id} AND disabled_at IS NULL`

/** An administrator of the platform decides these about a user. */
export interface UserAccess {
  readonly role: PlatformRole
  readonly isDisabled: boolean
  /** The same write must delete what the user had. Only an invitation brings a removed user back. */
  readonly isRemoved?: true
}

/**
 * Settles races between writes that take administrators away: the second waits here, and its update
 * then sees what the first has left. The first user is never deleted, so the row is always the same.
 */
const LOCK_ADMINISTRATORS = sql`UPDATE users SET updated_at = updated_at
  WHERE id = (SELECT MIN(id) FROM users)`

/** Another user administers the platform. The account for emergencies does not count. */
const isOtherAdministratorLeft = (id: string): Statement =>
  sql`EXISTS (SELECT 1 FROM users other WHERE other.id <> ${id} AND other.role = 'admin'
    AND other.disabled_at IS NULL AND other.emergency_at IS NULL)`

/**
 * Changes role and state of the user as it was read. The second statement returns the row, or nothing:
 * the user was changed or removed since, is the account for emergencies, or would leave no administrator.
 */
export function updateUserAccessStatements(
  stored: PlatformUser,
  { role, isDisabled, isRemoved }: UserAccess,
  now: number,
  updatedAt: number,
): [Statement, Statement] {
  const leavesAdministrator =
    role === 'admin' && !isDisabled
      ? ALWAYS
      : sql`(role <> 'admin' OR disabled_at IS NOT NULL OR ${isOtherAdministratorLeft(stored.id)})`
  const disabledAt = isDisabled ? sql`COALESCE(disabled_at, ${now})` : sql`NULL`
  const administeredUntil =
    role === 'admin'
      ? sql`administered_until`
      : sql`CASE WHEN role = 'admin' THEN ${now + FORMER_ADMINISTRATOR_MS} ELSE administered_until END`
  return [
    LOCK_ADMINISTRATORS,
    sql`UPDATE users SET role = ${role}, updated_at = ${updatedAt}, disabled_at = ${disabledAt},
        removed_at = ${isRemoved ? now : null}, administered_until = ${administeredUntil}
      WHERE id = ${stored.id} AND updated_at = ${stored.updatedAt} AND emergency_at IS NULL
        AND removed_at IS NULL AND ${leavesAdministrator} RETURNING id`,
  ]
}

/** The time for which a reset of a person who administered something stays one of an administrator. Security V22. */
const FORMER_ADMINISTRATOR_MS = 30 * 86_400_000

/** Marks the administrators before the change, in a write that takes memberships or their role. */
export const markAdministratorsStatement = (membership: Statement, now: number): Statement =>
  sql`UPDATE users SET administered_until = ${now + FORMER_ADMINISTRATOR_MS}
    WHERE id IN (SELECT user_id FROM members
      WHERE ${membership} AND role = 'admin' AND invited_at IS NULL)`

/** A notice to all of them reaches at most this many. */
const MAX_NOTIFIED = 50

/**
 * The administrators of the platform when the user is one, and those of every account that the user administers, the
 * user too: none for a user who administers nothing. The account for emergencies does not count. For a user who was an
 * administrator lately, it lists both: otherwise one takes the role of the other first. Security V22.
 */
export async function listFellowAdministrators(
  db: Database,
  userId: string,
  now: number,
): Promise<User[]> {
  const wasOne = sql`COALESCE(self.administered_until, 0) > ${now}`
  const rows = await db.read(
    sql`SELECT u.* FROM users u WHERE u.disabled_at IS NULL AND u.emergency_at IS NULL AND u.id IN (
        SELECT self.id FROM users self WHERE self.id = ${userId} AND ${wasOne}
        UNION SELECT fellow.id FROM users self JOIN users fellow ON fellow.role = 'admin'
          WHERE self.id = ${userId} AND (self.role = 'admin' OR ${wasOne})
        UNION SELECT fellow.user_id FROM users self
          JOIN members own ON own.user_id = self.id AND own.invited_at IS NULL
          JOIN accounts a ON a.id = own.account_id AND a.deleted_at IS NULL
          JOIN members fellow ON fellow.account_id = own.account_id AND fellow.role = 'admin'
            AND fellow.invited_at IS NULL
          WHERE self.id = ${userId} AND (own.role = 'admin' OR ${wasOne}))
      ORDER BY u.id LIMIT ${MAX_NOTIFIED}`,
  )
  return rows.map(userOf)
}

export async function isLastAdministrator(db: Database, id: string): Promise<boolean> {
  const row = await readOne(
    db,
    sql`SELECT u.id FROM users u WHERE u.id = ${id} AND u.role = 'admin' AND u.disabled_at IS NULL
      AND NOT ${isOtherAdministratorLeft(id)}`,
  )
  return row !== undefined
}

/** The condition is true where the user is disabled. */
export const isDisabledUser = (id: string): Statement =>
  sql`EXISTS (SELECT 1 FROM users d WHERE d.id = ${id} AND d.disabled_at IS NOT NULL)`

/** The condition is true where the user is removed. */
export const isRemovedUser = (id: string): Statement =>
  sql`EXISTS (SELECT 1 FROM users d WHERE d.id = ${id} AND d.removed_at IS NOT NULL)`

/**
 * Makes a removed user one who was never invited; returns their id when it did. It runs after
 * {@link lockUserStatement}, so that a removal that runs now is over. It sets the address, because the user
 * may have been erased meanwhile.
 */
export const restoreRemovedUserStatement = (
  id: string,
  { email, name, role }: Pick<User, 'email' | 'name' | 'role'>,
  now: number,
): Statement =>
  sql`UPDATE users SET disabled_at = NULL, removed_at = NULL, email = ${email}, name = ${name},
      role = ${role}, updated_at = ${now}
    WHERE id = ${id} AND removed_at IS NOT NULL RETURNING id`

/** Puts the id in place of name and address of a removed user; returns the id when it did. */
export const eraseUserStatement = (id: string, updatedAt: number): Statement =>
  sql`UPDATE users SET email = id, name = id, updated_at = ${updatedAt}
    WHERE id = ${id} AND removed_at IS NOT NULL RETURNING id`

/** Nothing changes for a user who belongs to another account too, or runs the platform. */
export const updateNameInOnlyAccountStatement = (
  id: string,
  accountId: string,
  name: string,
  now: number,
): Statement =>
  sql`UPDATE users SET name = ${name}, updated_at = ${now}
    WHERE id = ${id} AND role = 'member' AND emergency_at IS NULL AND disabled_at IS NULL
      AND name <> ${name} AND EXISTS (SELECT 1 FROM members own
        WHERE own.user_id = ${id} AND own.account_id = ${accountId} AND own.invited_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM members other
        WHERE other.user_id = ${id} AND other.account_id <> ${accountId})`

/** Returns undefined when the user was changed or disabled since `stored` was read. */
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

/** The condition: the user was invited to something before this time, never had access, and waits for none. */
const neverHadAccess = (createdBefore: number, now: number): Statement =>
  sql`u.created_at < ${createdBefore} AND u.email <> u.id AND u.role = 'member'
    AND u.emergency_at IS NULL AND u.disabled_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM directory_members d WHERE d.user_id = u.id)
    AND NOT EXISTS (SELECT 1 FROM login_methods l WHERE l.user_id = u.id)
    AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.id)
    AND NOT EXISTS (SELECT 1 FROM invitations i
      WHERE i.user_id = u.id AND i.used_at IS NULL AND i.expires_at > ${now})`

interface NeverHadAccess {
  readonly createdBefore: number
  readonly now: number
  readonly limit: number
}

/** Removes and erases users whom an invitation has made, and who did not come. Returns their ids. */
export async function eraseUninvited(
  db: Database,
  { createdBefore, now, limit }: NeverHadAccess,
): Promise<string[]> {
  const isOver = neverHadAccess(createdBefore, now)
  const found = await db.read(sql`SELECT u.id FROM users u WHERE ${isOver} LIMIT ${limit}`)
  const erased: string[] = []
  for (const row of found) {
    const id = text(row, 'id')
    // The lock first: who is invited at this moment is invited then, and stays.
    const [, done = []] = await db.write(
      lockUserStatement(id),
      sql`UPDATE users AS u SET email = u.id, name = u.id, disabled_at = ${now}, removed_at = ${now},
          updated_at = ${now} WHERE u.id = ${id} AND ${isOver} RETURNING id`,
    )
    if (done.length > 0) erased.push(id)
  }
  return erased
}
