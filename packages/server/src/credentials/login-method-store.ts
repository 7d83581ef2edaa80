// The SQL of login methods. One builder inserts them; a new method of an existing user is inserted with
// the invitation that allows it (invitation-store.ts). A password leaves only as its hash.

import { type Database, type Row, readOne, writeOne } from '../db/database.ts'
import { integer, json, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, type Statement, sql } from '../db/sql.ts'
import type { User } from '../kernel/user.ts'
import { insertUserStatement, lockUserStatement, userOf } from '../users/user-store.ts'
import type { BoundTo, LoginMethod, LoginMethodKind, NewLoginMethod } from './login-method.ts'

const methodOf = (row: Row): LoginMethod => ({
  id: text(row, 'id'),
  userId: text(row, 'user_id'),
  kind: text(row, 'kind') as LoginMethodKind,
  label: text(row, 'label'),
  createdAt: integer(row, 'created_at'),
  lastUsedAt: optionalInteger(row, 'last_used_at'),
})

export async function listLoginMethods(db: Database, userId: string): Promise<LoginMethod[]> {
  const rows = await db.read(sql`SELECT * FROM login_methods WHERE user_id = ${userId} ORDER BY id`)
  return rows.map(methodOf)
}

export interface PasswordLogin {
  readonly user: User
  readonly methodId: string
  readonly passwordHash: string
}

/** The enabled user with this normalised address and their password, when they have one. */
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

/** The login method with this subject, of an enabled user. */
export async function findMethodBySubject<Details>(
  db: Database,
  kind: 'passkey' | 'oidc',
  subject: string,
): Promise<{ method: LoginMethod; details: Details | undefined } | undefined> {
  const row = await readOne(
    db,
    sql`SELECT m.* FROM login_methods m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
      WHERE m.kind = ${kind} AND m.subject = ${subject}`,
  )
  if (!row) return undefined
  return { method: methodOf(row), details: row.details === null ? undefined : json(row, 'details') }
}

/** Replaces the stored passkey; false when it is no longer the one in `seen`. */
export async function updateMethodDetails(
  db: Database,
  id: string,
  seen: object,
  details: object,
): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`UPDATE login_methods SET details = ${JSON.stringify(details)}
      WHERE id = ${id} AND details = ${JSON.stringify(seen)} RETURNING id`,
  )
  return row !== undefined
}

export const updateMethodLastUsedStatement = (methodId: string, now: number): Statement =>
  sql`UPDATE login_methods SET last_used_at = ${now} WHERE id = ${methodId}`

/** Inserts a login method of the user `u` while the condition holds. Returns its id when it did. */
export const insertMethodStatement = (
  userId: string,
  { id, kind, label, passwordHash, subject, details, bound }: NewLoginMethod,
  now: number,
  condition: Statement,
): Statement =>
  sql`INSERT INTO login_methods (id, user_id, kind, label, password_hash, subject, details,
      provider_id, account_id, created_at)
    SELECT CAST(${id} AS TEXT), u.id, CAST(${kind} AS TEXT), CAST(${label} AS TEXT),
      CAST(${passwordHash ?? null} AS TEXT), CAST(${subject ?? null} AS TEXT),
      CAST(${details ?? null} AS TEXT), CAST(${bound?.providerId ?? null} AS TEXT),
      CAST(${bound?.accountId ?? null} AS TEXT), CAST(${now} AS BIGINT)
    FROM users u WHERE u.id = ${userId} AND ${condition} RETURNING id`

/** Inserts a user who signs in with a password. */
export const insertUserWithPasswordStatements = (
  user: User,
  methodId: string,
  passwordHash: string,
): Statement[] => [
  insertUserStatement(user),
  insertMethodStatement(
    user.id,
    { id: methodId, kind: 'password', label: 'Password', passwordHash },
    user.createdAt,
    ALWAYS,
  ),
]

/**
 * Inserts the first login method of a user. It accepts no invitation: any account can invite any
 * address, so the user is asked about each. [V07]
 * @throws UniqueViolation when the subject belongs to another user.
 */
export async function insertFirstMethod(
  db: Database,
  userId: string,
  method: NewLoginMethod,
  now: number,
): Promise<boolean> {
  const hasNone = sql`u.disabled_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM login_methods l WHERE l.user_id = u.id)`
  const [, rows] = await db.write(
    lockUserStatement(userId),
    insertMethodStatement(userId, method, now, hasNone),
  )
  return rows?.length === 1
}

/** Deletes what binds users to a provider of an account: it is gone, or has another issuer. */
export const deleteMethodsOfProviderStatement = (
  providerId: string,
  condition: Statement,
): Statement => sql`DELETE FROM login_methods WHERE provider_id = ${providerId} AND ${condition}`

/**
 * Gives the login method another id, so that no step which it has authenticated before goes on: consent, joining
 * and approval name the method. The binding stays. @param methodId the id that it has now
 */
export const renewMethodStatement = (methodId: string, id: string): Statement =>
  sql`UPDATE login_methods SET id = ${id} WHERE id = ${methodId}`

/** Waits for every write that signs one of the users of this provider in, and makes further ones wait. */
export const lockUsersOfProviderStatement = (providerId: string): Statement =>
  sql`UPDATE users SET updated_at = updated_at
    WHERE id IN (SELECT user_id FROM login_methods WHERE provider_id = ${providerId})`

/** Whether an administrator of the account has signed in at this provider of it. */
export async function hasProvenAdministrator(
  db: Database,
  { providerId, accountId }: Pick<BoundTo, 'providerId' | 'accountId'>,
): Promise<boolean> {
  const row = await readOne(
    db,
    sql`SELECT l.id FROM login_methods l JOIN members m ON m.user_id = l.user_id
        AND m.account_id = ${accountId} AND m.role = 'admin' AND m.invited_at IS NULL
      WHERE l.provider_id = ${providerId} AND l.last_used_at IS NOT NULL LIMIT 1`,
  )
  return row !== undefined
}

/** The condition is true while this is a login method of the user and not the last one. */
export const isRemovable = (userId: string, id: string): Statement =>
  sql`EXISTS (SELECT 1 FROM login_methods l WHERE l.id = ${id} AND l.user_id = ${userId})
    AND EXISTS (SELECT 1 FROM login_methods o WHERE o.user_id = ${userId} AND o.id <> ${id})`

/**
 * Deletes a login method unless it is the last one. `more` runs first, each under {@link isRemovable}.
 * Returns the results of `more`, or undefined when nothing was deleted.
 */
export async function deleteLoginMethod(
  db: Database,
  userId: string,
  id: string,
  more: readonly Statement[] = [],
): Promise<Row[][] | undefined> {
  const results = await db.write(
    lockUserStatement(userId),
    ...more,
    sql`DELETE FROM login_methods WHERE id = ${id} AND ${isRemovable(userId, id)} RETURNING id`,
  )
  return results.at(-1)?.length === 1 ? results.slice(1, -1) : undefined
}
