// The SQL of sign-in flows. Approval and delivery are one guarded write each, so each happens once; the
// delivery inserts the sign-in. The session id is stored as its hash.

import { type Database, readOne } from '../../db/database.ts'
import { integer, optionalInteger, optionalText, text } from '../../db/row.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { lockUserStatement } from '../../users/user-store.ts'
import type { MintedSignIn } from '../sign-in.ts'
import { expiryOf, insertSignInStatement } from '../sign-in-store.ts'
import { DELIVERED_FLOW_KEPT_MS, type SignInFlow } from './sign-in-flow.ts'

export interface NewFlow {
  readonly sessionHash: string
  readonly challenge: string
  readonly hostOrigin?: string | undefined
  readonly createdAt: number
  readonly expiresAt: number
}

/** The first of parallel inserts counts. */
export async function insertFlow(
  db: Database,
  { sessionHash, challenge, hostOrigin, createdAt, expiresAt }: NewFlow,
): Promise<void> {
  await db.write(
    sql`INSERT INTO sign_in_flows (session_hash, challenge, host_origin, created_at, expires_at)
      VALUES (${sessionHash}, ${challenge}, ${hostOrigin ?? null}, ${createdAt}, ${expiresAt})
      ON CONFLICT (session_hash) DO NOTHING`,
  )
}

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
      hostOrigin: optionalText(row, 'host_origin'),
      proofHash: optionalText(row, 'proof_hash'),
      askedFrom: optionalText(row, 'asked_from'),
      approvedFor: optionalText(row, 'approved_for'),
    }
  )
}

export interface Approval {
  readonly sessionHash: string
  readonly userId: string
  /** The login method that authenticated the user; the approval fails if it is deleted by now. */
  readonly methodId: string
  /** The time; only a sign-in at the provider has it. */
  readonly authenticatedAt?: number | undefined
  /** The hash of what the browser of the approval gives to the extension in it. */
  readonly proofHash?: string | undefined
  /** The network of this browser, unless the user typed the code. */
  readonly approvedFor?: string | undefined
  readonly now: number
}

/** Stores from where a program asks, for the page on which its user decides. */
export async function updateAskedFrom(
  db: Database,
  sessionHash: string,
  network: string,
): Promise<void> {
  await db.write(
    sql`UPDATE sign_in_flows SET asked_from = ${network}
      WHERE session_hash = ${sessionHash} AND approved_at IS NULL`,
  )
}

/** Returns false when the flow has expired or was approved before. */
export async function approveFlow(
  db: Database,
  { sessionHash, userId, methodId, authenticatedAt, proofHash, approvedFor, now }: Approval,
): Promise<boolean> {
  const [, rows] = await db.write(
    lockUserStatement(userId),
    sql`UPDATE sign_in_flows SET user_id = ${userId}, approved_at = ${now},
        authenticated_at = ${authenticatedAt ?? null}, proof_hash = ${proofHash ?? null},
        approved_for = ${approvedFor ?? null},
        provider_id = (SELECT m.provider_id FROM login_methods m WHERE m.id = ${methodId}),
        account_id = (SELECT m.account_id FROM login_methods m WHERE m.id = ${methodId})
      WHERE session_hash = ${sessionHash} AND approved_at IS NULL AND expires_at > ${now}
        AND EXISTS (SELECT 1 FROM login_methods WHERE id = ${methodId} AND user_id = ${userId})
      RETURNING session_hash`,
  )
  return rows?.length === 1
}

/** The user whom this flow signed in, while that sign-in was not ended by a person or the service. */
export async function findUserOfFlow(
  db: Database,
  sessionHash: string,
): Promise<string | undefined> {
  const row = await readOne(
    db,
    sql`SELECT s.user_id FROM sign_in_flows f JOIN sign_ins s ON s.id = f.sign_in_id
      WHERE f.session_hash = ${sessionHash}
        AND (s.ended_at IS NULL OR s.ended_reason IN ('idle', 'expired'))`,
  )
  return row && text(row, 'user_id')
}

/** The user refused: the flow expires now. */
export async function refuseFlow(db: Database, sessionHash: string, now: number): Promise<void> {
  await db.write(
    sql`UPDATE sign_in_flows SET expires_at = ${now}
      WHERE session_hash = ${sessionHash} AND approved_at IS NULL`,
  )
}

const columnOfFlow = (column: Statement, sessionHash: string): Statement =>
  sql`(SELECT ${column} FROM sign_in_flows f WHERE f.session_hash = ${sessionHash})`

interface DeliveredFlow {
  readonly userId: string
  readonly expiresAt: number
  /** The only account that the sign-in reaches. */
  readonly boundTo: string | undefined
}

/**
 * Inserts the sign-in of an approved flow, once. Returns its user and expiry; undefined when it was delivered
 * before, or the user is disabled by now.
 */
export async function deliverFlow(
  db: Database,
  sessionHash: string,
  challenge: string,
  minted: Omit<MintedSignIn, 'token'>,
): Promise<DeliveredFlow | undefined> {
  const now = minted.createdAt
  const [, rows] = await db.write(
    sql`UPDATE sign_in_flows SET delivered_at = ${now}, sign_in_id = ${minted.id}
      WHERE session_hash = ${sessionHash} AND challenge = ${challenge}
        AND approved_at IS NOT NULL AND delivered_at IS NULL AND expires_at > ${now}`,
    // Only the write that marked the flow with its own sign-in finds the row.
    insertSignInStatement(
      minted,
      sql`u.id = (SELECT f.user_id FROM sign_in_flows f
        WHERE f.session_hash = ${sessionHash} AND f.sign_in_id = ${minted.id})`,
      {
        authenticatedAt: columnOfFlow(sql`f.authenticated_at`, sessionHash),
        providerId: columnOfFlow(sql`f.provider_id`, sessionHash),
        accountId: columnOfFlow(sql`f.account_id`, sessionHash),
      },
    ),
  )
  const [row] = rows ?? []
  return (
    row && {
      userId: text(row, 'user_id'),
      expiresAt: expiryOf([row]),
      boundTo: optionalText(row, 'account_id'),
    }
  )
}

export const deleteExpiredFlowsStatement = (now: number): Statement =>
  sql`DELETE FROM sign_in_flows WHERE expires_at < ${now}
    AND (delivered_at IS NULL OR expires_at < ${now - DELIVERED_FLOW_KEPT_MS})`
