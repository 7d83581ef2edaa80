// The SQL of EHR sessions. A session is live while it is not ended and the sign-in behind it is live;
// ending it ends its launches, and so their tokens, in the same write. Never judges access.
// Contract §3.
import type { EndReason } from '@chartside/protocol/launch'
import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, json, optionalInteger, optionalText, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import {
  decideSignInEnd,
  type End,
  firstEnd,
  type LivenessCutoff,
  planSignInEnd,
  type SignInTimes,
} from '../liveness/liveness.ts'
import {
  endSessionsStatements,
  SIGN_IN_TIMES,
  signInIsLive,
  signInTimesOf,
  updateLastSeenStatement,
} from '../liveness/liveness-store.ts'
import type { EhrSession, FoundSession } from './session.ts'

/**
 * Store a session if its sign-in is live and its user is a member of the account or a platform
 * administrator. The second returns its id, and no row when the user has signed out, or was removed
 * from the account.
 */
export function insertSessionStatements(
  session: EhrSession,
  cutoff: LivenessCutoff,
): [Statement, Statement] {
  return [
    // Locks the membership: a removal waits for this write, then finds the session and ends it.
    sql`UPDATE members SET role = role
      WHERE account_id = ${session.account.id} AND user_id = ${session.userId}`,
    sql`INSERT INTO ehr_sessions (id, sign_in_id, user_id, account_id, ehr_type, device_id, apps,
        collection_id, collection_version, ehr, created_at)
      SELECT ${session.id}, s.id, s.user_id, ${session.account.id}, ${session.ehrType},
          ${session.deviceId}, ${JSON.stringify(session.apps)}, ${session.collection?.id ?? null},
          CAST(${session.collection?.version ?? null} AS BIGINT),
          ${session.ehr === undefined ? null : JSON.stringify(session.ehr)}, ${session.createdAt}
        FROM sign_ins s WHERE s.id = ${session.signInId} AND ${signInIsLive(cutoff)}
          AND (EXISTS (SELECT 1 FROM members m
              JOIN accounts a ON a.id = m.account_id AND a.deleted_at IS NULL
              WHERE m.account_id = ${session.account.id} AND m.user_id = s.user_id
                AND m.invited_at IS NULL)
            OR EXISTS (SELECT 1 FROM users u WHERE u.id = s.user_id AND u.role = 'admin'))
      RETURNING id`,
  ]
}

/** The session, live or ended, with the present name of its account. */
export async function findSession(
  db: Database,
  id: string,
  cutoff: LivenessCutoff,
): Promise<FoundSession | undefined> {
  const row = await readOne(db, sql`${SELECT_SESSIONS} WHERE e.id = ${id}`)
  return row && sessionOf(row, cutoff)
}

const SELECT_SESSIONS = sql`SELECT e.*, a.name AS account_name, ${SIGN_IN_TIMES}
  FROM ehr_sessions e JOIN accounts a ON a.id = e.account_id
  JOIN sign_ins s ON s.id = e.sign_in_id`

function sessionOf(row: Row, cutoff: LivenessCutoff): FoundSession {
  const signIn = signInTimesOf(row)
  const collectionId = optionalText(row, 'collection_id')
  return {
    id: text(row, 'id'),
    signInId: text(row, 'sign_in_id'),
    userId: text(row, 'user_id'),
    account: { id: text(row, 'account_id'), name: text(row, 'account_name') },
    ehrType: text(row, 'ehr_type'),
    deviceId: text(row, 'device_id'),
    collection:
      collectionId === undefined
        ? undefined
        : { id: collectionId, version: integer(row, 'collection_version') },
    ehr: row.ehr === null ? undefined : json(row, 'ehr'),
    apps: json(row, 'apps'),
    createdAt: integer(row, 'created_at'),
    ended: endOfSession(row, signIn, cutoff),
    plannedEnd: planSignInEnd(signIn, cutoff),
  }
}

/** The recorded end of the session; one of before reasons were recorded was its host's. */
function endOf(row: Row): End | undefined {
  const at = optionalInteger(row, 'ended_at')
  if (at === undefined) return undefined
  return { at, reason: (optionalText(row, 'ended_reason') ?? 'closed') as EndReason }
}

/** Its own end or that of its sign-in; undefined while it is live. The first end counts. */
export const endOfSession = (row: Row, signIn: SignInTimes, cutoff: LivenessCutoff) =>
  firstEnd([endOf(row), decideSignInEnd(signIn, cutoff)])

export async function endSession(db: Database, id: string, end: End): Promise<void> {
  await db.write(...endSessionsStatements(sql`e.id = ${id}`, end))
}

/** Records activity in a live session of the sign-in, in one guarded statement. */
export async function updateActivity(
  db: Database,
  { id, signInId }: Pick<EhrSession, 'id' | 'signInId'>,
  cutoff: LivenessCutoff,
  before: number,
): Promise<void> {
  const isLive = sql`EXISTS (SELECT 1 FROM ehr_sessions e
    WHERE e.id = ${id} AND e.sign_in_id = s.id AND e.ended_at IS NULL)`
  await db.write(updateLastSeenStatement(signInId, cutoff, before, isLive))
}

/** The ids of the EHR sessions of a sign-in that are not ended. */
export async function listLiveSessions(db: Database, signInId: string): Promise<string[]> {
  const rows = await db.read(
    sql`SELECT id FROM ehr_sessions WHERE sign_in_id = ${signInId} AND ended_at IS NULL`,
  )
  return rows.map((row) => text(row, 'id'))
}
