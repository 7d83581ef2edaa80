// Changes what a user may do on the platform, with the sign-ins that this ends, in one write. The API and
// the command line both call it. The last administrator stays: one guarded statement decides. Contract §9.

import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import {
  deleteAllCredentialsStatements,
  revokeCredentialLinksStatement,
} from '../credentials/invitation-store.ts'
import { refuseEmergencyAccount } from '../credentials/ordinary-user.ts'
import { type HasDatabase, UniqueViolation } from '../db/database.ts'
import { text } from '../db/row.ts'
import type { Statement } from '../db/sql.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { nextUpdate } from '../kernel/time.ts'
import { normalizeEmail, type User } from '../kernel/user.ts'
import { deleteMembershipsStatements } from '../members/member-store.ts'
import { deleteDirectoryMembersOfStatement, forgetAcceptedStatement } from '../scim/scim-store.ts'
import {
  endEverySignInStatements,
  endedSessions,
  eraseClientsStatement,
} from '../sign-in/sign-in-store.ts'
import {
  eraseUserStatement,
  findPlatformUser,
  insertUserStatement,
  isDisabledUser,
  isLastAdministrator,
  isRemovedUser,
  lockUserStatement,
  type PlatformUser,
  restoreRemovedUserStatement,
  type UserAccess,
  updateUserAccessStatements,
} from '../users/user-store.ts'

/** The state that a removal gives to a user. */
export const REMOVED = { role: 'member', isDisabled: true, isRemoved: true } as const

export const ONLY_ADMINISTRATOR =
  'This is the only administrator of the platform. Make another person administrator first, with PATCH /api/users/:id {"role": "admin"} or chartside users promote.'

const NOT_REMOVED =
  'Only a removed person is erased. Remove them first: DELETE /api/users/:id, or chartside users remove.'

const IS_REMOVED =
  'This person was removed. Invite them again: as a member of an account, with POST /api/users or with chartside users invite.'

/**
 * Returns the changed user; undefined when the user was changed since it was read. `more` ends the same write.
 * @throws ApiError conflict for the last administrator, a removed user and the account for emergencies
 */
export async function changeUserAccess(
  { db, subscriptions }: HasDatabase & HasSubscriptions,
  stored: PlatformUser,
  access: UserAccess,
  now: number,
  more: readonly Statement[] = [],
): Promise<PlatformUser | undefined> {
  refuseEmergencyAccount(stored)
  if (stored.isRemoved) throw new ApiError('conflict', IS_REMOVED)
  const updatedAt = nextUpdate(stored, now)
  const [, [changed] = [], ...ended] = await db.write(
    ...updateUserAccessStatements(stored, access, now, updatedAt),
    ...endEverySignInStatements(
      stored.id,
      { at: now, reason: 'revoked' },
      { where: isDisabledUser(stored.id) },
    ),
    revokeCredentialLinksStatement(stored.id, now, isDisabledUser(stored.id)),
    ...(access.isRemoved ? deleteAccessStatements(stored.id, now) : []),
    ...more,
  )
  await notifySessionsEnded({ subscriptions }, endedSessions(ended), 'revoked')
  if (changed) return { ...stored, ...access, updatedAt }
  if (await isLastAdministrator(db, stored.id)) throw new ApiError('conflict', ONLY_ADMINISTRATOR)
  return undefined
}

/** Deletes what a removed user had, so that nothing of it comes back with an invitation. */
function deleteAccessStatements(id: string, now: number): Statement[] {
  const isRemoved = isRemovedUser(id)
  return [
    ...deleteAllCredentialsStatements(id, now, isRemoved),
    ...deleteMembershipsStatements(id, now, isRemoved),
    forgetAcceptedStatement(id, isRemoved),
  ]
}

/** Nothing changes for a user who is not removed. The first statement returns the id when it did. */
export const eraseUserStatements = (id: string, updatedAt: number): Statement[] => [
  eraseUserStatement(id, updatedAt),
  deleteDirectoryMembersOfStatement(id, isRemovedUser(id)),
  eraseClientsStatement(id, isRemovedUser(id)),
]

/**
 * Replaces name and address of a removed user by the id, which the audit trail and launches refer to.
 * @throws ApiError conflict for a user who is not removed
 */
export async function eraseUser(
  { db }: HasDatabase,
  stored: PlatformUser,
  now: number,
): Promise<PlatformUser> {
  const { id } = stored
  const updatedAt = nextUpdate(stored, now)
  const [, [erased] = []] = await db.write(
    lockUserStatement(id),
    ...eraseUserStatements(id, updatedAt),
  )
  if (!erased) throw new ApiError('conflict', NOT_REMOVED)
  return { ...stored, email: id, name: id, updatedAt }
}

/** A new user, or a removed one anew, without a login method; undefined when the address is in use. */
export async function insertOrRestoreUser(
  { db, randomness }: HasDatabase & HasRandomness,
  { email, name, role }: Pick<User, 'email' | 'name' | 'role'>,
  now: number,
): Promise<PlatformUser | undefined> {
  const address = normalizeEmail(email)
  const found = await findPlatformUser(db, { email: address })
  if (found) {
    const [, [restored] = []] = await db.write(
      lockUserStatement(found.id),
      restoreRemovedUserStatement(found.id, { email: address, name, role }, now),
    )
    return restored && findPlatformUser(db, { id: text(restored, 'id') })
  }
  const id = newId('usr', now, randomness)
  const user: User = { id, email: address, name, role, createdAt: now, updatedAt: now }
  try {
    await db.write(insertUserStatement(user))
  } catch (error) {
    // Another administrator was first.
    if (error instanceof UniqueViolation) return undefined
    throw error
  }
  return { ...user, isDisabled: false, isRemoved: false, lastSignInAt: undefined, memberships: [] }
}
