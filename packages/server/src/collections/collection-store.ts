// The SQL of collections and their published versions. Publishing increments the counter in the row
// of the collection first and inserts the version from it, so that parallel publishes get
// consecutive numbers on both engines. Never updates a published version. Security U03.
import { type Database, type Row, readOne, writeOne } from '../db/database.ts'
import { readVisiblePage, type VisiblePage } from '../db/page.ts'
import { insertWithinStatements, isOverLimit, type RowLimit } from '../db/record-limit.ts'
import { integer, json, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import type {
  Collection,
  CollectionSummary,
  CollectionVersion,
  VersionSummary,
} from './collection.ts'

const summaryOf = (row: Row): CollectionSummary => ({
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  name: text(row, 'name'),
  description: text(row, 'description'),
  latestVersion: integer(row, 'latest_version'),
  createdAt: integer(row, 'created_at'),
  updatedAt: integer(row, 'updated_at'),
})

const collectionOf = (row: Row): Collection => ({ ...summaryOf(row), draft: json(row, 'draft') })

const versionSummaryOf = (row: Row): VersionSummary => ({
  collectionId: text(row, 'collection_id'),
  version: integer(row, 'version'),
  notes: text(row, 'notes'),
  publishedBy: text(row, 'published_by'),
  publishedAt: integer(row, 'published_at'),
})

const versionOf = (row: Row): CollectionVersion => ({
  ...versionSummaryOf(row),
  content: json(row, 'content'),
})

/** A draft can have 256 KB, so a list does not read it. [V02] */
const SUMMARY_COLUMNS = sql`id, account_id, name, description, latest_version, created_at, updated_at`

export const insertCollectionStatement = (collection: Collection): Statement =>
  sql`INSERT INTO collections (id, account_id, name, description, draft, latest_version,
      created_at, updated_at)
    VALUES (${collection.id}, ${collection.accountId}, ${collection.name},
      ${collection.description}, ${JSON.stringify(collection.draft)}, 0, ${collection.createdAt},
      ${collection.updatedAt})`

/** False when the account has its most collections already. */
export async function insertCollection(
  db: Database,
  collection: Collection,
  max: number,
): Promise<boolean> {
  const limit: RowLimit = {
    ownerTable: 'accounts',
    ownerId: collection.accountId,
    table: 'collections',
    ownerColumn: 'account_id',
    isCounted: sql`deleted_at IS NULL`,
    max,
  }
  const insert = insertCollectionStatement(collection)
  return !isOverLimit(await db.write(...insertWithinStatements(limit, collection.id, insert)))
}

export async function findCollection(db: Database, id: string): Promise<Collection | undefined> {
  const row = await readOne(
    db,
    sql`SELECT * FROM collections WHERE id = ${id} AND deleted_at IS NULL`,
  )
  return row && collectionOf(row)
}

export async function listCollections(
  db: Database,
  page: VisiblePage,
): Promise<CollectionSummary[]> {
  return (await readVisiblePage(db, 'collections', page, SUMMARY_COLUMNS)).map(summaryOf)
}

/** Replaces the changeable columns. False when it was changed since `seenUpdatedAt`. */
export async function updateCollection(
  db: Database,
  collection: Collection,
  seenUpdatedAt: number,
): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`UPDATE collections SET name = ${collection.name},
        description = ${collection.description}, draft = ${JSON.stringify(collection.draft)},
        updated_at = ${collection.updatedAt}
      WHERE id = ${collection.id} AND updated_at = ${seenUpdatedAt} AND deleted_at IS NULL
      RETURNING id`,
  )
  return row !== undefined
}

/** False when it was changed or deleted since it was read, or when an account uses it. */
export async function deleteCollection(
  db: Database,
  { id, updatedAt }: Collection,
  now: number,
): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`UPDATE collections SET deleted_at = ${now}
      WHERE id = ${id} AND updated_at = ${updatedAt} AND deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM accounts WHERE collection_id = ${id} AND deleted_at IS NULL)
      RETURNING id`,
  )
  return row !== undefined
}

export async function isCollectionInUse(db: Database, id: string): Promise<boolean> {
  const account = sql`SELECT id FROM accounts
    WHERE collection_id = ${id} AND deleted_at IS NULL LIMIT 1`
  return (await readOne(db, account)) !== undefined
}

/**
 * Publishes the draft as the next version if it was not changed since `updatedAt`; the second
 * statement returns the version. `updatedAt` stays, so parallel publishes do not conflict.
 */
export const publishDraftStatements = (
  { id, updatedAt }: Pick<Collection, 'id' | 'updatedAt'>,
  notes: string,
  by: string,
  now: number,
  max = Number.MAX_SAFE_INTEGER,
): Statement[] => [
  sql`UPDATE collections SET latest_version = latest_version + 1
      WHERE id = ${id} AND updated_at = ${updatedAt} AND deleted_at IS NULL
        AND latest_version < ${max}`,
  // Nothing where the statement before changed nothing: that version is stored already.
  sql`INSERT INTO collection_versions (collection_id, version, notes, content, published_by,
        published_at)
      SELECT c.id, c.latest_version, ${notes}, c.draft, ${by}, ${now} FROM collections c
        WHERE c.id = ${id} AND c.updated_at = ${updatedAt} AND c.deleted_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM collection_versions v
            WHERE v.collection_id = c.id AND v.version = c.latest_version)
      RETURNING *`,
]

/** Undefined when the draft was changed or deleted since it was read, or `max` are published. `events` go with it. */
export async function insertVersion(
  db: Database,
  collection: Collection,
  { notes, by, now }: { readonly notes: string; readonly by: string; readonly now: number },
  max: number,
  events: readonly Statement[] = [],
): Promise<CollectionVersion | undefined> {
  const publish = publishDraftStatements(collection, notes, by, now, max)
  const [, rows] = await db.write(...publish, ...events)
  return rows?.[0] && versionOf(rows[0])
}

/**
 * Where it is true, this draft was published as the version after the latest that was read, and the account `a`
 * runs the latest. Of parallel publishes of one draft it holds for the first, whose version changes something.
 */
export const runsPublished = ({ id, updatedAt, latestVersion }: Collection): Statement =>
  sql`a.collection_id = ${id} AND a.collection_version IS NULL AND a.deleted_at IS NULL
    AND EXISTS (SELECT 1 FROM collections c WHERE c.id = ${id} AND c.updated_at = ${updatedAt}
      AND c.deleted_at IS NULL AND c.latest_version = ${latestVersion + 1})`

/** One published version; `latest` is the newest. */
export async function findVersion(
  db: Database,
  collectionId: string,
  version: number | 'latest',
): Promise<CollectionVersion | undefined> {
  const row =
    version === 'latest'
      ? await readOne(
          db,
          sql`SELECT v.* FROM collection_versions v JOIN collections c
            ON c.id = v.collection_id AND c.latest_version = v.version WHERE c.id = ${collectionId}`,
        )
      : await readOne(
          db,
          sql`SELECT * FROM collection_versions
            WHERE collection_id = ${collectionId} AND version = ${version}`,
        )
  return row && versionOf(row)
}

/** Versions below `before`, newest first, without their content. */
export async function listVersions(
  db: Database,
  collectionId: string,
  before: number,
  limit: number,
): Promise<VersionSummary[]> {
  const rows = await db.read(
    sql`SELECT collection_id, version, notes, published_by, published_at FROM collection_versions
      WHERE collection_id = ${collectionId} AND version < ${before}
      ORDER BY version DESC LIMIT ${limit}`,
  )
  return rows.map(versionSummaryOf)
}
