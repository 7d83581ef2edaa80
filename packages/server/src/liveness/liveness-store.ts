// The SQL of what lives and ends together: the condition under which a sign-in is live, the activity
// that keeps it live, and the statements that end EHR sessions and launches. No other file writes any
// of them, so no caller can end a session and leave a live token behind.
import type { EndReason } from '@chartside/protocol/launch'
import type { Row } from '../db/database.ts'
import { integer, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, type Statement, sql } from '../db/sql.ts'
import type { EndedLaunch } from './end-notification.ts'
import type { End, LivenessCutoff, SignInTimes } from './liveness.ts'

/** True for a row `s` of sign_ins that is live. The same rule as {@link isSignInLive}. */
export const signInIsLive = ({ now, idleSince }: LivenessCutoff): Statement =>
  sql`s.ended_at IS NULL AND s.expires_at > ${now} AND s.last_seen_at > ${idleSince}`

/** The columns of a row `s` of sign_ins that {@link signInTimesOf} reads. */
export const SIGN_IN_TIMES = sql`s.ended_at AS sign_in_ended_at,
  s.ended_reason AS sign_in_ended_reason, s.expires_at AS sign_in_expires_at,
  s.last_seen_at AS sign_in_seen_at`

export const signInTimesOf = (row: Row): SignInTimes => ({
  endedAt: optionalInteger(row, 'sign_in_ended_at'),
  endedReason: optionalText(row, 'sign_in_ended_reason') as EndReason | undefined,
  expiresAt: integer(row, 'sign_in_expires_at'),
  lastSeenAt: integer(row, 'sign_in_seen_at'),
})

/**
 * Records the activity of a sign-in `s` that is live, unless a later one than `before` is recorded.
 * An activity after the end revives nothing.
 */
export const updateLastSeenStatement = (
  signInId: string,
  cutoff: LivenessCutoff,
  before: number,
  condition: Statement = ALWAYS,
): Statement =>
  sql`UPDATE sign_ins AS s SET last_seen_at = ${cutoff.now} WHERE s.id = ${signInId}
    AND s.last_seen_at <= ${before} AND ${signInIsLive(cutoff)} AND ${condition}`

/**
 * Ends the EHR sessions `e` that the condition names, and all their launches, so that their codes
 * and access tokens are dead too. The first statement returns the id of each session that it ended.
 */
export const endSessionsStatements = (
  condition: Statement,
  { at, reason }: End,
): [Statement, Statement] => [
  sql`UPDATE ehr_sessions AS e SET ended_at = ${at}, ended_reason = ${reason}
    WHERE e.ended_at IS NULL AND ${condition} RETURNING id`,
  sql`UPDATE launches SET ended_at = ${at}, ended_reason = ${reason} WHERE ended_at IS NULL
    AND session_id IN (SELECT e.id FROM ehr_sessions e WHERE ${condition})`,
]

/**
 * Ends the launches that the condition names, with their codes and access tokens, unless they have
 * expired. Returns id and EHR session of each.
 */
export const endLaunchesStatement = (condition: Statement, { at, reason }: End): Statement =>
  sql`UPDATE launches SET ended_at = ${at}, ended_reason = ${reason}
    WHERE ${condition} AND ended_at IS NULL AND token_revoked_at IS NULL
      AND (token_expires_at > ${at} OR (code_spent_at IS NULL AND expires_at > ${at}))
    RETURNING id, session_id`

export const endedLaunchOf = (row: Row): EndedLaunch => ({
  id: text(row, 'id'),
  sessionId: text(row, 'session_id'),
})

/**
 * True for a row of launches whose app is enabled and was not disabled since the launch was created.
 * An insert that raced with the disabling may leave a launch that the disabling has not seen; this
 * keeps it dead, also when the app is enabled again.
 */
export const APP_IS_ENABLED: Statement = sql`EXISTS (SELECT 1 FROM apps a
  WHERE a.id = launches.app_id AND a.disabled_at IS NULL AND a.deleted_at IS NULL
    AND COALESCE(a.disabled_count, 0) = COALESCE(launches.app_disabled_count, a.disabled_count, 0))`
