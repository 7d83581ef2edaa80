// The SQL of sign-ins. Finding one and judging whether it is live is one statement; ending one
// ends the EHR sessions, launches and so the access tokens that hang on it in the same write.
import { type Database, type Row, type Statement, statement } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import { ALWAYS, type Condition } from '../users/invitation-store.ts'
import type { Membership, User } from '../users/user.ts'
import { MEMBERSHIP_COLUMNS, membershipsOf, userOf, WITH_MEMBERSHIPS } from '../users/user-store.ts'
import type { Moment, SignIn } from './sign-in.ts'

/**
 * Stores a sign-in while the method that proved it is still there and its person may sign in; a reset
 * at this very moment must not leave one behind. RETURNING gives a row when it was stored.
 */
export const insertSignIn = (signIn: SignIn, tokenHash: string, methodId: string): Statement =>
  statement(
    `INSERT INTO sign_ins (id, token_hash, user_id, created_at, last_seen_at, expires_at)
      SELECT CAST(? AS TEXT), CAST(? AS TEXT), u.id, CAST(? AS BIGINT), CAST(? AS BIGINT),
        CAST(? AS BIGINT)
      FROM login_methods m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
      WHERE m.id = ? AND u.id = ? RETURNING id`,
    signIn.id,
    tokenHash,
    signIn.createdAt,
    signIn.lastSeenAt,
    signIn.expiresAt,
    methodId,
    signIn.userId,
  )

/** The live sign-in with this id and token, with its user and what the user is a member of. */
export async function findLiveSignIn(
  db: Database,
  id: string,
  tokenHash: string,
  { now, idleSince }: Moment,
): Promise<{ signIn: SignIn; user: User; memberships: Membership[] } | undefined> {
  const rows = await db.read(
    `SELECT u.*, s.id AS sign_in_id, s.created_at AS signed_in_at, s.last_seen_at, s.expires_at,
        ${MEMBERSHIP_COLUMNS}
      FROM sign_ins s JOIN users u ON u.id = s.user_id ${WITH_MEMBERSHIPS}
      WHERE s.id = ? AND s.token_hash = ? AND s.ended_at IS NULL AND s.expires_at > ?
        AND s.last_seen_at > ? AND u.disabled_at IS NULL ORDER BY a.id`,
    id,
    tokenHash,
    now,
    idleSince,
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
  await db.write(statement('UPDATE sign_ins SET last_seen_at = ? WHERE id = ?', now, id))
}

/** Signs out: the sign-in and everything that hangs on it, at once. Gives the ended EHR sessions. */
export async function endSignIn(db: Database, id: string, now: number): Promise<string[]> {
  const [, sessions = []] = await db.write(
    statement('UPDATE sign_ins SET ended_at = ? WHERE id = ? AND ended_at IS NULL', now, id),
    statement(
      'UPDATE ehr_sessions SET ended_at = ? WHERE sign_in_id = ? AND ended_at IS NULL RETURNING id',
      now,
      id,
    ),
    statement(
      `UPDATE launches SET ended_at = ? WHERE ended_at IS NULL
        AND session_id IN (SELECT id FROM ehr_sessions WHERE sign_in_id = ?)`,
      now,
      id,
    ),
  )
  return sessions.map((row) => text(row, 'id'))
}

/**
 * Everything that a person is signed in to, everywhere, and what they have approved and no client has
 * collected yet; but for the sign-in `keep`. {@link endedSessions} reads what it returned.
 */
export const endEverySignIn = (
  userId: string,
  now: number,
  {
    where: { sql, args } = ALWAYS,
    keep = '',
  }: { readonly where?: Condition; readonly keep?: string } = {},
): Statement[] => [
  // First: a client that collects its token now is waited for, and its sign-in then seen and ended.
  statement(
    `UPDATE sign_in_flows SET expires_at = ? WHERE user_id = ? AND delivered_at IS NULL AND ${sql}`,
    now,
    userId,
    ...args,
  ),
  statement(
    `UPDATE ehr_sessions SET ended_at = ? WHERE ended_at IS NULL
      AND sign_in_id IN (SELECT id FROM sign_ins WHERE user_id = ? AND id <> ?) AND ${sql}
      RETURNING id`,
    now,
    userId,
    keep,
    ...args,
  ),
  statement(
    `UPDATE launches SET ended_at = ? WHERE ended_at IS NULL AND session_id IN (
      SELECT e.id FROM ehr_sessions e JOIN sign_ins s ON s.id = e.sign_in_id
        WHERE s.user_id = ? AND s.id <> ?)
      AND ${sql}`,
    now,
    userId,
    keep,
    ...args,
  ),
  statement(
    `UPDATE sign_ins SET ended_at = ? WHERE user_id = ? AND id <> ? AND ended_at IS NULL
      AND ${sql}`,
    now,
    userId,
    keep,
    ...args,
  ),
]

/** The EHR sessions that {@link endEverySignIn} has ended, from the results of its statements. */
export const endedSessions = ([, sessions = []]: readonly (readonly Row[])[]): string[] =>
  sessions.map((row) => text(row, 'id'))
