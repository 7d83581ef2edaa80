// The SQL of accounts. Deleting one ends its EHR sessions and launches in the same write; its audit
// trail stays. No statement finds a deleted account.

import { type Database, type Row, readOne } from '../db/database.ts'
import { readVisiblePage, type VisiblePage } from '../db/page.ts'
import { integer, json, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, type Remembered, remember, type Statement, sql } from '../db/sql.ts'
import { partOf } from '../kernel/partitions.ts'
import { endSessionsStatements } from '../liveness/liveness-store.ts'
import type { Account } from './account.ts'
import { deleteProblemReportsStatement } from './problem-report-store.ts'

function accountOf(row: Row): Account {
  const collectionId = optionalText(row, 'collection_id')
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    externalId: optionalText(row, 'external_id'),
    shortName: optionalText(row, 'short_name'),
    collection:
      collectionId === undefined
        ? undefined
        : { id: collectionId, version: optionalInteger(row, 'collection_version') ?? 'latest' },
    requireSecondFactor: row.second_factor_required_at !== null,
    joinByDomain: row.join_by_domain === 'provider' ? 'provider' : 'off',
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
  }
}

/** This statement comes first in a write that counts the members of the account: the second of two waits here. */
export const lockAccountStatement = (id: string): Statement =>
  sql`UPDATE accounts SET updated_at = updated_at WHERE id = ${id}`

export const insertAccountStatement = (account: Account): Statement =>
  sql`INSERT INTO accounts (id, name, external_id, short_name, collection_id,
      collection_version, second_factor_required_at, join_by_domain, created_at, updated_at)
    VALUES (${account.id}, ${account.name}, ${account.externalId ?? null}, ${account.shortName ?? null},
      ${account.collection?.id ?? null}, ${pinnedVersion(account)}, ${requiredAt(account)},
      ${joinsBy(account)}, ${account.createdAt}, ${account.updatedAt})`

const requiredAt = ({ requireSecondFactor, updatedAt }: Account) =>
  requireSecondFactor ? updatedAt : null

const joinsBy = ({ joinByDomain }: Account) => (joinByDomain === 'off' ? null : joinByDomain)

const pinnedVersion = ({ collection }: Account) =>
  collection === undefined || collection.version === 'latest' ? null : collection.version

export async function findAccount(db: Database, id: string): Promise<Account | undefined> {
  const found = sql`SELECT * FROM accounts WHERE id = ${id} AND deleted_at IS NULL`
  const row = await readOne(db, remember(found, ACCOUNT_ROWS))
  return row && accountOf(row)
}

/** The row is read for each EHR session. */
const ACCOUNT_ROWS: Remembered = {
  name: 'account',
  tables: ['accounts'],
  recordsOf: (rows) => rows.map((row) => text(row, 'id')),
}

export async function findAccountByExternalId(
  db: Database,
  externalId: string,
): Promise<Account | undefined> {
  const row = await readOne(
    db,
    sql`SELECT * FROM accounts WHERE external_id = ${externalId} AND deleted_at IS NULL`,
  )
  return row && accountOf(row)
}

export async function listAccounts(db: Database, page: VisiblePage): Promise<Account[]> {
  return (await readVisiblePage(db, 'accounts', page)).map(accountOf)
}

/** A change of the collection of an account writes the events of the vendors of its apps with it. */
export interface AppsChange {
  /** A publish waits for it, and then sees the account as it is. */
  readonly locks: readonly Statement[]
  /** The condition is true while the versions that were compared are still the latest. */
  readonly isSeen: Statement
  readonly events: readonly Statement[]
}

const NO_CHANGE: AppsChange = { locks: [], isSeen: ALWAYS, events: [] }

/**
 * Replaces the account; false when it was changed or deleted since `seenUpdatedAt`.
 * @throws UniqueViolation when another account has the short name
 */
export async function updateAccount(
  db: Database,
  account: Account,
  seenUpdatedAt: number,
  { locks, isSeen, events }: AppsChange = NO_CHANGE,
): Promise<boolean> {
  const results = await db.write(
    ...locks,
    sql`UPDATE accounts SET name = ${account.name}, short_name = ${account.shortName ?? null},
        collection_id = ${account.collection?.id ?? null},
        collection_version = ${pinnedVersion(account)},
        second_factor_required_at = ${requiredAt(account)},
        join_by_domain = ${joinsBy(account)}, updated_at = ${account.updatedAt}
      WHERE id = ${account.id} AND updated_at = ${seenUpdatedAt} AND deleted_at IS NULL
        AND ${isSeen} RETURNING id`,
    ...events,
  )
  return results[locks.length]?.length === 1
}

type Choice = NonNullable<Account['collection']>

/**
 * Whether the version `v` is given to an account. Identifiers are the only texts in the list, so the quotes end
 * each of them.
 */
const isGiven = (pattern: Statement): Statement =>
  sql`(v.audience IS NULL OR v.audience LIKE ${pattern})`

/** The newest version that is given to it is the latest one of an account. */
const isGivenTo = (accountId: string): Statement => isGiven(sql`${`%"${accountId}"%`}`)

/** The latest version of the account `a` among those below `before`; 0 without one. */
export const latestBelow = (collectionId: string, before: number): Statement =>
  sql`(SELECT COALESCE(MAX(v.version), 0) FROM collection_versions v
    WHERE v.collection_id = ${collectionId} AND v.version < ${before}
      AND ${isGiven(sql`'%"' || a.id || '"%'`)})`

/** The apps of the version that an account runs with this choice. */
export async function findRunApps(
  db: Database,
  accountId: string,
  choice: Choice | undefined,
): Promise<{ readonly version: number; readonly appIds: readonly string[] } | undefined> {
  if (!choice) return undefined
  const row = await readOne(
    db,
    sql`SELECT v.version, v.content FROM collection_versions v
      WHERE v.collection_id = ${choice.id} AND ${isRunBy(accountId, choice.version)}
      ORDER BY v.version DESC LIMIT 1`,
  )
  if (!row) return undefined
  const { apps } = json<{ readonly apps: readonly { readonly appId: string }[] }>(row, 'content')
  return { version: integer(row, 'version'), appIds: apps.map(({ appId }) => appId) }
}

export const lockCollectionStatement = (id: string): Statement =>
  sql`UPDATE collections SET updated_at = updated_at WHERE id = ${id}`

/** The first of these versions `v`, newest first, is the one that the account runs. */
export const isRunBy = (accountId: string, version: number | 'latest'): Statement =>
  version === 'latest' ? isGivenTo(accountId) : sql`v.version = ${version}`

/** The condition is true when this published version is given to all accounts, or to this one. */
export const isVersionGiven = (accountId: string, id: string, version: number): Statement =>
  sql`EXISTS (SELECT 1 FROM collection_versions v
    WHERE v.collection_id = ${id} AND v.version = ${version} AND ${isGivenTo(accountId)})`

export const isTrue = async (db: Database, condition: Statement): Promise<boolean> =>
  (await db.read(sql`SELECT 1 AS one WHERE ${condition}`)).length > 0

export const isLatestOf = (accountId: string, id: string, version: number): Statement =>
  sql`(SELECT MAX(v.version) FROM collection_versions v WHERE v.collection_id = ${id}
    AND ${isGivenTo(accountId)}) = ${version}`

/** The condition is true while the account `a` is as this change left it. */
export const isChangedTo = (account: Account): Statement =>
  sql`a.id = ${account.id} AND a.updated_at = ${account.updatedAt} AND a.deleted_at IS NULL
    AND COALESCE(a.collection_id, '') = ${account.collection?.id ?? ''}
    AND COALESCE(a.collection_version, 0) = ${pinnedVersion(account) ?? 0}`

export const isDeletedAt = (id: string, at: number): Statement =>
  sql`a.id = ${id} AND a.deleted_at = ${at}`

/**
 * Returns the ids of the EHR sessions that it ended; undefined when it was changed or deleted since. `events` are
 * written with it.
 */
export async function deleteAccount(
  db: Database,
  { id, updatedAt }: Account,
  now: number,
  events: readonly Statement[] = [],
): Promise<string[] | undefined> {
  const [accounts, sessions = []] = await db.write(
    sql`UPDATE accounts SET deleted_at = ${now}
      WHERE id = ${id} AND updated_at = ${updatedAt} AND deleted_at IS NULL RETURNING id`,
    ...endSessionsStatements(
      {
        parts: [partOf(id)],
        condition: sql`e.account_id IN
          (SELECT id FROM accounts WHERE id = ${id} AND deleted_at IS NOT NULL)`,
      },
      { at: now, reason: 'account_closed' },
    ),
    deleteProblemReportsStatement(id),
    // No one signs in at its providers any more, so nothing needs their client secrets.
    sql`UPDATE identity_providers SET sealed = NULL WHERE account_id = ${id}
      AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = ${id} AND a.deleted_at IS NOT NULL)`,
    sql`DELETE FROM webhooks WHERE account_id = ${id}
      AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = ${id} AND a.deleted_at IS NOT NULL)`,
    sql`DELETE FROM domains WHERE account_id = ${id}
      AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = ${id} AND a.deleted_at IS NOT NULL)`,
    ...events,
  )
  return accounts?.length === 1 ? sessions.map((row) => text(row, 'id')) : undefined
}

/** The account that owns a collection, if this version of it (`latest`: any version) is published. */
export async function findVersionOwner(
  db: Database,
  collectionId: string,
  version: number | 'latest',
): Promise<string | undefined> {
  const row = await readOne(
    db,
    sql`SELECT c.account_id FROM collections c JOIN collection_versions v ON v.collection_id = c.id
      WHERE c.id = ${collectionId} AND c.deleted_at IS NULL
        AND v.version = COALESCE(${version === 'latest' ? null : version}, c.latest_version)`,
  )
  return row && text(row, 'account_id')
}

/** Returns undefined when there never was such an account. */
export async function isAccountDeleted(db: Database, id: string): Promise<boolean | undefined> {
  const row = await readOne(db, sql`SELECT deleted_at FROM accounts WHERE id = ${id}`)
  return row && row.deleted_at !== null
}

/** Puts the id in place of the name of a deleted account. */
export const eraseAccountStatement = (id: string): Statement =>
  sql`UPDATE accounts SET name = id, external_id = NULL, short_name = NULL
    WHERE id = ${id} AND deleted_at IS NOT NULL`
