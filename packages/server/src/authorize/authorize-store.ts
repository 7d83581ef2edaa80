// The SQL of authorize: finds the launch, and stores a code on it in one guarded statement. The guard
// repeats every condition of the decision, so that a sign-out, a disabled app, an exchange or a second
// authorize in between settles the race here. Never builds a message. Contract §2.
import type { LaunchEvent } from '../audit/audit-entry.ts'
import { EFFECT, insertLaunchEventStatement } from '../audit/audit-store.ts'
import { type Database, readOne } from '../db/database.ts'
import { integer, optionalInteger, text } from '../db/row.ts'
import { byKey, sql } from '../db/sql.ts'
import { partOfId } from '../kernel/partitions.ts'
import { isSignInLive, type LivenessCutoff } from '../liveness/liveness.ts'
import {
  APP_IS_ENABLED,
  APP_IS_NOT_STOPPED,
  SIGN_IN_TIMES,
  signInIsLive,
  signInTimesOf,
} from '../liveness/liveness-store.ts'
import { type LaunchWithSignInState, MAX_AUTHORIZATIONS } from './authorize.ts'

/** The launch with this launch_id, and whether its sign-in is live. */
export async function findLaunchWithSignInState(
  db: Database,
  id: string,
  launchHash: string,
  cutoff: LivenessCutoff,
): Promise<LaunchWithSignInState | undefined> {
  const row = await readOne(
    db,
    sql`SELECT l.id, l.app_id, l.client_id, l.session_id, l.expires_at, l.ended_at, l.code_spent_at,
        l.token_expires_at, l.authorize_count, s.user_id, s.signed_in_at AS sign_in_created_at, ${SIGN_IN_TIMES}
      FROM launches l JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
      WHERE l.id = ${id} AND l.part = ${partOfId(id)} AND l.launch_hash = ${launchHash}`,
  )
  if (!row) return undefined
  const { endedAt, endedReason, ...times } = signInTimesOf(row)
  const signedOutAt = endedReason === 'signed_out' ? endedAt : undefined
  return {
    // A session that ended beside its launch may have left the launch open.
    launch: {
      id: text(row, 'id'),
      appId: text(row, 'app_id'),
      clientId: text(row, 'client_id'),
      sessionId: text(row, 'session_id'),
      userId: text(row, 'user_id'),
      expiresAt: integer(row, 'expires_at'),
      codeSpentAt: optionalInteger(row, 'code_spent_at'),
      tokenExpiresAt: optionalInteger(row, 'token_expires_at'),
      endedAt: optionalInteger(row, 'ended_at') ?? endedAt,
    },
    isSignedIn: isSignInLive({ ...times, endedAt: signedOutAt }, cutoff),
    signedInAt: integer(row, 'sign_in_created_at'),
    authorizations: integer(row, 'authorize_count'),
  }
}

export interface NewCode {
  readonly launchId: string
  readonly clientId: string
  readonly codeHash: string
  readonly codeExpiresAt: number
  /** The launch may be authorized again before this. */
  readonly launchExpiresAt: number
  readonly redirectUri: string
  readonly codeChallenge: string | undefined
  readonly nonce: string | undefined
  readonly scope: string
  readonly receivedAt: number
  /** The time at which this write begins; a later write of the launch knows when the answer was ready. */
  readonly answeredAt: number
}

/**
 * Stores a code on the launch and so invalidates the code before it (contract §2: the newest is valid).
 * Returns false when the launch, its app or the sign-in behind it is no longer live.
 */
export async function updateLaunchCode(
  db: Database,
  code: NewCode,
  event: LaunchEvent,
  cutoff: LivenessCutoff,
): Promise<boolean> {
  const updated = sql`UPDATE launches SET authorized_at = ${cutoff.now},
      expires_at = ${code.launchExpiresAt}, code_hash = ${code.codeHash},
      code_expires_at = ${code.codeExpiresAt}, code_redirect_uri = ${code.redirectUri},
      code_challenge = ${code.codeChallenge ?? null}, code_nonce = ${code.nonce ?? null},
      code_scope = ${code.scope}, authorize_count = authorize_count + 1,
      authorize_received_at = ${code.receivedAt}, authorize_answered_at = ${code.answeredAt}
    WHERE id = ${code.launchId} AND part = ${partOfId(code.launchId)} AND client_id = ${code.clientId} AND code_spent_at IS NULL
      AND ended_at IS NULL AND expires_at > ${cutoff.now} AND ${APP_IS_ENABLED}
      AND ${APP_IS_NOT_STOPPED}
      AND authorize_count < ${MAX_AUTHORIZATIONS}
      AND EXISTS (SELECT 1 FROM ehr_sessions s
        WHERE s.part = launches.part AND s.id = launches.session_id AND ${signInIsLive(cutoff)})
    RETURNING id`
  const audited = insertLaunchEventStatement(event, EFFECT.authorized(code.codeHash))
  const [rows] = await db.write(byKey(updated, code.launchId), audited)
  return rows?.length === 1
}
