// The SQL of apps that an account has stopped in it: stopping ends the live launches there in the same write, and
// a launch from before the app runs again stays dead. The conditions stand in the writes of launches. Contract §16.
import { type Database, readOne } from '../db/database.ts'
import { optionalText, text } from '../db/row.ts'
import { type Remembered, remember, type Statement, sql } from '../db/sql.ts'
import { idFloor } from '../kernel/identifiers.ts'
import { partOf } from '../kernel/partitions.ts'
import type { EndedLaunch } from './liveness.ts'
import { endedLaunchOf, endLaunchesStatement, MAX_SIGN_IN_MS } from './liveness-store.ts'

export interface AppOfAccount {
  readonly accountId: string
  readonly appId: string
}

export interface Stop extends AppOfAccount {
  readonly reason: string
  /** The user. */
  readonly by: string
  /** The time in milliseconds. */
  readonly at: number
}

const ofApp = ({ accountId, appId }: AppOfAccount): Statement =>
  sql`part = ${partOf(accountId)} AND app_id = ${appId} AND account_id = ${accountId}`

/** Returns the launches that it ended. `events` are written with it. */
export async function stopApp(
  db: Database,
  { accountId, appId, reason, by, at }: Stop,
  events: readonly Statement[],
): Promise<EndedLaunch[]> {
  const part = partOf(accountId)
  const [, ended = []] = await db.write(
    sql`INSERT INTO stopped_apps (part, app_id, account_id, reason, stopped_by, stopped_at)
      VALUES (${part}, ${appId}, ${accountId}, ${reason}, ${by}, ${at})
      ON CONFLICT (part, app_id, account_id) DO UPDATE SET reason = excluded.reason,
        stopped_by = excluded.stopped_by, stopped_at = excluded.stopped_at, resumed_at = NULL`,
    endLaunchesStatement(
      sql`part + 0 = ${part} AND part = ${part} AND app_id = ${appId}
        AND id > ${idFloor('lau', at - 2 * MAX_SIGN_IN_MS)}
        AND session_id IN (SELECT e.id FROM ehr_sessions e
          WHERE e.part = ${part} AND e.account_id = ${accountId})`,
      { at, reason: 'app_disabled' },
    ),
    // The app's server has its notice: no session of it goes on here.
    sql`UPDATE logout_debts SET ended_at = ${at}, due_at = ${at} WHERE part = ${part}
      AND app_id = ${appId} AND account_id = ${accountId} AND ended_at IS NULL`,
    ...events,
  )
  return ended.map(endedLaunchOf)
}

/** The condition is true when the account has stopped the app. */
export const isStoppedHere = (app: AppOfAccount): Statement =>
  sql`EXISTS (SELECT 1 FROM stopped_apps WHERE ${ofApp(app)} AND resumed_at IS NULL)`

/**
 * `events` are written with it; their condition is {@link isStoppedHere}. The first statement locks the row: the
 * second of two such writes waits there, and then finds an app that runs.
 */
export async function resumeApp(
  db: Database,
  { at, ...app }: AppOfAccount & { readonly at: number },
  events: readonly Statement[],
): Promise<void> {
  await db.write(
    sql`UPDATE stopped_apps SET reason = reason WHERE ${ofApp(app)}`,
    ...events,
    sql`UPDATE stopped_apps SET resumed_at = ${at} WHERE ${ofApp(app)} AND resumed_at IS NULL`,
  )
}

/** Returns why the account has stopped the app; undefined while it runs. */
export async function findStopReason(db: Database, app: AppOfAccount): Promise<string | undefined> {
  const row = await readOne(
    db,
    sql`SELECT reason FROM stopped_apps WHERE ${ofApp(app)} AND resumed_at IS NULL`,
  )
  return row && text(row, 'reason')
}

/** The apps that the account has stopped, and those that are stopped on the EHR everywhere. */
export async function listStoppedApps(
  db: Database,
  accountId: string,
  ehrType: string,
): Promise<Set<string>> {
  const found = sql`SELECT string_agg(x.app_id, ' ') AS app_ids FROM (
      SELECT app_id FROM stopped_apps
        WHERE part = ${partOf(accountId)} AND account_id = ${accountId} AND resumed_at IS NULL
      UNION ALL SELECT app_id FROM stopped_ehrs
        WHERE ehr_type = ${ehrType} AND resumed_at IS NULL) x`
  const row = await readOne(db, remember(found, STOPPED_ROWS))
  return new Set((row && optionalText(row, 'app_ids'))?.split(' '))
}

/** The row is read for each EHR session: one row where nothing is stopped too. */
const STOPPED_ROWS: Remembered = {
  name: 'stopped apps',
  tables: ['stopped_apps', 'stopped_ehrs'],
  recordsOf: () => [],
}
