// The SQL of sign-in flows: a client without cookies waits in one row, a browser approves it, and the
// session token is made when the client collects it. Approval and delivery are one guarded
// statement each, so each happens once. The session id is kept as its hash.

import { type Database, readOne } from '../../db/database.ts'
import { integer, optionalInteger, text } from '../../db/row.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { lockUserStatement } from '../../users/user-store.ts'
import type { SignIn } from '../sign-in.ts'
import { FLOW_KEPT_MS, type SignInFlow } from './sign-in-flow.ts'

/** A flow that is there already stays as it is: who comes first has it. */
export const insertFlow = (
  sessionHash: string,
  challenge: string,
  createdAt: number,
  expiresAt: number,
): Statement =>
  sql`INSERT INTO sign_in_flows (session_hash, challenge, created_at, expires_at)
      VALUES (${sessionHash}, ${challenge}, ${createdAt}, ${expiresAt}) ON CONFLICT (session_hash) DO NOTHING`

export async function findFlow(db: Database, sessionHash: string): Promise<SignInFlow | undefined> {
  const row = await readOne(
    db,
    sql`SELECT * FROM sign_in_flows WHERE session_hash = ${sessionHash}`,
  )
  return (
    row && {
      sessionHash,
      challenge: text(row, 'challenge'),
      expiresAt: integer(row, 'expires_at'),
      approvedAt: optionalInteger(row, 'approved_at'),
      deliveredAt: optionalInteger(row, 'delivered_at'),
    }
  )
}

export interface Approval {
  readonly sessionHash: string
  readonly userId: string
  /** By which the person has proven who they are; gone meanwhile, it proves nothing. */
  readonly methodId: string
  readonly now: number
}

/** False when the flow is over, or somebody was signed in already. */
export async function approveFlow(
  db: Database,
  { sessionHash, userId, methodId, now }: Approval,
): Promise<boolean> {
  const [, rows] = await db.write(
    lockUserStatement(userId),
    sql`UPDATE sign_in_flows SET user_id = ${userId}, approved_at = ${now} WHERE session_hash = ${sessionHash}
        AND approved_at IS NULL AND expires_at > ${now}
        AND EXISTS (SELECT 1 FROM login_methods WHERE id = ${methodId} AND user_id = ${userId}) RETURNING session_hash`,
  )
  return rows?.length === 1
}

/** The person said no: the client is told that it is over. */
export const refuseFlow = (sessionHash: string, now: number): Statement =>
  sql`UPDATE sign_in_flows SET expires_at = ${now} WHERE session_hash = ${sessionHash} AND approved_at IS NULL`

/**
 * Signs the person of an approved flow in, once. Gives who it is, or undefined when somebody has
 * collected it before, or the person may no longer sign in.
 */
export async function deliverFlow(
  db: Database,
  sessionHash: string,
  challenge: string,
  signIn: Omit<SignIn, 'userId'>,
  tokenHash: string,
): Promise<string | undefined> {
  const now = signIn.createdAt
  const [, rows] = await db.write(
    sql`UPDATE sign_in_flows SET delivered_at = ${now}, sign_in_id = ${signIn.id} WHERE session_hash = ${sessionHash}
        AND challenge = ${challenge} AND approved_at IS NOT NULL AND delivered_at IS NULL AND expires_at > ${now}`,
    // Finds the row only when the statement before has just marked it.
    sql`INSERT INTO sign_ins (id, token_hash, user_id, created_at, last_seen_at, expires_at)
        SELECT f.sign_in_id, CAST(${tokenHash} AS TEXT), f.user_id, CAST(${now} AS BIGINT), CAST(${signIn.lastSeenAt} AS BIGINT),
          CAST(${signIn.expiresAt} AS BIGINT)
        FROM sign_in_flows f JOIN users u ON u.id = f.user_id AND u.disabled_at IS NULL
        WHERE f.session_hash = ${sessionHash} AND f.sign_in_id = ${signIn.id} RETURNING user_id`,
  )
  return rows?.[0] && text(rows[0], 'user_id')
}

/** Removes flows that nobody can come back to. */
export const deleteForgottenFlows = (now: number): Statement =>
  sql`DELETE FROM sign_in_flows
      WHERE expires_at < ${now} AND (delivered_at IS NULL OR expires_at < ${now - FLOW_KEPT_MS})`
