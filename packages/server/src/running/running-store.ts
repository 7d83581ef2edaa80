// The SQL of what an account runs: the collection with its owner, and the apps of a version with their vendors
// and what the account has stopped. A deleted app is not found: it runs nowhere. Contract §16.
import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, json, optionalInteger, text } from '../db/row.ts'
import { list, type Statement, sql } from '../db/sql.ts'
import { idFloor } from '../kernel/identifiers.ts'
import { partOf } from '../kernel/partitions.ts'
import type { LivenessCutoff } from '../liveness/liveness.ts'
import { signInIsLive } from '../liveness/liveness-store.ts'

export interface Named {
  readonly id: string
  readonly name: string
}

const namedBy = (row: Row, id: string, name: string): Named => ({
  id: text(row, id),
  name: text(row, name),
})

export async function findCollectionOwner(
  db: Database,
  collectionId: string,
): Promise<(Named & { readonly owner: Named }) | undefined> {
  const row = await readOne(
    db,
    sql`SELECT c.id, c.name, a.id AS owner_id, a.name AS owner_name FROM collections c
      JOIN accounts a ON a.id = c.account_id WHERE c.id = ${collectionId}`,
  )
  return row && { ...namedBy(row, 'id', 'name'), owner: namedBy(row, 'owner_id', 'owner_name') }
}

export interface AppHere extends Named {
  readonly vendor: Named
  readonly isEnabled: boolean
  /** Each chart gets a launch of its own, whatever the collection says. Contract §14. */
  readonly isSmart: boolean
  readonly stopped: { readonly at: number; readonly by: Named; readonly reason: string } | undefined
}

const appHereOf = (row: Row): AppHere => {
  const at = optionalInteger(row, 'stopped_at')
  return {
    ...namedBy(row, 'id', 'name'),
    vendor: namedBy(row, 'vendor_id', 'vendor_name'),
    isEnabled: row.disabled_at === null,
    isSmart: row.launch_style === 'smart',
    stopped:
      at === undefined
        ? undefined
        : { at, by: namedBy(row, 'stopped_by', 'stopped_by_name'), reason: text(row, 'reason') },
  }
}

/** Lists those of these apps that are not deleted, by identifier. */
export async function listAppsHere(
  db: Database,
  accountId: string,
  appIds: readonly string[],
): Promise<Map<string, AppHere>> {
  const rows = await db.read(
    sql`SELECT a.id, a.name, a.disabled_at, a.launch_style, v.id AS vendor_id, v.name AS vendor_name, x.stopped_at,
        x.stopped_by, x.reason, u.name AS stopped_by_name
      FROM apps a JOIN accounts v ON v.id = a.account_id
      LEFT JOIN stopped_apps x ON x.part = ${partOf(accountId)} AND x.app_id = a.id
        AND x.account_id = ${accountId} AND x.resumed_at IS NULL
      LEFT JOIN users u ON u.id = x.stopped_by
      WHERE a.id IN (${list(appIds)}) AND a.deleted_at IS NULL`,
  )
  return new Map(rows.map(appHereOf).map((app) => [app.id, app]))
}

interface StopOfApp {
  readonly account: Named
  readonly at: number
  readonly by: Named
  readonly reason: string
}

const MAX_STOPS = 20

/** The accounts that have stopped the app: how many, and the newest stops. */
export async function listStopsOfApp(
  db: Database,
  appId: string,
): Promise<{ count: number; stops: StopOfApp[] }> {
  const isStopped = sql`x.app_id = ${appId} AND x.resumed_at IS NULL AND a.deleted_at IS NULL`
  const rows = await db.read(
    sql`SELECT a.id, a.name, x.stopped_at, x.reason, x.stopped_by, COALESCE(u.name, x.stopped_by) AS stopped_by_name,
        COUNT(*) OVER () AS count
      FROM stopped_apps x JOIN accounts a ON a.id = x.account_id LEFT JOIN users u ON u.id = x.stopped_by
      WHERE ${isStopped} ORDER BY x.stopped_at DESC, a.id LIMIT ${MAX_STOPS}`,
  )
  return {
    count: rows[0] ? integer(rows[0], 'count') : 0,
    stops: rows.map((row) => ({
      account: namedBy(row, 'id', 'name'),
      at: integer(row, 'stopped_at'),
      by: namedBy(row, 'stopped_by', 'stopped_by_name'),
      reason: text(row, 'reason'),
    })),
  }
}

/** Counts the EHR sessions `e` of the condition. */
export async function countOpenSessions(
  db: Database,
  condition: Statement,
  cutoff: LivenessCutoff,
): Promise<number> {
  const row = await readOne(
    db,
    sql`SELECT COUNT(*) AS n FROM ehr_sessions e JOIN ehr_sessions s ON s.part = e.part AND s.id = e.id
      WHERE ${condition} AND ${signInIsLive(cutoff)}`,
  )
  return row ? integer(row, 'n') : 0
}

const MAX_LAUNCHES = 500

/** The types of the EHRs of the newest launches of an app since `from`. */
export async function listEhrsOfApp(db: Database, appId: string, from: number): Promise<string[]> {
  const rows = await db.read(
    sql`SELECT newest.* FROM (SELECT context FROM launches
      WHERE app_id = ${appId} AND id >= ${idFloor('lau', from)}
      ORDER BY id DESC LIMIT ${MAX_LAUNCHES}) AS newest`,
  )
  return rows.map((row) => json<{ readonly ehr_type: string }>(row, 'context').ehr_type)
}
