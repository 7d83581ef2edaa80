// The SQL of an app's usual times: the newest launches of the app that became ready, with their times. It
// reads a bounded number of rows of one index, however many launches the app has. Contract §3.
import type { AppKind } from '@chartside/protocol/launch'
import type { Database, Row } from '../../db/database.ts'
import { integer, optionalInteger, text } from '../../db/row.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { idFloor } from '../../kernel/identifiers.ts'
import type { LaunchTimes } from '../timeline/spans.ts'

/** The newest launches of an app are read; those that never became ready are among them. */
export const MAX_SAMPLE = 1000

export interface SampledLaunch extends LaunchTimes {
  readonly id: string
  readonly kind: AppKind
  readonly userId: string
  readonly practiceId: string
}

/** The statement of {@link listReadyLaunches}; a test reads its plan. */
export const listReadyStatement = (appId: string, from: number): Statement =>
  sql`SELECT newest.*, e.user_id, e.account_id FROM (
      SELECT id, part, kind, session_id, created_at, opened_at, authorized_at, authorize_received_at,
        authorize_answered_at, exchange_received_at, exchange_answered_at, code_spent_at,
        token_expires_at, handshake_at, context_at
      FROM launches WHERE app_id = ${appId} AND id >= ${idFloor('lau', from)}
      ORDER BY id DESC LIMIT ${MAX_SAMPLE}
    ) AS newest JOIN ehr_sessions e ON e.part = newest.part AND e.id = newest.session_id
    WHERE newest.context_at IS NOT NULL ORDER BY newest.id DESC`

/** Lists the launches of the app that became ready, newest first. */
export async function listReadyLaunches(
  db: Database,
  appId: string,
  from: number,
): Promise<SampledLaunch[]> {
  return (await db.read(listReadyStatement(appId, from))).map(sampleOf)
}

const sampleOf = (row: Row): SampledLaunch => ({
  id: text(row, 'id'),
  kind: text(row, 'kind') as AppKind,
  userId: text(row, 'user_id'),
  practiceId: text(row, 'account_id'),
  createdAt: integer(row, 'created_at'),
  openedAt: optionalInteger(row, 'opened_at'),
  authorizedAt: optionalInteger(row, 'authorized_at'),
  authorizeReceivedAt: optionalInteger(row, 'authorize_received_at'),
  authorizeAnsweredAt: optionalInteger(row, 'authorize_answered_at'),
  exchangeReceivedAt: optionalInteger(row, 'exchange_received_at'),
  exchangeAnsweredAt: optionalInteger(row, 'exchange_answered_at'),
  codeSpentAt: optionalInteger(row, 'code_spent_at'),
  tokenExpiresAt: optionalInteger(row, 'token_expires_at'),
  handshakeAt: optionalInteger(row, 'handshake_at'),
  contextAt: optionalInteger(row, 'context_at'),
})
