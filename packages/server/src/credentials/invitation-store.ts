// The SQL of invitations. Accepting one is a single write: the first statement marks it with the login
// method that accepts it, and every other statement stands under that mark. So of two parallel
// acceptances one succeeds and the other changes nothing.

import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, optionalText, text } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import type { User } from '../kernel/user.ts'
import { lockUserStatement, userOf } from '../users/user-store.ts'
import {
  type Invitation,
  type InvitationPurpose,
  type MintedInvitation,
  OPERATOR,
} from './invitation.ts'
import type { NewLoginMethod } from './login-method.ts'
import { insertMethodStatement } from './login-method-store.ts'
import { deleteRecoveryCodesStatement } from './recovery-code-store.ts'

/** Inserts an invitation and revokes the one before it for the same purpose. */
export const insertInvitationStatements = ({
  invitation,
  tokenHash,
}: MintedInvitation): Statement[] => [
  lockUserStatement(invitation.userId),
  sql`UPDATE invitations SET used_at = ${invitation.createdAt}
    WHERE user_id = ${invitation.userId} AND purpose = ${invitation.purpose} AND used_at IS NULL
      AND COALESCE(account_id, '') = ${invitation.accountId ?? ''}`,
  sql`INSERT INTO invitations (id, token_hash, purpose, user_id, account_id, created_by, sign_in_id,
      created_at, expires_at)
    VALUES (${invitation.id}, ${tokenHash}, ${invitation.purpose}, ${invitation.userId},
      ${invitation.accountId ?? null}, ${invitation.createdBy}, ${invitation.signInId ?? null},
      ${invitation.createdAt}, ${invitation.expiresAt})`,
]

export interface OpenInvitation {
  readonly invitation: Invitation
  readonly user: User
  /** Only an invitation to a membership has this value, and a role. */
  readonly accountName: string | undefined
  readonly role: string | undefined
  /** The user signs in somehow, or belongs to an account already. */
  readonly isKnown: boolean
  /** The value is true when the person has a login method of their own, not only at the provider of an account. */
  readonly hasOwnMethod: boolean
}

/** No link is for the account for emergencies, whichever route made it, nor for a disabled user. Security V23. */
const IS_ORDINARY = sql`EXISTS (SELECT 1 FROM users e
  WHERE e.id = i.user_id AND e.emergency_at IS NULL AND e.disabled_at IS NULL)`

/**
 * The issuer must still have permission to issue it; permissions may have changed. A new method: the
 * sign-in that asked for it has not ended. A reset: the issuer is an administrator of the platform,
 * or of the account when the user belongs to no other; the command line may always.
 */
const ISSUER_STILL_AUTHORIZED = sql`${IS_ORDINARY} AND (i.purpose = 'membership'
  OR i.purpose = 'method' AND EXISTS (SELECT 1 FROM sign_ins s
    WHERE s.id = i.sign_in_id AND s.ended_at IS NULL)
  OR i.purpose = 'reset' AND i.created_by = ${OPERATOR}
  OR i.purpose = 'reset' AND EXISTS (SELECT 1 FROM users issuer WHERE issuer.id = i.created_by
    AND issuer.disabled_at IS NULL AND issuer.role = 'admin')
  OR i.purpose = 'reset' AND EXISTS (SELECT 1 FROM members own
    JOIN accounts own_account ON own_account.id = own.account_id AND own_account.deleted_at IS NULL
    JOIN users target ON target.id = own.user_id AND target.role = 'member'
    JOIN members issuing ON issuing.account_id = own.account_id AND issuing.user_id = i.created_by
      AND issuing.role = 'admin' AND issuing.invited_at IS NULL
    JOIN users issuer ON issuer.id = issuing.user_id AND issuer.disabled_at IS NULL
    WHERE own.account_id = i.account_id AND own.user_id = i.user_id AND own.invited_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM members other
        JOIN accounts other_account ON other_account.id = other.account_id
          AND other_account.deleted_at IS NULL
        WHERE other.user_id = i.user_id AND other.account_id <> i.account_id
          AND other.invited_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM login_methods elsewhere WHERE elsewhere.user_id = i.user_id
        AND elsewhere.account_id <> i.account_id)))`

/** The open invitation with this token, or with this id where the token was checked before. */
export async function findOpenInvitation(
  db: Database,
  { id, tokenHash }: { readonly id: string; readonly tokenHash?: string },
  now: number,
): Promise<OpenInvitation | undefined> {
  const row = await readOne(
    db,
    sql`SELECT u.*, i.id AS invitation_id, i.purpose, i.account_id, i.created_by, i.sign_in_id,
        i.created_at AS invited_at, i.expires_at, a.name AS account_name, m.role AS member_role,
        (SELECT COUNT(*) FROM login_methods l WHERE l.user_id = u.id) AS methods,
        (SELECT COUNT(*) FROM login_methods l WHERE l.user_id = u.id AND l.provider_id IS NULL)
          AS own_methods,
        (SELECT COUNT(*) FROM members x WHERE x.user_id = u.id AND x.invited_at IS NULL) AS joined
      FROM invitations i JOIN users u ON u.id = i.user_id
      LEFT JOIN accounts a ON a.id = i.account_id AND a.deleted_at IS NULL
      LEFT JOIN members m ON m.account_id = i.account_id AND m.user_id = i.user_id
      WHERE i.id = ${id} AND (${tokenHash ?? ''} = '' OR i.token_hash = ${tokenHash ?? ''})
        AND i.used_at IS NULL AND i.expires_at > ${now}
        AND (i.account_id IS NULL OR (a.id IS NOT NULL AND m.user_id IS NOT NULL))
        AND ${ISSUER_STILL_AUTHORIZED}`,
  )
  return (
    row && {
      invitation: invitationOf(row),
      user: userOf(row),
      accountName: optionalText(row, 'account_name'),
      role: optionalText(row, 'member_role'),
      isKnown: integer(row, 'methods') + integer(row, 'joined') > 0,
      hasOwnMethod: integer(row, 'own_methods') > 0,
    }
  )
}

/** The reasons why an invitation is not open. `withdrawn`: its issuer, its account or its user is not what it was. */
export type InvitationFate = 'unknown' | 'used' | 'replaced' | 'expired' | 'withdrawn'

/** Only the holder of the token may learn this: it says what happened to the invitation. */
export async function findInvitationFate(
  db: Database,
  { id, tokenHash }: { readonly id: string; readonly tokenHash: string },
  now: number,
): Promise<InvitationFate> {
  const row = await readOne(
    db,
    sql`SELECT i.used_at, i.method_id, i.expires_at, u.disabled_at,
        CASE WHEN i.purpose = 'membership' AND NOT EXISTS (SELECT 1 FROM members m
            WHERE m.account_id = i.account_id AND m.user_id = i.user_id)
          THEN 1 ELSE 0 END AS is_removed
      FROM invitations i
      JOIN users u ON u.id = i.user_id WHERE i.id = ${id} AND i.token_hash = ${tokenHash}`,
  )
  if (!row) return 'unknown'
  if (row.method_id !== null) return 'used'
  if (row.disabled_at !== null || integer(row, 'is_removed') === 1) return 'withdrawn'
  if (row.used_at !== null) return 'replaced'
  return integer(row, 'expires_at') <= now ? 'expired' : 'withdrawn'
}

const invitationOf = (row: Row): Invitation => ({
  id: text(row, 'invitation_id'),
  purpose: text(row, 'purpose') as InvitationPurpose,
  userId: text(row, 'id'),
  accountId: optionalText(row, 'account_id'),
  createdBy: text(row, 'created_by'),
  signInId: optionalText(row, 'sign_in_id'),
  createdAt: integer(row, 'invited_at'),
  expiresAt: integer(row, 'expires_at'),
})

export interface OpenMembership {
  readonly invitation: Invitation
  readonly accountName: string
  readonly role: string
}

/** The user is asked about more at the next sign-in. */
const MAX_LISTED = 20

/** The accounts that wait for this user to join them, oldest invitation first. */
export async function listOpenMemberships(
  db: Database,
  userId: string,
  now: number,
): Promise<OpenMembership[]> {
  const rows = await db.read(
    sql`SELECT i.user_id AS id, i.id AS invitation_id, i.purpose, i.account_id, i.created_by,
        i.sign_in_id, i.created_at AS invited_at, i.expires_at, a.name AS account_name, m.role
      FROM invitations i JOIN accounts a ON a.id = i.account_id AND a.deleted_at IS NULL
      JOIN members m ON m.account_id = i.account_id AND m.user_id = i.user_id
        AND m.invited_at IS NOT NULL
      WHERE i.user_id = ${userId} AND i.purpose = 'membership' AND i.used_at IS NULL
        AND i.expires_at > ${now} AND ${IS_ORDINARY} ORDER BY i.id LIMIT ${MAX_LISTED}`,
  )
  return rows.map((row) => ({
    invitation: invitationOf(row),
    accountName: text(row, 'account_name'),
    role: text(row, 'role'),
  }))
}

/** The condition is true where this invitation was accepted by this method. */
export const isAccepted = (invitationId: string, methodId: string): Statement =>
  sql`EXISTS (SELECT 1 FROM invitations i
    WHERE i.id = ${invitationId} AND i.method_id = ${methodId})`

export interface Acceptance {
  readonly invitation: Invitation
  /** A new login method, or the one that has just authenticated the user. */
  readonly method: NewLoginMethod | { readonly id: string }
  readonly now: number
  /** More statements of the same write, each under {@link isAccepted}. */
  readonly more?: readonly Statement[]
}

/**
 * Accepts an invitation. Returns the results of `more`; undefined when it was accepted before, has
 * expired, its issuer lost the permission, or the user has a login method by now.
 * @throws UniqueViolation when the new method belongs to another user.
 */
export async function acceptInvitation(
  db: Database,
  { invitation, method, now, more = [] }: Acceptance,
): Promise<Row[][] | undefined> {
  const { id, userId, purpose } = invitation
  const accepted = isAccepted(id, method.id)
  const isNew = 'kind' in method
  const bound = isNew ? method.bound : undefined
  const first = [
    // First: its removal waits here, and then finds the new method, or this write finds it gone.
    ...(bound ? [lockProviderStatement(bound.providerId)] : []),
    lockUserStatement(userId),
    sql`UPDATE invitations AS i SET used_at = ${now}, method_id = ${method.id}
      WHERE i.id = ${id} AND i.used_at IS NULL AND i.expires_at > ${now}
        AND ${ISSUER_STILL_AUTHORIZED} AND ${methodGuardOf(method, purpose)} RETURNING id`,
    ...(purpose === 'reset' ? deleteAllCredentialsStatements(userId, now, accepted) : []),
    // What the user does when they suspect something: no link that was issued before may undo it.
    ...(isNew && method.kind === 'password'
      ? [revokeCredentialLinksStatement(userId, now, accepted)]
      : []),
    ...(isNew ? insertMethodStatements(userId, method, id, now) : []),
    sql`UPDATE members SET invited_at = NULL
      WHERE account_id = ${invitation.accountId ?? ''} AND user_id = ${userId} AND ${accepted}`,
  ]
  const results = await db.write(...first, ...more)
  return results[bound ? 2 : 1]?.length === 1 ? results.slice(first.length) : undefined
}

const lockProviderStatement = (id: string): Statement =>
  sql`UPDATE identity_providers SET updated_at = updated_at WHERE id = ${id}`

/**
 * Whether this method may accept the invitation `i`. The inviter knows the link too, so it sets no method of the
 * whole person for a user who is known. A method at the provider of an account accepts for that account only, and
 * stands beside others of its kind; it needs a membership there, or this invitation to it. Contract §13.
 */
function methodGuardOf(method: Acceptance['method'], purpose: InvitationPurpose): Statement {
  if (!('kind' in method)) {
    return sql`EXISTS (SELECT 1 FROM login_methods l WHERE l.id = ${method.id}
      AND l.user_id = i.user_id AND COALESCE(l.account_id, i.account_id) = i.account_id)`
  }
  const isMembership = purpose === 'membership'
  if (method.bound) {
    const { providerId, issuer, accountId } = method.bound
    const mayJoin = isMembership
      ? sql`i.account_id = p.account_id AND NOT EXISTS (SELECT 1 FROM login_methods l
          WHERE l.user_id = i.user_id AND l.provider_id IS NULL)`
      : sql`m.invited_at IS NULL`
    return sql`EXISTS (SELECT 1 FROM identity_providers p
      JOIN accounts pa ON pa.id = p.account_id AND pa.deleted_at IS NULL
      JOIN members m ON m.account_id = p.account_id AND m.user_id = i.user_id
      WHERE p.id = ${providerId} AND p.issuer = ${issuer} AND p.account_id = ${accountId}
        AND ${mayJoin})`
  }
  if (!isMembership) return ALWAYS
  return sql`NOT EXISTS (SELECT 1 FROM login_methods l WHERE l.user_id = i.user_id)
    AND NOT EXISTS (SELECT 1 FROM members x WHERE x.user_id = i.user_id AND x.invited_at IS NULL)`
}

/** Deletes every earlier credential of this user, so that none works after a reset or a removal. */
export const deleteAllCredentialsStatements = (
  userId: string,
  now: number,
  condition: Statement,
): Statement[] => [
  sql`DELETE FROM login_methods WHERE user_id = ${userId} AND ${condition}`,
  sql`DELETE FROM second_factors WHERE user_id = ${userId} AND ${condition}`,
  deleteRecoveryCodesStatement(userId, condition),
  revokeCredentialLinksStatement(userId, now, condition),
]

/** A user has one password: a new one replaces the one before. */
const insertMethodStatements = (
  userId: string,
  method: NewLoginMethod,
  invitationId: string,
  now: number,
): Statement[] => [
  sql`DELETE FROM login_methods WHERE user_id = ${userId} AND kind = 'password'
    AND ${method.kind} = 'password' AND ${isAccepted(invitationId, method.id)}`,
  insertMethodStatement(userId, method, now, isAccepted(invitationId, method.id)),
]

/** Revokes every open invitation of this user to the account. */
export const revokeInvitationsStatement = (
  accountId: string,
  userId: string,
  now: number,
): Statement =>
  sql`UPDATE invitations SET used_at = ${now}
    WHERE account_id = ${accountId} AND user_id = ${userId} AND used_at IS NULL`

/** Revokes the open invitations of these users to the account, where the condition holds. */
export const revokeInvitationsOfStatement = (
  accountId: string,
  userIds: readonly string[],
  condition: Statement,
  now: number,
): Statement =>
  sql`UPDATE invitations SET used_at = ${now} WHERE account_id = ${accountId}
    AND user_id IN (${list(userIds)}) AND used_at IS NULL AND ${condition}`

/** Revokes every open invitation to the account. */
export const revokeInvitationsToStatement = (accountId: string, now: number): Statement =>
  sql`UPDATE invitations SET used_at = ${now} WHERE account_id = ${accountId} AND used_at IS NULL`

/** Revokes every open invitation of this user, to whatever account. */
export const revokeMembershipLinksStatement = (
  userId: string,
  now: number,
  condition: Statement,
): Statement =>
  sql`UPDATE invitations SET used_at = ${now} WHERE user_id = ${userId}
    AND purpose = 'membership' AND used_at IS NULL AND ${condition}`

/** Revokes every open link by which this user could get one more way to sign in. */
export const revokeCredentialLinksStatement = (
  userId: string,
  now: number,
  condition: Statement = ALWAYS,
): Statement =>
  sql`UPDATE invitations SET used_at = ${now} WHERE user_id = ${userId}
    AND purpose <> 'membership' AND used_at IS NULL AND ${condition}`

export const deleteExpiredInvitationsStatement = (now: number): Statement =>
  sql`DELETE FROM invitations WHERE expires_at < ${now}`
