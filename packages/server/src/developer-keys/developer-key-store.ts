// The SQL of developer keys. Stores and reads hashes only. A key is found with its user, and with the membership
// in its account unless that began after the key. Decision 95, security K01.
import { type Database, type Row, readOne } from '../db/database.ts'
import { insertWithinStatements, isOverLimit } from '../db/record-limit.ts'
import { integer, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, concerning, sql } from '../db/sql.ts'
import { MAX_DEVELOPER_KEYS } from '../kernel/record-limits.ts'
import { MEMBERSHIP_COLUMNS, membershipsOf, userOf } from '../users/user-store.ts'
import type { DeveloperKey, KeyHolder } from './developer-key.ts'

const KEY_COLUMNS = sql`k.id AS key_id, k.user_id, k.account_id AS key_account_id,
  b.name AS key_account_name, k.token_hash, k.name AS key_name, k.created_at AS key_created_at,
  k.expires_at AS key_expires_at, k.last_used_at AS key_last_used_at`

const keyOf = (row: Row): DeveloperKey => ({
  id: text(row, 'key_id'),
  userId: text(row, 'user_id'),
  account: { id: text(row, 'key_account_id'), name: text(row, 'key_account_name') },
  tokenHash: text(row, 'token_hash'),
  name: text(row, 'key_name'),
  createdAt: integer(row, 'key_created_at'),
  expiresAt: integer(row, 'key_expires_at'),
  lastUsedAt: optionalInteger(row, 'key_last_used_at'),
})

export async function listDeveloperKeys(db: Database, userId: string): Promise<DeveloperKey[]> {
  const rows = await db.read(
    sql`SELECT ${KEY_COLUMNS} FROM developer_keys k JOIN accounts b ON b.id = k.account_id
      WHERE k.user_id = ${userId} ORDER BY k.id`,
  )
  return rows.map(keyOf)
}

export async function findKeyHolder(db: Database, id: string): Promise<KeyHolder | undefined> {
  const row = await readOne(
    db,
    sql`SELECT u.*, ${KEY_COLUMNS}, ${MEMBERSHIP_COLUMNS} FROM developer_keys k
      JOIN users u ON u.id = k.user_id JOIN accounts b ON b.id = k.account_id
      LEFT JOIN members m ON m.user_id = k.user_id AND m.account_id = k.account_id
        AND m.invited_at IS NULL AND m.created_at <= k.created_at
      LEFT JOIN accounts a ON a.id = m.account_id AND a.deleted_at IS NULL WHERE k.id = ${id}`,
  )
  if (!row) return undefined
  return {
    key: keyOf(row),
    user: userOf(row),
    isDisabled: row.disabled_at !== null,
    membership: membershipsOf([row])[0],
    isClosed: optionalText(row, 'required_providers') !== undefined,
  }
}

export const updateKeyLastUsed = (db: Database, id: string, now: number) =>
  db.write(sql`UPDATE developer_keys SET last_used_at = ${now} WHERE id = ${id}`)

/**
 * Returns false when the user has as many as they may, and undefined when the sign-in has ended. The sign-in
 * that makes it is held: what ends the sign-ins of the user at this moment then sees the key and deletes it.
 */
export async function insertDeveloperKey(
  db: Database,
  key: DeveloperKey,
  signInId: string,
): Promise<boolean | undefined> {
  const { id, userId, account, createdAt } = key
  const limit = {
    ...({ ownerTable: 'users', ownerId: userId, table: 'developer_keys' } as const),
    ...({ ownerColumn: 'user_id', isCounted: ALWAYS, max: MAX_DEVELOPER_KEYS } as const),
  }
  const insert = sql`INSERT INTO developer_keys
      (id, user_id, account_id, token_hash, name, created_at, expires_at)
    SELECT CAST(${id} AS TEXT), u.id, CAST(${account.id} AS TEXT), CAST(${key.tokenHash} AS TEXT),
      CAST(${key.name} AS TEXT), CAST(${createdAt} AS BIGINT), CAST(${key.expiresAt} AS BIGINT)
    FROM users u WHERE u.id = ${userId} AND u.disabled_at IS NULL AND EXISTS (SELECT 1
      FROM sign_ins s WHERE s.id = ${signInId} AND s.ended_at IS NULL) RETURNING id`
  const [lock, ...guarded] = insertWithinStatements(limit, id, insert)
  const [, , inserted = [], removed = []] = await db.write(
    ...(lock ? [lock] : []),
    concerning(
      signInId,
      sql`UPDATE sign_ins SET last_seen_at = last_seen_at WHERE id = ${signInId}`,
    ),
    ...guarded,
  )
  if (inserted.length === 0) return undefined
  return !isOverLimit([[], [], removed])
}

/** Returns the account of the key; undefined when the user has no such key. */
export async function deleteDeveloperKey(
  db: Database,
  userId: string,
  id: string,
): Promise<string | undefined> {
  const [[deleted] = []] = await db.write(
    sql`DELETE FROM developer_keys WHERE id = ${id} AND user_id = ${userId} RETURNING account_id`,
  )
  return deleted && text(deleted, 'account_id')
}
