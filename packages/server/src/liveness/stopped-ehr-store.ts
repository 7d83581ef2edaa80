// The SQL of apps that are switched off on one EHR, in every account: the stop ends the live launches there in the same
// write, and a launch from before the app runs again stays dead. The conditions stand in the writes of launches.
import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import { list, type Statement, sql } from '../db/sql.ts'
import { idFloor } from '../kernel/identifiers.ts'
import type { EndedLaunch } from './liveness.ts'
import { endedLaunchOf, endLaunchesStatement, MAX_SIGN_IN_MS } from './liveness-store.ts'

export interface AppOnEhr {
  readonly appId: string
  readonly ehrType: string
}

/** Only the platform ends what it has stopped. */
export type StoppedBy = 'platform' | 'account'

export interface EhrStop extends AppOnEhr {
  readonly reason: string
  /** The user. */
  readonly by: string
  readonly side: StoppedBy
  /** The time in milliseconds. */
  readonly at: number
}

const ofApp = ({ appId, ehrType }: AppOnEhr): Statement =>
  sql`app_id = ${appId} AND ehr_type = ${ehrType}`

/** Whether this side may change the stop that stands. */
const isOpenTo = (side: StoppedBy): Statement =>
  side === 'platform'
    ? sql`1 = 1`
    : sql`(stopped_ehrs.resumed_at IS NOT NULL OR stopped_ehrs.stopped_side = 'account')`

/** Returns the launches that it ended; undefined where the platform has stopped it. */
export async function stopOnEhr(
  db: Database,
  { appId, ehrType, reason, by, side, at }: EhrStop,
): Promise<EndedLaunch[] | undefined> {
  const isOnEhr = (table: Statement) => sql`EXISTS (SELECT 1 FROM ehr_sessions e
    WHERE e.part = ${table}.part AND e.id = ${table}.session_id AND e.ehr_type = ${ehrType})`
  const [rows, ended = []] = await db.write(
    sql`INSERT INTO stopped_ehrs (app_id, ehr_type, reason, stopped_by, stopped_side, stopped_at)
      VALUES (${appId}, ${ehrType}, ${reason}, ${by}, ${side}, ${at})
      ON CONFLICT (app_id, ehr_type) DO UPDATE SET reason = excluded.reason,
        stopped_by = excluded.stopped_by, stopped_side = excluded.stopped_side,
        stopped_at = excluded.stopped_at, resumed_at = NULL
        WHERE ${isOpenTo(side)} RETURNING app_id`,
    endLaunchesStatement(
      sql`app_id = ${appId} AND id > ${idFloor('lau', at - 2 * MAX_SIGN_IN_MS)}
        AND ${isOnEhr(sql`launches`)}`,
      { at, reason: 'app_disabled' },
    ),
    // The app's server has its notice: no session of it goes on there.
    sql`UPDATE logout_debts SET ended_at = ${at}, due_at = ${at}
      WHERE app_id = ${appId} AND ended_at IS NULL AND ${isOnEhr(sql`logout_debts`)}`,
  )
  return rows?.length === 1 ? ended.map(endedLaunchOf) : undefined
}

/** Returns false where the platform has stopped it, and this is not the platform. */
export async function resumeOnEhr(
  db: Database,
  app: AppOnEhr,
  side: StoppedBy,
  at: number,
): Promise<boolean> {
  await db.write(
    sql`UPDATE stopped_ehrs SET resumed_at = ${at}
      WHERE ${ofApp(app)} AND resumed_at IS NULL AND ${isOpenTo(side)}`,
  )
  return !(await isStoppedOnEhr(db, app))
}

export async function isStoppedOnEhr(db: Database, app: AppOnEhr): Promise<boolean> {
  const stopped = sql`SELECT 1 FROM stopped_ehrs WHERE ${ofApp(app)} AND resumed_at IS NULL`
  return (await readOne(db, stopped)) !== undefined
}

export interface ListedEhrStop extends EhrStop {
  readonly byName: string
}

const stopOf = (row: Row): ListedEhrStop => ({
  appId: text(row, 'app_id'),
  ehrType: text(row, 'ehr_type'),
  reason: text(row, 'reason'),
  by: text(row, 'stopped_by'),
  byName: text(row, 'stopped_by_name'),
  side: text(row, 'stopped_side') as StoppedBy,
  at: integer(row, 'stopped_at'),
})

/** Lists the stops of these apps, by EHR. */
export async function listEhrStops(
  db: Database,
  appIds: readonly string[],
): Promise<ListedEhrStop[]> {
  const rows = await db.read(
    sql`SELECT x.app_id, x.ehr_type, x.reason, x.stopped_by, x.stopped_side, x.stopped_at,
        COALESCE(u.name, x.stopped_by) AS stopped_by_name
      FROM stopped_ehrs x LEFT JOIN users u ON u.id = x.stopped_by
      WHERE x.app_id IN (${list(appIds)}) AND x.resumed_at IS NULL ORDER BY x.app_id, x.ehr_type`,
  )
  return rows.map(stopOf)
}
