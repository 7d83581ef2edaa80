// The SQL of what lives and ends together: the condition under which a sign-in is live, and the
// statements that end EHR sessions with their launches. No other file writes either of them, so no
// caller can end a session and leave a live token behind.
import { type Statement, sql } from '../db/sql.ts'
import type { LivenessCutoff } from './liveness.ts'

/** True for a row `s` of sign_ins that is live. The same rule as {@link isSignInLive}. */
export const signInIsLive = ({ now, idleSince }: LivenessCutoff): Statement =>
  sql`s.ended_at IS NULL AND s.expires_at > ${now} AND s.last_seen_at > ${idleSince}`

/**
 * Ends the EHR sessions `e` that the condition names, and all their launches, so that their codes
 * and access tokens are dead too. The first statement returns the id of each session that it ended.
 */
export const endSessionsStatements = (
  condition: Statement,
  now: number,
): [Statement, Statement] => [
  sql`UPDATE ehr_sessions AS e SET ended_at = ${now} WHERE e.ended_at IS NULL AND ${condition} RETURNING id`,
  sql`UPDATE launches SET ended_at = ${now} WHERE ended_at IS NULL
    AND session_id IN (SELECT e.id FROM ehr_sessions e WHERE ${condition})`,
]
