// The SQL of launches: insert, find, steps of the host; launch-list-store.ts lists. Never writes the code or the
// token of a launch: authorize-store and token-store do. Contract §3.
import type { AppKind, EndReason, HostStepName } from '@chartside/protocol/launch'
import type { LaunchEvent } from '../audit/audit-entry.ts'
import { EFFECT, insertLaunchEventStatement } from '../audit/audit-store.ts'
import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, json, optionalInteger, optionalText, text } from '../db/row.ts'
import { byKey, concerning, identifier, type Statement, sql } from '../db/sql.ts'
import { partOfId } from '../kernel/partitions.ts'
import type { End, LivenessCutoff } from '../liveness/liveness.ts'
import {
  endLaunchesStatement,
  SIGN_IN_TIMES,
  signInIsLive,
  signInTimesOf,
} from '../liveness/liveness-store.ts'
import { parseLogoutNotice } from '../logout/logout.ts'
import { type ChartChange, formatChartChange, parseChartChanges } from './chart-changes.ts'
import { parseExchangeClient } from './exchange-client.ts'
import type { Launch } from './launch.ts'
import { formatPageFacts, type PageFacts, parsePageFacts } from './page-facts.ts'

export function launchOf(row: Row): Launch {
  return {
    id: text(row, 'id'),
    part: integer(row, 'part'),
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
    redirectUri: optionalText(row, 'code_redirect_uri'),
    tokenExpiresAt: optionalInteger(row, 'token_expires_at'),
    tokenRevokedAt: optionalInteger(row, 'token_revoked_at'),
    openedAt: optionalInteger(row, 'opened_at'),
    handshakeAt: optionalInteger(row, 'handshake_at'),
    contextAt: optionalInteger(row, 'context_at'),
    endedAt: optionalInteger(row, 'ended_at'),
    authorizeReceivedAt: optionalInteger(row, 'authorize_received_at'),
    authorizeAnsweredAt: optionalInteger(row, 'authorize_answered_at'),
    exchangeReceivedAt: optionalInteger(row, 'exchange_received_at'),
    exchangeAnsweredAt: optionalInteger(row, 'exchange_answered_at'),
    failureCount: integer(row, 'failure_count'),
    endedReason: optionalText(row, 'ended_reason') as EndReason | undefined,
    exchangeClient: parseExchangeClient(optionalText(row, 'exchange_client')),
    page: parsePageFacts(optionalText(row, 'page_facts')),
    chartChanges: parseChartChanges(optionalText(row, 'chart_changes')),
    logoutNotice: parseLogoutNotice(optionalText(row, 'logout_notice')),
    signIn: signInTimesOf(row),
  }
}

/** The columns of a launch `l` and of its EHR session `s` that {@link launchOf} reads. */
export const LAUNCH_COLUMNS: Statement = sql`l.*,
  s.signed_in_at AS sign_in_created_at, ${SIGN_IN_TIMES}`

export const SELECT_LAUNCHES: Statement = sql`SELECT ${LAUNCH_COLUMNS}
  FROM launches l JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id`

export type NewLaunch = Pick<
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

/**
 * Stores a launch with its audit event. The first returns its id. It returns no row when its EHR session, or
 * the sign-in behind it, is no longer live, or its app was disabled, or stopped by the account or on the EHR.
 */
export function insertLaunchStatements(
  launch: NewLaunch,
  event: LaunchEvent,
  cutoff: LivenessCutoff,
): [Statement, Statement] {
  // A value, not the column: with the join of apps Citus would then open a task for each partition.
  const part = partOfId(launch.sessionId)
  const stored = sql`INSERT INTO launches (id, part, launch_hash, app_id, client_id, kind, session_id,
        sign_in_id, context, created_at, expires_at, app_disabled_count)
      SELECT ${launch.id}, CAST(${part} AS INTEGER), ${launch.launchHash}, ${launch.appId},
          ${launch.clientId}, ${launch.kind}, s.id, s.sign_in_id, ${JSON.stringify(launch.context)},
          CAST(${launch.createdAt} AS BIGINT), CAST(${launch.expiresAt} AS BIGINT),
          a.disabled_count
        FROM ehr_sessions s
        JOIN apps a ON a.id = ${launch.appId} AND a.disabled_at IS NULL AND a.deleted_at IS NULL
        WHERE s.id = ${launch.sessionId} AND s.part = ${part}
          AND ${signInIsLive(cutoff)}
          AND NOT EXISTS (SELECT 1 FROM stopped_apps x WHERE x.part = ${part}
            AND x.app_id = ${launch.appId} AND x.account_id = s.account_id AND x.resumed_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM stopped_ehrs y WHERE y.app_id = ${launch.appId}
            AND y.ehr_type = s.ehr_type AND y.resumed_at IS NULL)
        RETURNING id`
  return [
    byKey(stored, launch.id),
    insertLaunchEventStatement(event, EFFECT.launched(launch.launchHash)),
  ]
}

export async function findLaunch(db: Database, id: string): Promise<Launch | undefined> {
  const row = await readOne(
    db,
    sql`${SELECT_LAUNCHES} WHERE l.id = ${id} AND l.part = ${partOfId(id)}`,
  )
  return row && launchOf(row)
}

/** Ends one launch with its code and its token. Returns false when it had ended or expired before. */
export async function endLaunch(
  db: Database,
  { id, part }: Pick<Launch, 'id' | 'part'>,
  end: End,
): Promise<boolean> {
  const ended = endLaunchesStatement(sql`id = ${id} AND part = ${part}`, end)
  const [rows] = await db.write(concerning(id, ended))
  return rows?.length === 1
}

const STEP_COLUMN = {
  opened: 'opened_at',
  handshake: 'handshake_at',
  context: 'context_at',
} as const satisfies Record<HostStepName, string>

/** Stores the time of a step that the host reports; a later report changes nothing. */
export async function updateHostStep(
  db: Database,
  { id, part }: Pick<Launch, 'id' | 'part'>,
  step: HostStepName,
  now: number,
  exchangeAnsweredAt: number | undefined,
  page: PageFacts = {},
): Promise<void> {
  const column = identifier(STEP_COLUMN[step])
  const updated = sql`UPDATE launches SET ${column} = COALESCE(${column}, ${now}),
      exchange_answered_at = COALESCE(${exchangeAnsweredAt ?? null}, exchange_answered_at),
      page_facts = COALESCE(page_facts, ${formatPageFacts(page) ?? null})
    WHERE id = ${id} AND part = ${part}`
  await db.write(byKey(updated, id))
}

/** One launch stores at most this many characters. A host in a loop must not fill the disk. */
const MAX_CHART_CHANGES_CHARACTERS = 4000

/** Appends what the host reports of one change of the chart; the last report of a change counts. */
export async function appendChartChange(
  db: Database,
  { id, part }: Pick<Launch, 'id' | 'part'>,
  change: ChartChange,
): Promise<void> {
  const updated = sql`UPDATE launches
    SET chart_changes = COALESCE(chart_changes, '') || ${formatChartChange(change)}
    WHERE id = ${id} AND part = ${part}
      AND LENGTH(COALESCE(chart_changes, '')) < ${MAX_CHART_CHANGES_CHARACTERS}`
  await db.write(byKey(updated, id))
}
