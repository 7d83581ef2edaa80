// The SQL of sign-ins. One statement finds a sign-in with what decides whether it is live. Ending one ends its
// EHR sessions and launches, and so their access tokens, in the same write.

import type { Database, Row } from '../db/database.ts'
import { integer, optionalText, text } from '../db/row.ts'
import {
  ALWAYS,
  byKey,
  concerning,
  list,
  type Remembered,
  remember,
  type Statement,
  sql,
} from '../db/sql.ts'
import { isReached, type Person } from '../kernel/user.ts'
import { decideSignInEnd, type End, type LivenessCutoff } from '../liveness/liveness.ts'
import {
  endSessionsStatements,
  listParts,
  SIGN_IN_TIMES,
  signInIsLive,
  signInTimesOf,
} from '../liveness/liveness-store.ts'
import { MEMBERSHIP_COLUMNS, membershipsOf, userOf, WITH_MEMBERSHIPS } from '../users/user-store.ts'
import { EMERGENCY_ACCESS_MS, type MintedSignIn, type SignIn } from './sign-in.ts'

/** The columns that the login method gives to a sign-in, each NULL where it does not say. */
interface MethodColumns {
  readonly authenticatedAt: Statement
  /** The provider of an account, and the account that it reaches. */
  readonly providerId: Statement
  readonly accountId: Statement
}

/**
 * Inserts a sign-in of the user `u` that the condition names, unless that user is disabled. Returns the
 * `user_id` when it did, and the expiry: access in an emergency is short.
 */
export const insertSignInStatement = (
  { id, tokenHash, createdAt, lastSeenAt, expiresAt, client }: Omit<MintedSignIn, 'token'>,
  condition: Statement,
  { authenticatedAt, providerId, accountId }: MethodColumns,
): Statement =>
  concerning(
    id,
    sql`INSERT INTO sign_ins (id, token_hash, user_id, created_at, last_seen_at, expires_at,
        user_agent, address, authenticated_at, provider_id, account_id)
      SELECT CAST(${id} AS TEXT), CAST(${tokenHash} AS TEXT), u.id, CAST(${createdAt} AS BIGINT),
        CAST(${lastSeenAt} AS BIGINT), CASE WHEN u.emergency_at IS NULL
          THEN CAST(${expiresAt} AS BIGINT)
          ELSE CAST(${Math.min(expiresAt, createdAt + EMERGENCY_ACCESS_MS)} AS BIGINT) END,
        CAST(${client?.userAgent ?? null} AS TEXT), CAST(${client?.address ?? null} AS TEXT),
        ${authenticatedAt}, ${providerId}, ${accountId}
      FROM users u WHERE u.disabled_at IS NULL AND ${condition} RETURNING user_id, expires_at,
        account_id`,
  )

/** The expiry in the row that {@link insertSignInStatement} returned. */
export const expiryOf = ([row]: readonly Row[]): number => (row ? integer(row, 'expires_at') : 0)

/** Inserts nothing when the login method is gone: a reset at this moment leaves no sign-in behind. */
export const insertSignInByMethodStatement = (
  minted: Omit<MintedSignIn, 'token'>,
  userId: string,
  methodId: string,
  authenticatedAt?: number,
): Statement =>
  insertSignInStatement(
    minted,
    sql`u.id = ${userId} AND EXISTS (SELECT 1 FROM login_methods m
        WHERE m.id = ${methodId} AND m.user_id = u.id)`,
    {
      authenticatedAt: sql`CAST(${authenticatedAt ?? null} AS BIGINT)`,
      providerId: sql`(SELECT m.provider_id FROM login_methods m WHERE m.id = ${methodId})`,
      accountId: sql`(SELECT m.account_id FROM login_methods m WHERE m.id = ${methodId})`,
    },
  )

/** The columns: `auth_time` for apps, and the time that judges a recent sign-in: 0 where the provider says none. [V27] */
const MOMENTS = sql`COALESCE(NULLIF(s.authenticated_at, 0), s.created_at) AS signed_in_at,
  COALESCE(s.authenticated_at, s.created_at) AS authenticated_at, s.created_at AS sign_in_created_at`

/** Each read of a sign-in has these columns: what it reaches takes no second look-up. */
const REACH = sql`s.provider_id, s.account_id AS bound_to`

/** Every call of the API reads it. Writes name the sign-in; a change of the person or an account forgets all. */
const PERSON_ROWS: Remembered = {
  name: 'person',
  tables: ['sign_ins', 'users', 'members', 'accounts'],
  recordsOf: ([row]) => (row ? [text(row, 'sign_in_id')] : []),
}

export interface FoundSignIn extends Omit<Person, 'signInId'> {
  readonly signIn: SignIn
}

/**
 * The sign-in with this id and token, with its user and the user's memberships; how it ended, when it
 * has; undefined for another token.
 */
export async function findSignIn(
  db: Database,
  id: string,
  tokenHash: string,
  cutoff: LivenessCutoff,
): Promise<FoundSignIn | { ended: End } | undefined> {
  const found = sql`SELECT u.id, u.email, u.name, u.role, u.created_at, u.updated_at, u.emergency_at,
      u.disabled_at, s.id AS sign_in_id, ${REACH}, ${MOMENTS}, ${SIGN_IN_TIMES},
      ${MEMBERSHIP_COLUMNS}
    FROM sign_ins s JOIN users u ON u.id = s.user_id ${WITH_MEMBERSHIPS}
    WHERE s.id = ${id} AND s.token_hash = ${tokenHash} ORDER BY a.id`
  const rows = await db.read(remember(byKey(found), PERSON_ROWS))
  const [row] = rows
  if (!row) return undefined
  const ended = decideSignInEnd(signInTimesOf(row), cutoff)
  if (ended) return { ended }
  if (row.disabled_at !== null) return { ended: { at: cutoff.now, reason: 'revoked' } }
  return { signIn: signInOf(row), ...momentsOf(row), ...reachedOf(row, rows) }
}

/** The user as the sign-in reaches them; `rows` are those of its memberships. Contract §13. */
function reachedOf(
  row: Row,
  rows: readonly Row[],
): Pick<Person, 'user' | 'memberships' | 'boundTo' | 'closedTo'> {
  const boundTo = optionalText(row, 'bound_to')
  const providerId = optionalText(row, 'provider_id')
  const user = userOf(row)
  const isClosed = (one: Row) => {
    const required = optionalText(one, 'required_providers')?.split(',')
    return required !== undefined && !required.includes(providerId ?? 'none')
  }
  const closedTo = user.isEmergency ? [] : membershipsOf(rows.filter(isClosed))
  const reach = { boundTo, closedTo: closedTo.map(({ account }) => account.id) }
  return {
    ...reach,
    user: boundTo === undefined ? user : { ...user, role: 'member' },
    memberships: membershipsOf(rows).filter(({ account }) => isReached(reach, account.id)),
  }
}

/** The users of those of these sign-ins that are live, in one query. */
export async function findReaders(
  db: Database,
  ids: readonly string[],
  cutoff: LivenessCutoff,
): Promise<Person[]> {
  const rows = await db.read(
    sql`SELECT u.*, s.id AS sign_in_id, ${REACH}, ${MOMENTS}, ${MEMBERSHIP_COLUMNS}
      FROM sign_ins s JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL ${WITH_MEMBERSHIPS}
      WHERE s.id IN (${list(ids)}) AND ${signInIsLive(cutoff)} ORDER BY a.id`,
  )
  const bySignIn = Map.groupBy(rows, (row) => text(row, 'sign_in_id'))
  return [...bySignIn].flatMap(([signInId, [row, ...others]]) => {
    if (!row) return []
    return { signInId, ...momentsOf(row), ...reachedOf(row, [row, ...others]) }
  })
}

const momentsOf = (row: Row) => ({
  signedInAt: integer(row, 'signed_in_at'),
  authenticatedAt: integer(row, 'authenticated_at'),
})

function signInOf(row: Row): SignIn {
  const { lastSeenAt, expiresAt } = signInTimesOf(row)
  return {
    id: text(row, 'sign_in_id'),
    userId: text(row, 'id'),
    createdAt: integer(row, 'sign_in_created_at'),
    lastSeenAt,
    expiresAt,
  }
}

export interface OpenSignIn extends SignIn {
  readonly userAgent: string | undefined
  readonly address: string | undefined
}

interface AskedSignIns {
  /** The list has only the sign-in with this id. */
  readonly id?: string
  /** The list has only sign-ins before this id. */
  readonly before?: string
  readonly limit: number
}

/** The live sign-ins of a user, newest first. */
export async function listLiveSignIns(
  db: Database,
  userId: string,
  cutoff: LivenessCutoff,
  { id, before, limit }: AskedSignIns,
): Promise<OpenSignIn[]> {
  const isChosen = id === undefined ? ALWAYS : sql`s.id = ${id}`
  const isBefore = before === undefined ? ALWAYS : sql`s.id < ${before}`
  const rows = await db.read(
    sql`SELECT s.* FROM sign_ins s WHERE s.user_id = ${userId} AND ${isChosen} AND ${isBefore}
        AND ${signInIsLive(cutoff)} ORDER BY s.id DESC LIMIT ${limit}`,
  )
  return rows.map((row) => ({
    id: text(row, 'id'),
    userId,
    createdAt: integer(row, 'created_at'),
    lastSeenAt: integer(row, 'last_seen_at'),
    expiresAt: integer(row, 'expires_at'),
    userAgent: optionalText(row, 'user_agent'),
    address: optionalText(row, 'address'),
  }))
}

/** Ends one live sign-in of a user. Returns its EHR sessions; undefined when there is none such. */
export const endSignInOf = (db: Database, userId: string, id: string, cutoff: LivenessCutoff) =>
  endWhere(db, id, sql`s.user_id = ${userId} AND ${signInIsLive(cutoff)}`, cutoff.now)

/** Ends a sign-in with its EHR sessions and launches. Returns the ids of these EHR sessions. */
export const endSignIn = async (db: Database, id: string, now: number): Promise<string[]> =>
  (await endWhere(db, id, sql`s.ended_at IS NULL`, now)) ?? []

/** Ends the sign-in with this token: its browser has signed in anew. */
export const endReplacedSignIn = (db: Database, id: string, tokenHash: string, now: number) =>
  endWhere(db, id, sql`s.token_hash = ${tokenHash} AND s.ended_at IS NULL`, now)

/**
 * Asks only the partitions of the sign-in: on Citus it can end while another machine is away. A session that opens
 * in a further part meanwhile notes it in the row first; then nothing is ended, and the parts are read again.
 */
async function endWhere(
  db: Database,
  id: string,
  isMeant: Statement,
  at: number,
): Promise<string[] | undefined> {
  const reason = 'signed_out'
  let parts = await listParts(db, id)
  for (;;) {
    const [ended = [], sessions = []] = await db.write(
      concerning(
        id,
        sql`UPDATE sign_ins AS s SET ended_at = ${at}, ended_reason = ${reason}
          WHERE s.id = ${id} AND COALESCE(s.parts, '') = ${parts.join(',')} AND ${isMeant}
          RETURNING id`,
      ),
      ...endSessionsStatements(
        {
          of: id,
          parts,
          condition: sql`e.sign_in_id = (SELECT id FROM sign_ins WHERE id = ${id}
            AND ended_at = ${at})`,
        },
        { at, reason },
      ),
    )
    if (ended.length > 0) return sessions.map((row) => text(row, 'id'))
    const known = await listParts(db, id)
    if (known.length === parts.length) return undefined
    parts = known
  }
}

/**
 * Ends every sign-in of a user except `keep`, every approved flow that no client has collected, and deletes the
 * developer keys. {@link endedSessions} reads the results.
 */
export const endEverySignInStatements = (
  userId: string,
  { at, reason }: End,
  { where = ALWAYS, keep = '' }: { readonly where?: Statement; readonly keep?: string } = {},
): Statement[] => [
  // First: it waits for a delivery that runs now, whose sign-in the next statements then see and end.
  sql`UPDATE sign_in_flows SET expires_at = ${at}
    WHERE user_id = ${userId} AND delivered_at IS NULL AND ${where}`,
  sql`UPDATE sign_ins SET ended_at = ${at}, ended_reason = ${reason}
    WHERE user_id = ${userId} AND id <> ${keep} AND ended_at IS NULL AND ${where}`,
  ...endSessionsStatements(
    { condition: sql`e.user_id = ${userId} AND e.sign_in_id <> ${keep} AND ${where}` },
    { at, reason },
  ),
  // A user who has lost a device, or a way to sign in, has to find nothing that goes on. Decision 95.
  sql`DELETE FROM developer_keys WHERE user_id = ${userId} AND ${where}`,
]

/** Erases browser and network of the sign-ins of a user, which else go with the retention. */
export const eraseClientsStatement = (userId: string, condition: Statement): Statement =>
  sql`UPDATE sign_ins SET user_agent = NULL, address = NULL
    WHERE user_id = ${userId} AND ${condition}`

/** The ids of the EHR sessions that {@link endEverySignInStatements} ended. */
export const endedSessions = ([, , sessions = []]: readonly (readonly Row[])[]): string[] =>
  sessions.map((row) => text(row, 'id'))
