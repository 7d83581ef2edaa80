// The SQL of accounts. Deleting one ends its EHR sessions and launches in the same write; its
// audit trail stays. A deleted account is found by nobody.
import {
  type Database,
  type Row,
  readOne,
  type Statement,
  statement,
  writeOne,
} from '../db/database.ts'
import { readVisiblePage, type VisiblePage } from '../db/page.ts'
import { integer, optionalInteger, optionalText, text } from '../db/row.ts'
import type { Account } from './account.ts'

function accountOf(row: Row): Account {
  const collectionId = optionalText(row, 'collection_id')
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    collection:
      collectionId === undefined
        ? undefined
        : { id: collectionId, version: optionalInteger(row, 'collection_version') ?? 'latest' },
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
  }
}

export const insertAccount = (account: Account): Statement =>
  statement(
    `INSERT INTO accounts (id, name, collection_id, collection_version, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?)`,
    account.id,
    account.name,
    ...collectionColumns(account),
    account.createdAt,
    account.updatedAt,
  )

const collectionColumns = ({ collection }: Account) => [
  collection?.id ?? null,
  collection === undefined || collection.version === 'latest' ? null : collection.version,
]

export async function findAccount(db: Database, id: string): Promise<Account | undefined> {
  const row = await readOne(db, 'SELECT * FROM accounts WHERE id = ? AND deleted_at IS NULL', id)
  return row && accountOf(row)
}

export async function listAccounts(db: Database, page: VisiblePage): Promise<Account[]> {
  return (await readVisiblePage(db, 'accounts', page)).map(accountOf)
}

/** Replaces what may change, unless somebody else changed it since `seenUpdatedAt`. */
export async function updateAccount(
  db: Database,
  account: Account,
  seenUpdatedAt: number,
): Promise<boolean> {
  const row = await writeOne(
    db,
    `UPDATE accounts SET name = ?, collection_id = ?, collection_version = ?, updated_at = ?
      WHERE id = ? AND updated_at = ? AND deleted_at IS NULL RETURNING id`,
    account.name,
    ...collectionColumns(account),
    account.updatedAt,
    account.id,
    seenUpdatedAt,
  )
  return row !== undefined
}

/** Gives the EHR sessions that ended with it; undefined: it was changed or deleted since. */
export async function deleteAccount(
  db: Database,
  { id, updatedAt }: Account,
  now: number,
): Promise<string[] | undefined> {
  const [accounts, sessions = []] = await db.write(
    statement(
      `UPDATE accounts SET deleted_at = ? WHERE id = ? AND updated_at = ? AND deleted_at IS NULL
        RETURNING id`,
      now,
      id,
      updatedAt,
    ),
    statement(
      `UPDATE ehr_sessions SET ended_at = ? WHERE ended_at IS NULL
        AND account_id IN (SELECT id FROM accounts WHERE id = ? AND deleted_at IS NOT NULL)
        RETURNING id`,
      now,
      id,
    ),
    statement(
      `UPDATE launches SET ended_at = ? WHERE ended_at IS NULL AND session_id IN (
        SELECT e.id FROM ehr_sessions e JOIN accounts a ON a.id = e.account_id
          WHERE a.id = ? AND a.deleted_at IS NOT NULL)`,
      now,
      id,
    ),
  )
  return accounts?.length === 1 ? sessions.map((row) => text(row, 'id')) : undefined
}

/** The account that owns a collection, when this version of it is published (`latest`: any is). */
export async function findVersionOwner(
  db: Database,
  collectionId: string,
  version: number | 'latest',
): Promise<string | undefined> {
  const row = await readOne(
    db,
    `SELECT c.account_id FROM collections c JOIN collection_versions v ON v.collection_id = c.id
      WHERE c.id = ? AND c.deleted_at IS NULL AND v.version = COALESCE(?, c.latest_version)`,
    collectionId,
    version === 'latest' ? null : version,
  )
  return row && text(row, 'account_id')
}
