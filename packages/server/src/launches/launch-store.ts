// The SQL of launches: insert, find, list, steps of the host, failures. Never writes the code or the
// token of a launch: authorize-store and token-store do. Contract §3.
import type { AppKind, HostStepName } from '@chartside/protocol/launch'
import { EFFECT, insertLaunchEventStatement, type LaunchEvent } from '../audit/audit-store.ts'
import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, json, optionalInteger, optionalText, text } from '../db/row.ts'
import { identifier, list, sql } from '../db/sql.ts'
import type { Reason } from '../kernel/reasons.ts'
import type { LivenessCutoff } from '../liveness/liveness.ts'
import { signInIsLive } from '../liveness/liveness-store.ts'
import type { Launch } from './launch.ts'

export function launchOf(row: Row): Launch {
  return {
    id: text(row, 'id'),
    launchHash: text(row, 'launch_hash'),
    appId: text(row, 'app_id'),
    clientId: text(row, 'client_id'),
    kind: text(row, 'kind') as AppKind,
    sessionId: text(row, 'session_id'),
    signInId: text(row, 'sign_in_id'),
    context: json(row, 'context'),
    createdAt: integer(row, 'created_at'),
    expiresAt: integer(row, 'expires_at'),
    authorizedAt: optionalInteger(row, 'authorized_at'),
    codeSpentAt: optionalInteger(row, 'code_spent_at'),
    tokenExpiresAt: optionalInteger(row, 'token_expires_at'),
    tokenRevokedAt: optionalInteger(row, 'token_revoked_at'),
    openedAt: optionalInteger(row, 'opened_at'),
    handshakeAt: optionalInteger(row, 'handshake_at'),
    contextAt: optionalInteger(row, 'context_at'),
    endedAt: optionalInteger(row, 'ended_at'),
  }
}

type NewLaunch = Pick<
  Launch,
  | 'id'
  | 'launchHash'
  | 'appId'
  | 'clientId'
  | 'kind'
  | 'sessionId'
  | 'context'
  | 'createdAt'
  | 'expiresAt'
>

/** False when the EHR session of the launch, or the sign-in behind it, is no longer live. */
export async function insertLaunch(
  db: Database,
  launch: NewLaunch,
  event: LaunchEvent,
  cutoff: LivenessCutoff,
): Promise<boolean> {
  const stored = sql`INSERT INTO launches (id, launch_hash, app_id, client_id, kind, session_id,
        sign_in_id, context, created_at, expires_at)
      SELECT ${launch.id}, ${launch.launchHash}, ${launch.appId}, ${launch.clientId},
          ${launch.kind}, e.id, e.sign_in_id, ${JSON.stringify(launch.context)},
          ${launch.createdAt}, ${launch.expiresAt}
        FROM ehr_sessions e JOIN sign_ins s ON s.id = e.sign_in_id
        WHERE e.id = ${launch.sessionId} AND e.ended_at IS NULL AND ${signInIsLive(cutoff)}
        RETURNING id`
  const [rows] = await db.write(
    stored,
    insertLaunchEventStatement(event, EFFECT.launched(launch.launchHash)),
  )
  return rows?.length === 1
}

export async function findLaunch(db: Database, id: string): Promise<Launch | undefined> {
  const row = await readOne(db, sql`SELECT * FROM launches WHERE id = ${id}`)
  return row && launchOf(row)
}

/** Launches before `cursor`, newest first, of one EHR session or of one person. */
export async function listLaunches(
  db: Database,
  filter: { sessionId?: string; userId?: string; cursor: string; limit: number },
): Promise<Launch[]> {
  const condition = filter.sessionId
    ? sql`session_id = ${filter.sessionId}`
    : sql`session_id IN (SELECT id FROM ehr_sessions WHERE user_id = ${filter.userId ?? ''})`
  const rows = await db.read(
    sql`SELECT * FROM launches WHERE ${condition} AND id < ${filter.cursor}
      ORDER BY id DESC LIMIT ${filter.limit}`,
  )
  return rows.map(launchOf)
}

const STEP_COLUMN = {
  opened: 'opened_at',
  handshake: 'handshake_at',
  context: 'context_at',
} as const satisfies Record<HostStepName, string>

/** Stores the time of a step that the host reports; a later report changes nothing. */
export async function updateHostStep(
  db: Database,
  id: string,
  step: HostStepName,
  now: number,
): Promise<void> {
  const column = identifier(STEP_COLUMN[step])
  await db.write(sql`UPDATE launches SET ${column} = COALESCE(${column}, ${now}) WHERE id = ${id}`)
}

export interface LaunchFailure {
  readonly id: string
  readonly launchId: string
  readonly step: 'authorize' | 'exchange' | HostStepName
  readonly code: string
  readonly reason: Reason
  /** What happened, where the reason alone is too general; replaces the cause of the reason. */
  readonly detail: string | undefined
  readonly traceId: string
  readonly failedAt: number
}

/** Kept of one launch, so that a caller who repeats a failure cannot fill the disk. */
const MAX_FAILURES = 50
/** Shown of one launch: the newest ones. */
const MAX_SHOWN_FAILURES = 20

export async function insertLaunchFailure(
  db: Database,
  failure: LaunchFailure,
  event?: LaunchEvent,
): Promise<void> {
  await db.write(
    sql`INSERT INTO launch_failures (id, launch_id, step, code, reason, detail, trace_id, failed_at)
        SELECT ${failure.id}, ${failure.launchId}, ${failure.step}, ${failure.code},
          ${failure.reason}, ${failure.detail ?? null}, ${failure.traceId},
          CAST(${failure.failedAt} AS BIGINT)
        WHERE (SELECT COUNT(*) FROM launch_failures WHERE launch_id = ${failure.launchId})
          < ${MAX_FAILURES}`,
    ...(event ? [insertLaunchEventStatement(event, EFFECT.failed(failure.id))] : []),
  )
}

/** The newest failures of these launches by launch, oldest first: one statement for all launches. */
export async function listLaunchFailures(
  db: Database,
  launchIds: readonly string[],
): Promise<ReadonlyMap<string, readonly LaunchFailure[]>> {
  const rows = await db.read(
    sql`SELECT * FROM (
        SELECT f.*, ROW_NUMBER() OVER (PARTITION BY launch_id ORDER BY id DESC) AS newest
        FROM launch_failures f WHERE launch_id IN (${list(launchIds)})
      ) AS numbered WHERE newest <= ${MAX_SHOWN_FAILURES} ORDER BY id`,
  )
  return Map.groupBy(rows.map(failureOf), ({ launchId }) => launchId)
}

const failureOf = (row: Row): LaunchFailure => ({
  id: text(row, 'id'),
  launchId: text(row, 'launch_id'),
  step: text(row, 'step') as LaunchFailure['step'],
  code: text(row, 'code'),
  reason: text(row, 'reason') as Reason,
  detail: optionalText(row, 'detail'),
  traceId: text(row, 'trace_id'),
  failedAt: integer(row, 'failed_at'),
})
