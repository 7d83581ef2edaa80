// The SQL of collections and their published versions. Publishing increments the counter in the row
// of the collection first and inserts the version from it, so that parallel publishes get
// consecutive numbers on both engines. Of a published version only its audience changes. Security U03.

import type { Account } from '../accounts/account.ts'
import { isRunBy, lockCollectionStatement } from '../accounts/account-store.ts'
import { type Database, type Row, readOne, writeOne } from '../db/database.ts'
import { readVisiblePage, type VisiblePage } from '../db/page.ts'
import { insertWithinStatements, isOverLimit, type RowLimit } from '../db/record-limit.ts'
import { integer, json, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, type Remembered, remember, type Statement, sql } from '../db/sql.ts'
import type {
  Collection,
  CollectionSummary,
  CollectionVersion,
  VersionSummary,
  Widening,
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
  audience: optionalText(row, 'audience') === undefined ? undefined : json(row, 'audience'),
  givenAt: optionalInteger(row, 'audience_at') ?? integer(row, 'published_at'),
  widening: wideningOf(row),
})

function wideningOf(row: Row): Widening | undefined {
  const at = optionalInteger(row, 'widen_at')
  if (at === undefined) return undefined
  const planned = { at, readyPercent: integer(row, 'widen_percent') }
  const stoppedAt = optionalInteger(row, 'widen_stopped_at')
  if (stoppedAt === undefined) return planned
  const use = { ready: integer(row, 'widen_ready'), failed: integer(row, 'widen_failed') }
  return { ...planned, stopped: { at: stoppedAt, ...use } }
}

const audienceText = (audience: readonly string[] | undefined) =>
  audience === undefined ? null : JSON.stringify(audience)

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

/** Returns false when the account has its most collections already. */
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

/** Replaces the changeable columns. Returns false when it was changed since `seenUpdatedAt`. */
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

/** Returns false when it was changed or deleted since it was read, or when an account uses it. */
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
  { audience, widening }: Partial<Pick<Publication, 'audience' | 'widening'>> = {},
): Statement[] => [
  sql`UPDATE collections SET latest_version = latest_version + 1
      WHERE id = ${id} AND updated_at = ${updatedAt} AND deleted_at IS NULL
        AND latest_version < ${max}`,
  // Nothing where the statement before changed nothing: that version is stored already.
  sql`INSERT INTO collection_versions (collection_id, version, notes, content, published_by,
        published_at, audience, widen_at, widen_percent)
      SELECT c.id, c.latest_version, ${notes}, c.draft, ${by}, CAST(${now} AS BIGINT),
        CAST(${audienceText(audience)} AS TEXT), CAST(${widening?.at ?? null} AS BIGINT),
        CAST(${widening?.readyPercent ?? null} AS BIGINT) FROM collections c
        WHERE c.id = ${id} AND c.updated_at = ${updatedAt} AND c.deleted_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM collection_versions v
            WHERE v.collection_id = c.id AND v.version = c.latest_version)
      RETURNING *`,
]

interface Publication {
  readonly notes: string
  readonly by: string
  readonly now: number
  readonly audience: readonly string[] | undefined
  readonly widening: Widening | undefined
}

/** Returns undefined when the draft was changed or deleted meanwhile, or `max` are published. `events` go with it. */
export async function insertVersion(
  db: Database,
  collection: Collection,
  { notes, by, now, ...given }: Publication,
  max: number,
  events: readonly Statement[] = [],
): Promise<CollectionVersion | undefined> {
  const publish = publishDraftStatements(collection, notes, by, now, max, given)
  const [, rows] = await db.write(...publish, ...events)
  return rows?.[0] && versionOf(rows[0])
}

/** The condition is true when the account `a` follows the latest version. */
export const isFollower = (id: string): Statement =>
  sql`a.collection_id = ${id} AND a.collection_version IS NULL AND a.deleted_at IS NULL`

export async function listFollowers(db: Database, id: string): Promise<string[]> {
  const rows = await db.read(sql`SELECT a.id FROM accounts a WHERE ${isFollower(id)}`)
  return rows.map((row) => text(row, 'id'))
}

/**
 * The condition is true where this draft was published as the version after the latest that was read. Of
 * parallel publishes of one draft it holds for the first, whose version changes something.
 */
export const isPublished = ({ id, updatedAt, latestVersion }: Collection): Statement =>
  sql`EXISTS (SELECT 1 FROM collections c WHERE c.id = ${id} AND c.updated_at = ${updatedAt}
      AND c.deleted_at IS NULL AND c.latest_version = ${latestVersion + 1})`

export async function findVersion(
  db: Database,
  collectionId: string,
  version: number,
): Promise<CollectionVersion | undefined> {
  const row = await readOne(
    db,
    sql`SELECT * FROM collection_versions
      WHERE collection_id = ${collectionId} AND version = ${version}`,
  )
  return row && versionOf(row)
}

/**
 * The version that an account runs with its choice: the pinned one, or the newest that is given to it. With
 * `before` it is the newest of those below.
 */
export async function findRunVersion(
  db: Database,
  { id, collection: choice }: Pick<Account, 'id' | 'collection'>,
  before?: number,
): Promise<CollectionVersion | undefined> {
  if (!choice) return undefined
  const isBefore = before === undefined ? ALWAYS : sql`v.version < ${before}`
  const found = sql`SELECT v.* FROM collection_versions v
      WHERE v.collection_id = ${choice.id} AND ${isRunBy(id, choice.version)} AND ${isBefore}
      ORDER BY v.version DESC LIMIT 1`
  const row = await readOne(db, before === undefined ? remember(found, RUN_VERSION_ROWS) : found)
  return row && versionOf(row)
}

/** The rows are read for each EHR session. A write to the table changes all of them: versions are seldom published. */
const RUN_VERSION_ROWS: Remembered = {
  name: 'run version',
  tables: ['collection_versions'],
  recordsOf: () => [],
}

/** Lists the versions that an account may run without the version `before`: down to the newest that is given to all. */
export async function listVersionsBehind(
  db: Database,
  collectionId: string,
  before: number,
): Promise<CollectionVersion[]> {
  const rows = await db.read(
    sql`SELECT * FROM collection_versions v WHERE v.collection_id = ${collectionId}
      AND v.version < ${before} AND v.version >= (SELECT COALESCE(MAX(o.version), 0)
        FROM collection_versions o WHERE o.collection_id = ${collectionId} AND o.version < ${before}
          AND o.audience IS NULL)`,
  )
  return rows.map(versionOf)
}

/** The condition is true when the audience of this version was set at this time. */
export const isGivenAt = (id: string, version: number, at: number): Statement =>
  sql`EXISTS (SELECT 1 FROM collection_versions g WHERE g.collection_id = ${id}
    AND g.version = ${version} AND g.audience_at = ${at})`

interface NewAudience {
  readonly audience: readonly string[] | undefined
  readonly widening: Widening | undefined
  readonly at: number
  /** These statements are written first, while the version is as it was read. */
  readonly before?: readonly Statement[]
  /** Ends EHR sessions of the version; the first returns the id of each. */
  readonly ends?: readonly Statement[]
  readonly events: readonly Statement[]
}

/**
 * Gives the newest version to these accounts. Returns undefined when its audience was changed since it was read, or a
 * newer version is there. A change of what an account runs waits for it. The other statements go with it.
 */
export async function updateAudience(
  db: Database,
  { collectionId: id, version, givenAt }: VersionSummary,
  { audience, widening, at, before = [], ends = [], events }: NewAudience,
): Promise<{ version: CollectionVersion; endedSessions: string[] } | undefined> {
  const results = await db.write(
    lockCollectionStatement(id),
    ...before,
    sql`UPDATE collection_versions SET audience = ${audienceText(audience)}, audience_at = ${at},
        widen_at = ${widening?.at ?? null}, widen_percent = ${widening?.readyPercent ?? null},
        widen_stopped_at = NULL, widen_ready = NULL, widen_failed = NULL
      WHERE collection_id = ${id} AND version = ${version}
        AND COALESCE(audience_at, published_at) = ${givenAt}
        AND EXISTS (SELECT 1 FROM collections c
          WHERE c.id = ${id} AND c.latest_version = ${version} AND c.deleted_at IS NULL)
      RETURNING *`,
    ...ends,
    ...events,
  )
  const [rows = [], ended = []] = results.slice(1 + before.length)
  const [row] = rows
  if (!row) return undefined
  const endedSessions = ends.length > 0 ? ended.map((session) => text(session, 'id')) : []
  return { version: versionOf(row), endedSessions }
}

/** The newest versions that wait to be given to all, those of the longest wait first. */
export async function listWideningVersions(
  db: Database,
  limit: number,
): Promise<CollectionVersion[]> {
  const rows = await db.read(
    sql`SELECT v.* FROM collection_versions v
      JOIN collections c ON c.id = v.collection_id AND c.latest_version = v.version
      WHERE v.widen_at IS NOT NULL AND v.widen_stopped_at IS NULL AND c.deleted_at IS NULL
      ORDER BY v.widen_at, v.collection_id LIMIT ${limit}`,
  )
  return rows.map(versionOf)
}

/** The condition is true when a node that has the lock of the collection finds the version as it was read. */
export const isWidening = ({ collectionId: id, version, givenAt }: VersionSummary): Statement =>
  sql`EXISTS (SELECT 1 FROM collection_versions g WHERE g.collection_id = ${id}
    AND g.version = ${version} AND COALESCE(g.audience_at, g.published_at) = ${givenAt}
    AND g.widen_at IS NOT NULL AND g.widen_stopped_at IS NULL)`

/** Stops the widening; of several nodes one succeeds. The condition of `events` is {@link isWidening}. */
export async function stopWidening(
  db: Database,
  version: VersionSummary,
  { at, ready, failed }: NonNullable<Widening['stopped']>,
  events: readonly Statement[],
): Promise<void> {
  const { collectionId: id, version: number } = version
  await db.write(
    lockCollectionStatement(id),
    ...events,
    sql`UPDATE collection_versions SET widen_stopped_at = ${at}, widen_ready = ${ready},
        widen_failed = ${failed}
      WHERE collection_id = ${id} AND version = ${number} AND ${isWidening(version)}`,
  )
}

/** Lists the versions below `before`, newest first, without their content. */
export async function listVersions(
  db: Database,
  collectionId: string,
  before: number,
  limit: number,
): Promise<VersionSummary[]> {
  const rows = await db.read(
    sql`SELECT collection_id, version, notes, published_by, published_at, audience, audience_at,
        widen_at, widen_percent, widen_stopped_at, widen_ready, widen_failed
      FROM collection_versions
      WHERE collection_id = ${collectionId} AND version < ${before}
      ORDER BY version DESC LIMIT ${limit}`,
  )
  return rows.map(versionSummaryOf)
}
