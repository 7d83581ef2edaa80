// The SQL of login methods: how a person's list is read, how one is found by what it proves, and how
// one goes. A password leaves here only as the hash that it is stored as. New ones are stored with
// the invitation that allows them (invitation-store.ts).

import { type Database, type Row, readOne, writeOne } from '../db/database.ts'
import { integer, json, optionalInteger, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import { lockUserStatement } from '../users/user-store.ts'
import type { LoginMethod, LoginMethodKind, NewLoginMethod } from './login-method.ts'

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

/** The method that this subject belongs to, of a person who may sign in. */
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

/** Replaces what is kept of a passkey, unless somebody else has done so meanwhile. */
export async function updateMethodDetails(
  db: Database,
  id: string,
  seen: object,
  details: object,
): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`UPDATE login_methods SET details = ${JSON.stringify(details)} WHERE id = ${id} AND details = ${JSON.stringify(seen)} RETURNING id`,
  )
  return row !== undefined
}

/**
 * Stores the first method of a person who has none, and accepts their invitations that still stand:
 * they have proven that the address of the invitations is theirs.
 * @throws UniqueViolation when the subject belongs to somebody already.
 */
export async function insertFirstMethod(
  db: Database,
  userId: string,
  { id, kind, label, subject }: NewLoginMethod,
  now: number,
): Promise<boolean> {
  const [, rows] = await db.write(
    lockUserStatement(userId),
    sql`INSERT INTO login_methods (id, user_id, kind, label, subject, created_at)
        SELECT CAST(${id} AS TEXT), u.id, CAST(${kind} AS TEXT), CAST(${label} AS TEXT), CAST(${subject ?? null} AS TEXT),
          CAST(${now} AS BIGINT)
        FROM users u WHERE u.id = ${userId} AND u.disabled_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM login_methods l WHERE l.user_id = u.id) RETURNING id`,
    sql`UPDATE invitations SET used_at = ${now}, method_id = ${id} WHERE user_id = ${userId}
        AND purpose = 'membership' AND used_at IS NULL AND expires_at > ${now}
        AND EXISTS (SELECT 1 FROM login_methods l WHERE l.id = ${id})`,
    sql`UPDATE members SET invited_at = NULL WHERE user_id = ${userId}
        AND EXISTS (SELECT 1 FROM invitations i WHERE i.account_id = members.account_id
          AND i.user_id = members.user_id AND i.method_id = ${id})`,
  )
  return rows?.length === 1
}

/** True while this is a method of the person and not the last. */
export const isRemovable = (
  userId: string,
  id: string,
): Statement => sql`EXISTS (SELECT 1 FROM login_methods l WHERE l.id = ${id} AND l.user_id = ${userId})
    AND EXISTS (SELECT 1 FROM login_methods o WHERE o.user_id = ${userId} AND o.id <> ${id})`

/**
 * Removes a person's method unless it is the last. Gives what each of `more` returned, which stand
 * under {@link isRemovable} and come first, or undefined when it stays.
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
