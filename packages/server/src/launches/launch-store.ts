// The SQL of launches as the backend API sees them: made, found, listed, noted. Codes and tokens on
// the same row are written by authorize-store and token-store only.
import type { AppKind, HostStepName } from '@chartside/protocol/launch'
import { insertLaunchEvent, type LaunchEvent } from '../audit/audit-store.ts'
import { type Database, type Row, readOne, statement } from '../db/database.ts'
import { integer, json, optionalInteger, optionalText, text } from '../db/row.ts'
import type { Moment } from '../sign-in/sign-in.ts'
import type { Launch } from './launch.ts'
import type { Reason } from './reasons.ts'

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

/** Stores a launch while its EHR session and the sign-in behind it live. False when they do not. */
export async function insertLaunch(
  db: Database,
  launch: NewLaunch,
  event: LaunchEvent,
  { now, idleSince }: Moment,
): Promise<boolean> {
  const stored = statement(
    `INSERT INTO launches (id, launch_hash, app_id, client_id, kind, session_id, sign_in_id,
        context, created_at, expires_at)
      SELECT ?, ?, ?, ?, ?, e.id, e.sign_in_id, ?, ?, ? FROM ehr_sessions e
        JOIN sign_ins s ON s.id = e.sign_in_id
        WHERE e.id = ? AND e.ended_at IS NULL AND s.ended_at IS NULL AND s.expires_at > ?
          AND s.last_seen_at > ? RETURNING id`,
    launch.id,
    launch.launchHash,
    launch.appId,
    launch.clientId,
    launch.kind,
    JSON.stringify(launch.context),
    launch.createdAt,
    launch.expiresAt,
    launch.sessionId,
    now,
    idleSince,
  )
  const [rows] = await db.write(stored, insertLaunchEvent(event, 'launched', launch.launchHash))
  return rows?.length === 1
}

export async function findLaunch(db: Database, id: string): Promise<Launch | undefined> {
  const row = await readOne(db, 'SELECT * FROM launches WHERE id = ?', id)
  return row && launchOf(row)
}

/** Launches before `cursor`, newest first, of one EHR session or of one person. */
export async function listLaunches(
  db: Database,
  filter: { sessionId?: string; userId?: string; cursor: string; limit: number },
): Promise<Launch[]> {
  const [where, value] = filter.sessionId
    ? ['session_id = ?', filter.sessionId]
    : ['session_id IN (SELECT id FROM ehr_sessions WHERE user_id = ?)', filter.userId ?? '']
  const rows = await db.read(
    `SELECT * FROM launches WHERE ${where} AND id < ? ORDER BY id DESC LIMIT ?`,
    value,
    filter.cursor,
    filter.limit,
  )
  return rows.map(launchOf)
}

const STEP_COLUMN = {
  opened: 'opened_at',
  handshake: 'handshake_at',
  context: 'context_at',
} as const satisfies Record<HostStepName, string>

/** Notes a step that the host saw, the first time it saw it. */
export async function updateHostStep(
  db: Database,
  id: string,
  step: HostStepName,
  now: number,
): Promise<void> {
  const column = STEP_COLUMN[step]
  await db.write(
    statement(`UPDATE launches SET ${column} = COALESCE(${column}, ?) WHERE id = ?`, now, id),
  )
}

export interface LaunchFailure {
  readonly id: string
  readonly launchId: string
  readonly step: 'authorize' | 'exchange' | HostStepName
  readonly code: string
  readonly reason: Reason
  /** What happened here, where the reason alone is too general; shown in place of its cause. */
  readonly detail: string | undefined
  readonly traceId: string
  readonly failedAt: number
}

/** More failures of one launch than this tell nothing new; whoever causes them cannot fill the disk. */
const MOST_FAILURES = 50

export async function insertLaunchFailure(
  db: Database,
  failure: LaunchFailure,
  event?: LaunchEvent,
): Promise<void> {
  await db.write(
    statement(
      `INSERT INTO launch_failures (id, launch_id, step, code, reason, detail, trace_id, failed_at)
        SELECT ?, ?, ?, ?, ?, ?, ?, CAST(? AS BIGINT)
        WHERE (SELECT COUNT(*) FROM launch_failures WHERE launch_id = ?) < ${MOST_FAILURES}`,
      failure.id,
      failure.launchId,
      failure.step,
      failure.code,
      failure.reason,
      failure.detail ?? null,
      failure.traceId,
      failure.failedAt,
      failure.launchId,
    ),
    ...(event ? [insertLaunchEvent(event, 'failed', failure.id)] : []),
  )
}

/** The newest failures of a launch, oldest of them first. */
export async function listLaunchFailures(
  db: Database,
  launchId: string,
  limit = 20,
): Promise<LaunchFailure[]> {
  const rows = await db.read(
    'SELECT * FROM launch_failures WHERE launch_id = ? ORDER BY id DESC LIMIT ?',
    launchId,
    limit,
  )
  return rows.reverse().map((row) => ({
    id: text(row, 'id'),
    launchId: text(row, 'launch_id'),
    step: text(row, 'step') as LaunchFailure['step'],
    code: text(row, 'code'),
    reason: text(row, 'reason') as Reason,
    detail: optionalText(row, 'detail'),
    traceId: text(row, 'trace_id'),
    failedAt: integer(row, 'failed_at'),
  }))
}
