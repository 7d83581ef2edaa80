// The SQL of EHR sessions. A session is live while it is not ended and the sign-in behind it is live;
// ending it ends its launches, and so their tokens, in the same write. Never judges access.
// Contract §3.
import type { EndReason } from '@chartside/protocol/launch'
import { type Database, type Row, readOne, writeOne } from '../db/database.ts'
import { integer, jsonOnce, optionalInteger, optionalText, text } from '../db/row.ts'
import { concerning, list, type Remembered, remember, type Statement, sql } from '../db/sql.ts'
import { partOfId } from '../kernel/partitions.ts'
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
  listParts,
  REACHES_ACCOUNT,
  SIGN_IN_TIMES,
  signInIsLive,
  signInTimesOf,
  updateLastSeen,
} from '../liveness/liveness-store.ts'
import type { EhrSession, FoundSession } from './session.ts'

/** The time is later than every other: BIGINT has room for it. */
const NEVER = Number.MAX_SAFE_INTEGER

/**
 * Stores a session if its sign-in is live and its user is a member of the account or a platform administrator. The
 * last returns its id, and no row when the user has signed out, or was removed from the account.
 */
export function insertSessionStatements(
  session: EhrSession,
  cutoff: LivenessCutoff,
): [Statement, Statement, Statement] {
  const part = String(partOfId(session.id))
  const isNoted = sql`',' || parts || ',' LIKE ${`%,${part},%`}`
  return [
    // Locks the sign-in: a sign-out waits for this write, then finds the session and ends it. Activity
    // finds the session by its part. No remembered row has that column.
    concerning(
      session.id,
      sql`UPDATE sign_ins SET parts = CASE WHEN parts IS NULL THEN ${part} WHEN ${isNoted} THEN parts
          ELSE parts || ${`,${part}`} END
        WHERE id = ${session.signInId}`,
    ),
    // Locks the membership: a removal waits for this write, then finds the session and ends it.
    concerning(
      session.id,
      sql`UPDATE members SET role = role
        WHERE account_id = ${session.account.id} AND user_id = ${session.userId}`,
    ),
    insertSessionStatement(session, cutoff),
  ]
}

const insertSessionStatement = (session: EhrSession, cutoff: LivenessCutoff): Statement =>
  concerning(
    session.id,
    sql`INSERT INTO ehr_sessions (id, part, sign_in_id, user_id, account_id, ehr_type, device_id, apps,
        collection_id, collection_version, ehr, created_at, signed_in_at, expires_at, last_seen_at)
      SELECT ${session.id}, CAST(${partOfId(session.id)} AS INTEGER), s.id, s.user_id,
          ${session.account.id}, ${session.ehrType},
          ${session.deviceId}, ${JSON.stringify(session.apps)}, ${session.collection?.id ?? null},
          CAST(${session.collection?.version ?? null} AS BIGINT),
          ${session.ehr === undefined ? null : JSON.stringify(session.ehr)},
          CAST(${session.createdAt} AS BIGINT), COALESCE(NULLIF(s.authenticated_at, 0), s.created_at),
          s.expires_at, s.last_seen_at
        FROM sign_ins s WHERE s.id = ${session.signInId} AND ${signInIsLive(cutoff)}
          AND COALESCE(s.account_id, ${session.account.id}) = ${session.account.id}
          AND EXISTS (SELECT 1 FROM accounts a
            WHERE a.id = ${session.account.id} AND a.deleted_at IS NULL AND ${REACHES_ACCOUNT})
          AND (EXISTS (SELECT 1 FROM members m
              WHERE m.account_id = ${session.account.id} AND m.user_id = s.user_id
                AND m.invited_at IS NULL AND m.role <> 'viewer'
                AND COALESCE(m.expires_at, ${NEVER}) > ${session.createdAt})
            OR s.account_id IS NULL
              AND EXISTS (SELECT 1 FROM users u WHERE u.id = s.user_id AND u.role = 'admin'))
      RETURNING id`,
  )

/** The row is read for each launch. Writes name the session or its sign-in; a change of an account forgets all. */
const SESSION_ROWS: Remembered = {
  name: 'session',
  tables: ['ehr_sessions', 'accounts'],
  recordsOf: (rows) => rows.flatMap((row) => [text(row, 'id'), text(row, 'sign_in_id')]),
}

/** The session, live or ended, with the present name of its account. */
export async function findSession(
  db: Database,
  id: string,
  cutoff: LivenessCutoff,
): Promise<FoundSession | undefined> {
  const row = await readOne(
    db,
    remember(sql`${SELECT_SESSIONS} WHERE s.id = ${id} AND s.part = ${partOfId(id)}`, SESSION_ROWS),
  )
  return row && sessionOf(row, cutoff)
}

/** Finds those of these sessions that are stored. */
export async function findSessions(
  db: Database,
  ids: readonly string[],
  cutoff: LivenessCutoff,
): Promise<FoundSession[]> {
  const parts = [...new Set(ids.map(partOfId))]
  const rows = await db.read(
    sql`${SELECT_SESSIONS} WHERE s.part IN (${list(parts)}) AND s.id IN (${list(ids)})`,
  )
  return rows.map((row) => sessionOf(row, cutoff))
}

const SELECT_SESSIONS = sql`SELECT s.id, s.sign_in_id, s.user_id, s.account_id, s.ehr_type,
    s.device_id, s.collection_id, s.collection_version, s.ehr, s.apps, s.created_at, s.ended_at,
    s.ended_reason, a.name AS account_name, ${SIGN_IN_TIMES}
  FROM ehr_sessions s JOIN accounts a ON a.id = s.account_id`

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
    ehr: row.ehr === null ? undefined : jsonOnce(row, 'ehr'),
    apps: jsonOnce(row, 'apps'),
    createdAt: integer(row, 'created_at'),
    ended: endOfSession(row, signIn, cutoff),
    plannedEnd: planSignInEnd(signIn, cutoff),
  }
}

/** The recorded end of the session. */
function endOf(row: Row): End | undefined {
  const at = optionalInteger(row, 'ended_at')
  if (at === undefined) return undefined
  return { at, reason: text(row, 'ended_reason') as EndReason }
}

/** Its own end or that of its sign-in; undefined while it is live. The first end counts. */
export const endOfSession = (row: Row, signIn: SignInTimes, cutoff: LivenessCutoff) =>
  firstEnd([endOf(row), decideSignInEnd(signIn, cutoff)])

export async function endSession(db: Database, id: string, end: End): Promise<void> {
  await db.write(
    ...endSessionsStatements({ of: id, parts: [partOfId(id)], condition: sql`e.id = ${id}` }, end),
  )
}

/**
 * Records activity in a live session, in one guarded statement, and only then in its sign-in and the
 * other sessions of that: activity in a session that has ended keeps nothing alive.
 */
export async function updateActivity(
  db: Database,
  { id, signInId }: Pick<EhrSession, 'id' | 'signInId'>,
  cutoff: LivenessCutoff,
  before: number,
): Promise<void> {
  const row = await writeOne(
    db,
    concerning(
      id,
      sql`UPDATE ehr_sessions AS s SET last_seen_at = ${cutoff.now}
        WHERE s.id = ${id} AND s.part = ${partOfId(id)} AND s.last_seen_at <= ${before}
          AND ${signInIsLive(cutoff)} RETURNING id`,
    ),
  )
  if (row) await updateLastSeen(db, signInId, cutoff, before)
}

/** The ids of the EHR sessions of a sign-in that are not ended. */
export async function listLiveSessions(db: Database, signInId: string): Promise<string[]> {
  const parts = await listParts(db, signInId)
  const rows = await db.read(
    sql`SELECT id FROM ehr_sessions
      WHERE part IN (${list(parts)}) AND sign_in_id = ${signInId} AND ended_at IS NULL`,
  )
  return rows.map((row) => text(row, 'id'))
}
