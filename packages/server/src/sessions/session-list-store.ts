// The SQL of the list of EHR sessions: which a caller sees, the filters, newest first. Each part of what a
// caller sees walks an index in the order of the list, so no list reads the whole table. Never judges
// access: session-list-http.ts does. Contract §3.
import type { Database, Row } from '../db/database.ts'
import { findNamedUsers, type NamedUser } from '../db/named-users.ts'
import { integer, optionalText, text } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import { idFloor } from '../kernel/identifiers.ts'
import { partOf } from '../kernel/partitions.ts'
import type { OwnScope } from '../kernel/user.ts'
import type { LivenessCutoff } from '../liveness/liveness.ts'
import { SIGN_IN_TIMES, signInIsLive, signInTimesOf } from '../liveness/liveness-store.ts'
import type { ListedSession } from './session.ts'
import { endOfSession } from './session-store.ts'

/** A caller sees all sessions, or the union of the parts that are given. */
export interface SessionScope {
  readonly isEverything: boolean
  readonly own: OwnScope
  readonly practiceIds: readonly string[]
}

export interface SessionFilter {
  readonly state: 'live' | 'ended' | undefined
  /** The list has only the sessions of this sign-in. */
  readonly signInId: string | undefined
  readonly cutoff: LivenessCutoff
}

/** A sign-in lasts a day at most (CHARTSIDE_SESSION_LIFETIME_SECONDS); a minute more for two clocks. */
const MAX_LIVE_MS = 24 * 60 * 60_000 + 60_000

function filterCondition({ state, signInId, cutoff }: SessionFilter): Statement {
  const ofSignIn = signInId === undefined ? ALWAYS : sql`s.sign_in_id = ${signInId}`
  if (state === undefined) return ofSignIn
  const isLive = signInIsLive(cutoff)
  if (state === 'ended') return sql`${ofSignIn} AND CASE WHEN ${isLive} THEN 0 ELSE 1 END = 1`
  return sql`${ofSignIn} AND s.id >= ${idFloor('ses', Math.max(cutoff.now - MAX_LIVE_MS, 0))} AND ${isLive}`
}

function scopeConditions({ isEverything, own, practiceIds }: SessionScope): Statement[] {
  if (isEverything) return [ALWAYS]
  const inAccount =
    own.accountId === undefined
      ? ALWAYS
      : sql`s.part = ${partOf(own.accountId)} AND s.account_id = ${own.accountId}`
  const { closedTo = [] } = own
  const isOpen = closedTo.length === 0 ? ALWAYS : sql`s.account_id NOT IN (${list(closedTo)})`
  return [
    sql`s.user_id = ${own.userId} AND ${inAccount} AND ${isOpen}`,
    ...(practiceIds.length > 0
      ? [
          sql`s.part IN (${list(practiceIds.map(partOf))})
            AND s.account_id IN (${list(practiceIds)})`,
        ]
      : []),
  ]
}

/** The statement of {@link listSessions}; a test reads its plan. */
export function listSessionsStatement(
  scope: SessionScope,
  filter: SessionFilter,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): Statement {
  const wanted = filterCondition(filter)
  const parts = scopeConditions(scope)
    .map(
      (isVisible) => sql`SELECT part, id FROM (SELECT s.part, s.id FROM ehr_sessions s
        WHERE ${isVisible} AND s.id < ${cursor} AND ${wanted}
        ORDER BY s.id DESC LIMIT ${limit}) AS chosen`,
    )
    .reduce((all, one) => sql`${all} UNION ${one}`)
  return sql`SELECT s.id, s.sign_in_id, s.user_id, s.account_id, s.ehr_type, s.device_id,
      s.collection_id, s.collection_version, s.created_at, s.ended_at, s.ended_reason,
      a.name AS account_name, ${SIGN_IN_TIMES},
      (SELECT COUNT(*) FROM launches l
        WHERE l.part = s.part AND l.session_id = s.id) AS launch_count
    FROM ehr_sessions s JOIN accounts a ON a.id = s.account_id
    WHERE (s.part, s.id) IN (${parts}) ORDER BY s.id DESC LIMIT ${limit}`
}

/** Lists the sessions before `cursor`, newest first. */
export async function listSessions(
  db: Database,
  scope: SessionScope,
  filter: SessionFilter,
  page: { readonly cursor: string; readonly limit: number },
): Promise<ListedSession[]> {
  const rows = await db.read(listSessionsStatement(scope, filter, page))
  const users = await findNamedUsers(db, rows)
  return rows.map((row) => listedSessionOf(row, users, filter.cutoff))
}

function listedSessionOf(
  row: Row,
  users: ReadonlyMap<string, NamedUser>,
  cutoff: LivenessCutoff,
): ListedSession {
  const collectionId = optionalText(row, 'collection_id')
  return {
    id: text(row, 'id'),
    userId: text(row, 'user_id'),
    userName: users.get(text(row, 'user_id'))?.name ?? '',
    account: { id: text(row, 'account_id'), name: text(row, 'account_name') },
    ehrType: text(row, 'ehr_type'),
    deviceId: text(row, 'device_id'),
    collection:
      collectionId === undefined
        ? undefined
        : { id: collectionId, version: integer(row, 'collection_version') },
    createdAt: integer(row, 'created_at'),
    lastSeenAt: integer(row, 'sign_in_seen_at'),
    launchCount: integer(row, 'launch_count'),
    ended: endOfSession(row, signInTimesOf(row), cutoff),
  }
}
