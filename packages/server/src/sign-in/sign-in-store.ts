// The SQL of sign-ins. Finding one and judging whether it is live is one statement; ending one
// ends the EHR sessions, launches and so the access tokens that hang on it in the same write.

import { ALWAYS } from '../credentials/invitation-store.ts'
import type { Database, Row } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { Membership, User } from '../kernel/user.ts'
import type { LivenessCutoff } from '../liveness/liveness.ts'
import { endSessionsStatements, signInIsLive } from '../liveness/liveness-store.ts'
import { MEMBERSHIP_COLUMNS, membershipsOf, userOf, WITH_MEMBERSHIPS } from '../users/user-store.ts'
import type { SignIn } from './sign-in.ts'

/**
 * Stores a sign-in while the method that proved it is still there and its person may sign in; a reset
 * at this very moment must not leave one behind. RETURNING gives a row when it was stored.
 */
export const insertSignInStatement = (
  signIn: SignIn,
  tokenHash: string,
  methodId: string,
): Statement =>
  sql`INSERT INTO sign_ins (id, token_hash, user_id, created_at, last_seen_at, expires_at)
      SELECT CAST(${signIn.id} AS TEXT), CAST(${tokenHash} AS TEXT), u.id, CAST(${signIn.createdAt} AS BIGINT), CAST(${signIn.lastSeenAt} AS BIGINT),
        CAST(${signIn.expiresAt} AS BIGINT)
      FROM login_methods m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
      WHERE m.id = ${methodId} AND u.id = ${signIn.userId} RETURNING id`

/** The live sign-in with this id and token, with its user and what the user is a member of. */
export async function findLiveSignIn(
  db: Database,
  id: string,
  tokenHash: string,
  cutoff: LivenessCutoff,
): Promise<{ signIn: SignIn; user: User; memberships: Membership[] } | undefined> {
  const rows = await db.read(
    sql`SELECT u.*, s.id AS sign_in_id, s.created_at AS signed_in_at, s.last_seen_at, s.expires_at,
        ${MEMBERSHIP_COLUMNS}
      FROM sign_ins s JOIN users u ON u.id = s.user_id ${WITH_MEMBERSHIPS}
      WHERE s.id = ${id} AND s.token_hash = ${tokenHash} AND ${signInIsLive(cutoff)}
        AND u.disabled_at IS NULL ORDER BY a.id`,
  )
  const [row] = rows
  return row && { signIn: signInOf(row), user: userOf(row), memberships: membershipsOf(rows) }
}

function signInOf(row: Row): SignIn {
  return {
    id: text(row, 'sign_in_id'),
    userId: text(row, 'id'),
    createdAt: integer(row, 'signed_in_at'),
    lastSeenAt: integer(row, 'last_seen_at'),
    expiresAt: integer(row, 'expires_at'),
  }
}

export async function updateLastSeen(db: Database, id: string, now: number): Promise<void> {
  await db.write(sql`UPDATE sign_ins SET last_seen_at = ${now} WHERE id = ${id}`)
}

/** Signs out: the sign-in and everything that hangs on it, at once. Gives the ended EHR sessions. */
export async function endSignIn(db: Database, id: string, now: number): Promise<string[]> {
  const [, sessions = []] = await db.write(
    sql`UPDATE sign_ins SET ended_at = ${now} WHERE id = ${id} AND ended_at IS NULL`,
    ...endSessionsStatements(sql`e.sign_in_id = ${id}`, now),
  )
  return sessions.map((row) => text(row, 'id'))
}

/**
 * Everything that a person is signed in to, everywhere, and what they have approved and no client has
 * collected yet; but for the sign-in `keep`. {@link endedSessions} reads what it returned.
 */
export const endEverySignInStatements = (
  userId: string,
  now: number,
  { where = ALWAYS, keep = '' }: { readonly where?: Statement; readonly keep?: string } = {},
): Statement[] => [
  // First: a client that collects its token now is waited for, and its sign-in then seen and ended.
  sql`UPDATE sign_in_flows SET expires_at = ${now}
    WHERE user_id = ${userId} AND delivered_at IS NULL AND ${where}`,
  ...endSessionsStatements(
    sql`e.sign_in_id IN (SELECT id FROM sign_ins WHERE user_id = ${userId} AND id <> ${keep})
      AND ${where}`,
    now,
  ),
  sql`UPDATE sign_ins SET ended_at = ${now}
    WHERE user_id = ${userId} AND id <> ${keep} AND ended_at IS NULL AND ${where}`,
]

/** The EHR sessions that {@link endEverySignInStatements} has ended, from the results of its statements. */
export const endedSessions = ([, sessions = []]: readonly (readonly Row[])[]): string[] =>
  sessions.map((row) => text(row, 'id'))
