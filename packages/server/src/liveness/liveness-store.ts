// The SQL of what lives and ends together: the condition under which a sign-in is live, the activity
// that keeps it live, and the statements that end EHR sessions and launches. No other file writes any
// of them, so no caller can end a session and leave a live token behind.
import type { EndReason } from '@chartside/protocol/launch'
import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, concerning, list, type Statement, sql } from '../db/sql.ts'
import { partOf } from '../kernel/partitions.ts'
import type { End, EndedLaunch, LivenessCutoff, SignInTimes } from './liveness.ts'

/**
 * The condition is true for a row `s` of sign_ins, or of ehr_sessions, whose sign-in is live: a session
 * carries the times of its sign-in. It is the same rule as {@link isSignInLive}.
 */
export const signInIsLive = ({ now, idleSince }: LivenessCutoff): Statement =>
  sql`s.ended_at IS NULL AND s.expires_at > ${now} AND s.last_seen_at > ${idleSince}`

/**
 * The condition is true for a row `s` of sign_ins that may have EHR sessions in the row `a` of accounts: it
 * requires no provider, or the sign-in is one of those, or of the account for emergencies. Contract §13.
 */
export const REACHES_ACCOUNT: Statement = sql`(a.required_providers IS NULL
  OR a.required_providers LIKE '%' || s.provider_id || ',%'
  OR EXISTS (SELECT 1 FROM users x WHERE x.id = s.user_id AND x.emergency_at IS NOT NULL))`

/** The columns of a row `s` of sign_ins, or of ehr_sessions, that {@link signInTimesOf} reads. */
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
 * Records the activity of a sign-in that is live, unless a later one than `before` is recorded, on its
 * row and on those of its EHR sessions. An activity after the end revives nothing.
 */
export async function updateLastSeen(
  db: Database,
  signInId: string,
  cutoff: LivenessCutoff,
  before: number,
): Promise<void> {
  const parts = await listParts(db, signInId)
  const ofSignIn = concerning(
    signInId,
    sql`UPDATE sign_ins AS s SET last_seen_at = ${cutoff.now} WHERE s.id = ${signInId}
      AND s.last_seen_at <= ${before} AND ${signInIsLive(cutoff)}`,
  )
  if (parts.length === 0) return void (await db.write(ofSignIn))
  // The sign-in first: a session that opens now holds its row, so the next statement finds it.
  await db.write(
    ofSignIn,
    concerning(
      signInId,
      sql`UPDATE ehr_sessions AS s SET last_seen_at = ${cutoff.now}
        WHERE s.part IN (${list(parts)}) AND s.sign_in_id = ${signInId}
          AND s.last_seen_at <= ${before} AND ${signInIsLive(cutoff)}`,
    ),
  )
}

/** The parts in which a sign-in has EHR sessions. */
export async function listParts(db: Database, signInId: string): Promise<number[]> {
  const row = await readOne(db, sql`SELECT parts FROM sign_ins WHERE id = ${signInId}`)
  const parts = row && optionalText(row, 'parts')
  return parts ? parts.split(',').map(Number) : []
}

/** The condition selects the EHR sessions `e` that end: those of parts in their partitions, others in all. */
export interface EndingSessions {
  readonly parts?: readonly number[]
  /** The session, or the sign-in, that is the only one it may concern. */
  readonly of?: string
  readonly condition: Statement
}

/** These reasons end a chart or panel: the person goes on, and no app server is notified. Contract §12. */
const IS_NO_LOGOUT: ReadonlySet<EndReason> = new Set(['closed', 'chart_changed'])

/**
 * Ends these EHR sessions and all their launches, so that their codes and access tokens are dead too, and
 * makes the logout notices of their apps due. The first statement returns the id of each session that it
 * ended. A session may open beside it: what ends a sign-in writes to the sign-in first, whose row the
 * opening holds. The last statement comes after that of the launches, whose rows an exchange holds.
 */
export function endSessionsStatements(
  { parts, of, condition }: EndingSessions,
  { at, reason }: End,
): Statement[] {
  if (parts?.length === 0) return []
  const ofSession = parts === undefined ? ALWAYS : sql`e.part IN (${list(parts)})`
  const ofLaunch = parts === undefined ? ALWAYS : sql`part IN (${list(parts)})`
  const only = (write: Statement) => (of === undefined ? write : concerning(of, write))
  return [
    only(sql`UPDATE ehr_sessions AS e SET ended_at = ${at}, ended_reason = ${reason}
      WHERE e.ended_at IS NULL AND ${ofSession} AND ${condition} RETURNING id`),
    only(sql`UPDATE launches SET ended_at = ${at}, ended_reason = ${reason}
      WHERE ended_at IS NULL AND ${ofLaunch} AND (part, session_id) IN
        (SELECT e.part, e.id FROM ehr_sessions e WHERE ${ofSession} AND ${condition})`),
    ...(IS_NO_LOGOUT.has(reason)
      ? []
      : [
          sql`UPDATE logout_debts SET ended_at = ${at}, due_at = ${at}
            WHERE ended_at IS NULL AND ${ofLaunch} AND (part, session_id) IN
              (SELECT e.part, e.id FROM ehr_sessions e WHERE ${ofSession} AND ${condition})`,
        ]),
  ]
}

/**
 * Ends what came from the provider of an account: flows that no client has collected, sign-ins and their EHR
 * sessions. The third statement and those after it are of {@link endSessionsStatements}. Contract §13.
 */
export const endSignInsOfProviderStatements = (
  providerId: string,
  condition: Statement,
  { at, reason }: End,
): Statement[] => [
  sql`UPDATE sign_in_flows SET expires_at = ${at}
    WHERE provider_id = ${providerId} AND delivered_at IS NULL AND ${condition}`,
  sql`UPDATE sign_ins SET ended_at = ${at}, ended_reason = ${reason}
    WHERE provider_id = ${providerId} AND ended_at IS NULL AND ${condition}`,
  ...endSessionsStatements(
    {
      condition: sql`e.sign_in_id IN (SELECT id FROM sign_ins WHERE provider_id = ${providerId})
        AND ${condition}`,
    },
    { at, reason },
  ),
]

/**
 * Ends the EHR sessions of an account that now requires a provider, where their sign-in came otherwise. The
 * second statement and those after it are of {@link endSessionsStatements}.
 */
export function endUnreachedSessionsStatements(accountId: string, end: End): Statement[] {
  const mayOpen = sql`ended_at IS NULL AND expires_at > ${end.at}
    AND user_id IN (SELECT user_id FROM members WHERE account_id = ${accountId}
      UNION SELECT id FROM users WHERE role = 'admin')`
  return [
    // Locks the sign-ins that may open a session there: an opening waits, and then finds what is required.
    sql`UPDATE sign_ins SET parts = parts WHERE ${mayOpen}`,
    ...endSessionsStatements(
      {
        parts: [partOf(accountId)],
        condition: sql`e.account_id = ${accountId} AND e.sign_in_id IN (SELECT s.id
          FROM (SELECT * FROM sign_ins WHERE ${mayOpen}) AS s CROSS JOIN accounts a
          WHERE a.id = ${accountId} AND NOT COALESCE(${REACHES_ACCOUNT}, FALSE))`,
      },
      end,
    ),
  ]
}

/** Makes the notices of an app that was disabled or deleted due: none of its sessions goes on. */
export const endDebtsOfAppStatement = (appId: string, at: number): Statement =>
  sql`UPDATE logout_debts SET ended_at = ${at}, due_at = ${at}
    WHERE app_id = ${appId} AND ended_at IS NULL AND EXISTS (SELECT 1 FROM apps a
      WHERE a.id = ${appId} AND (a.disabled_at IS NOT NULL OR a.deleted_at IS NOT NULL))`

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
 * The condition is true for a row of launches whose app is enabled and was not disabled since the launch was
 * created. An insert that raced with the disabling may leave a launch that the disabling has not seen; this
 * keeps it dead, also when the app is enabled again.
 */
export const APP_IS_ENABLED: Statement = sql`EXISTS (SELECT 1 FROM apps a
  WHERE a.id = launches.app_id AND a.disabled_at IS NULL AND a.deleted_at IS NULL
    AND a.disabled_count = launches.app_disabled_count)`

/** The same as a join: the app `a` of a row `l` of launches, where that is true. */
export const ENABLED_APP: Statement = sql`apps a ON a.id = l.app_id AND a.disabled_at IS NULL
  AND a.deleted_at IS NULL AND a.disabled_count = l.app_disabled_count`

/** A launch is live for as long as its sign-in at most; older ones need no look. */
export const MAX_SIGN_IN_MS = 86_400_000

/** The row `x` of stopped_apps or of stopped_ehrs kills launches that were created when this column says. */
const killsFrom = (createdAt: Statement): Statement =>
  sql`(x.resumed_at IS NULL OR x.resumed_at >= ${createdAt})`

/**
 * The condition is true for a row of launches whose app was not stopped since the launch, by its account or on its EHR:
 * an insert that raced with the stop stays dead. Almost always one look at an index finds no row.
 */
export const APP_IS_NOT_STOPPED: Statement = sql`NOT EXISTS (SELECT 1 FROM stopped_apps x
  CROSS JOIN ehr_sessions e WHERE x.part = launches.part AND x.app_id = launches.app_id
    AND e.part = launches.part AND e.id = launches.session_id AND e.account_id = x.account_id
    AND ${killsFrom(sql`launches.created_at`)})
  AND NOT EXISTS (SELECT 1 FROM stopped_ehrs x CROSS JOIN ehr_sessions e
    WHERE x.app_id = launches.app_id AND e.part = launches.part AND e.id = launches.session_id
      AND e.ehr_type = x.ehr_type AND ${killsFrom(sql`launches.created_at`)})`

/** The same for a row `l` of launches with its EHR session `s` beside it. */
export const IS_NOT_STOPPED: Statement = sql`NOT EXISTS (SELECT 1 FROM stopped_apps x
  WHERE x.part = l.part AND x.app_id = l.app_id AND x.account_id = s.account_id
    AND ${killsFrom(sql`l.created_at`)})
  AND NOT EXISTS (SELECT 1 FROM stopped_ehrs x WHERE x.app_id = l.app_id
    AND x.ehr_type = s.ehr_type AND ${killsFrom(sql`l.created_at`)})`
