// The SQL of what was changed lately, to be seen beside the launches: versions that were published, secrets that were
// retired, apps that were disabled or stopped in a practice or on an EHR. Each statement reads what its caller sees. Contract §16.
import type { Database, Row } from '../../db/database.ts'
import { integer, text } from '../../db/row.ts'
import { list, type Statement, sql } from '../../db/sql.ts'
import { partOf } from '../../kernel/partitions.ts'
import type { CountScope } from './launch-count-store.ts'
import type { CHANGE_KINDS } from './overview-schema.ts'

export interface HealthChange {
  readonly at: number
  readonly kind: (typeof CHANGE_KINDS)[number]
  readonly what: { readonly id: string; readonly name: string }
  readonly detail: string
  /** The account of the collection whose version was published. */
  readonly ownerId: string | undefined
}

const MAX_CHANGES = 9

/** The newest since `from`, newest first. */
export async function listChanges(
  db: Database,
  scope: CountScope,
  from: number,
): Promise<HealthChange[]> {
  const found = await Promise.all(
    statementsOf(scope, from).map(async ([kind, statement]) =>
      (await db.read(statement)).map((row) => changeOf(kind, row)),
    ),
  )
  return found
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_CHANGES)
}

const changeOf = (kind: HealthChange['kind'], row: Row): HealthChange => ({
  kind,
  at: integer(row, 'at'),
  what: { id: text(row, 'id'), name: text(row, 'name') },
  detail: text(row, 'detail'),
  ownerId: kind === 'version_published' ? text(row, 'owner_id') : undefined,
})

function statementsOf(
  { isEverything, practiceIds, vendorIds }: CountScope,
  from: number,
): (readonly [HealthChange['kind'], Statement])[] {
  const ofVendor = isEverything ? sql`1 = 1` : sql`a.account_id IN (${list(vendorIds)})`
  const isTheirs = isEverything
    ? sql`1 = 1`
    : sql`(k.account_id IN (${list(vendorIds)}) OR k.id IN (SELECT p.collection_id FROM accounts p
        WHERE p.id IN (${list(practiceIds)}) AND p.collection_id IS NOT NULL))`
  // A vendor does not learn which practice has stopped its app here; an event says so.
  const isStopped = isEverything
    ? sql`1 = 1`
    : sql`t.part IN (${list(practiceIds.map(partOf))}) AND t.account_id IN (${list(practiceIds)})`
  const newest = sql`ORDER BY at DESC LIMIT ${MAX_CHANGES}`
  return [
    [
      'version_published',
      sql`SELECT k.id, k.name, CAST(v.version AS TEXT) AS detail, v.published_at AS at,
          k.account_id AS owner_id
        FROM collection_versions v JOIN collections k ON k.id = v.collection_id
        WHERE v.published_at >= ${from} AND k.deleted_at IS NULL AND ${isTheirs} ${newest}`,
    ],
    [
      'secret_retired',
      sql`SELECT a.id, a.name, COALESCE(s.label, '') AS detail, s.retired_at AS at
        FROM client_secrets s JOIN apps a ON a.id = s.app_id
        WHERE s.retired_at >= ${from} AND a.deleted_at IS NULL AND ${ofVendor} ${newest}`,
    ],
    [
      'app_disabled',
      sql`SELECT a.id, a.name, '' AS detail, a.disabled_at AS at FROM apps a
        WHERE a.disabled_at >= ${from} AND a.deleted_at IS NULL AND ${ofVendor} ${newest}`,
    ],
    [
      'app_stopped_here',
      sql`SELECT a.id, a.name, t.reason AS detail, t.stopped_at AS at
        FROM stopped_apps t JOIN apps a ON a.id = t.app_id
        WHERE t.stopped_at >= ${from} AND t.resumed_at IS NULL AND ${isStopped} ${newest}`,
    ],
    [
      'app_stopped_on_ehr',
      sql`SELECT a.id, a.name, t.ehr_type AS detail, t.stopped_at AS at
        FROM stopped_ehrs t JOIN apps a ON a.id = t.app_id
        WHERE t.stopped_at >= ${from} AND t.resumed_at IS NULL AND a.deleted_at IS NULL
          AND ${ofVendor} ${newest}`,
    ],
  ]
}
