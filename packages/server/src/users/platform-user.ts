// A user as administrators of the platform see them, a disabled one too: read for a call, and shown.
// Both the edge of this room and that of sign-in, where access is changed, answer with it.

import type { HasDatabase } from '../db/database.ts'
import type { PayloadOf, PersonCall } from '../http/call.ts'
import { notFound } from '../kernel/errors.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { PLATFORM_USER } from './user-schema.ts'
import { findPlatformUser, type PlatformUser } from './user-store.ts'

export const platformUserBody = (user: PlatformUser): PayloadOf<typeof PLATFORM_USER> => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  memberships: user.memberships,
  disabled: user.isDisabled,
  removed: user.isRemoved,
  isEmergency: user.isEmergency === true,
  lastSignInAt: user.lastSignInAt === undefined ? null : rfc3339(user.lastSignInAt),
  createdAt: rfc3339(user.createdAt),
  updatedAt: rfc3339(user.updatedAt),
})

/** @throws ApiError 404 */
export async function loadPlatformUser(
  { db }: HasDatabase,
  call: Omit<PersonCall<'id'>, 'body'>,
): Promise<PlatformUser> {
  const user = await findPlatformUser(db, { id: call.params.id })
  if (!user) throw notFound('user')
  return user
}
