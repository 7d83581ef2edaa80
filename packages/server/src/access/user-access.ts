// Changes what a user may do on the platform, with the sign-ins that this ends, in one write. The API and
// the command line both call it. The last administrator stays: one guarded statement decides. Contract §9.

import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import {
  restoreRemovedStatements,
  revokeCredentialLinksStatement,
} from '../credentials/invitation-store.ts'
import { refuseEmergencyAccount } from '../credentials/ordinary-user.ts'
import { type HasDatabase, UniqueViolation } from '../db/database.ts'
import { text } from '../db/row.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { nextUpdate } from '../kernel/time.ts'
import { normalizeEmail, type User } from '../kernel/user.ts'
import { endEverySignInStatements, endedSessions } from '../sign-in/sign-in-store.ts'
import {
  findPlatformUser,
  insertUserStatement,
  isDisabledUser,
  isLastAdministrator,
  type PlatformUser,
  type UserAccess,
  updateUserAccessStatements,
} from '../users/user-store.ts'

export const ONLY_ADMINISTRATOR =
  'This is the only administrator of the platform. Make another person administrator first, with PATCH /api/users/:id {"role": "admin"} or chartside users promote.'

/**
 * The changed user; undefined when the user was changed since it was read.
 * @throws ApiError conflict for the last administrator and for the account for emergencies
 */
export async function changeUserAccess(
  { db, subscriptions }: HasDatabase & HasSubscriptions,
  stored: PlatformUser,
  access: UserAccess,
  now: number,
): Promise<PlatformUser | undefined> {
  refuseEmergencyAccount(stored)
  const updatedAt = nextUpdate(stored, now)
  const [, [changed] = [], ...ended] = await db.write(
    ...updateUserAccessStatements(stored, access, now, updatedAt),
    ...endEverySignInStatements(
      stored.id,
      { at: now, reason: 'revoked' },
      { where: isDisabledUser(stored.id) },
    ),
    revokeCredentialLinksStatement(stored.id, now, isDisabledUser(stored.id)),
  )
  await notifySessionsEnded({ subscriptions }, endedSessions(ended), 'revoked')
  if (changed) return { ...stored, ...access, updatedAt }
  if (await isLastAdministrator(db, stored.id)) throw new ApiError('conflict', ONLY_ADMINISTRATOR)
  return undefined
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
    const restored = (
      await db.write(...restoreRemovedStatements(found.id, { name, role }, now))
    ).at(-1)
    return restored?.[0] && findPlatformUser(db, { id: text(restored[0], 'id') })
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
  return { ...user, isDisabled: false, lastSignInAt: undefined }
}
