// The edges that give and take the access of a person: an administrator of the platform invites,
// changes, removes or resets a user, a user removes a login method. Most of them end sign-ins in the same
// write, and the rooms users and credentials must not know sign-ins. Contract §4, §9.

import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import { revokeCredentialLinksStatement } from '../credentials/invitation-store.ts'
import {
  deleteLoginMethod,
  isRemovable,
  listLoginMethods,
} from '../credentials/login-method-store.ts'
import { answerReset, issueReset, type ResetAnswer } from '../credentials/reset.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { change } from '../http/input/conditional.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import { endEverySignInStatements, endedSessions } from '../sign-in/sign-in-store.ts'
import { loadPlatformUser, platformUserBody } from '../users/platform-user.ts'
import type {
  INVITED_USER,
  PLATFORM_USER,
  USER_ACCESS_PATCH,
  USER_BODY,
} from '../users/user-schema.ts'
import { findUser, isLastAdministrator, type PlatformUser } from '../users/user-store.ts'
import {
  changeUserAccess,
  eraseUser as eraseRemovedUser,
  insertOrRestoreUser,
  ONLY_ADMINISTRATOR,
  REMOVED,
} from './user-access.ts'

type Parts = HasConfig & HasDatabase & HasRandomness

/** A user of the platform, and a link at which they set a login method. Takes a removed person back. */
export async function inviteUser(
  service: Parts,
  call: PersonCall<never, typeof USER_BODY>,
): Promise<Answer<201, typeof INVITED_USER>> {
  const { body, now } = call
  const role = body.role ?? 'member'
  const { name } = body
  const user = await insertOrRestoreUser(service, { email: body.email, name, role }, now)
  if (!user) {
    throw new ApiError(
      'conflict',
      'There is a user with this address. Change their role, enable them, or issue a reset for them.',
    )
  }
  const { url, expiresAt } = await issueReset(
    service,
    { userId: user.id, accountId: undefined, createdBy: call.person.user.id },
    call,
  )
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: {
      ...platformUserBody(user),
      invitationUrl: url,
      invitationExpiresAt: rfc3339(expiresAt),
    },
  }
}

/** Changes the role of a user, or disables them with every sign-in of theirs, or enables them. */
export async function patchUser(
  service: HasDatabase & HasSubscriptions,
  call: PersonCall<'id', typeof USER_ACCESS_PATCH>,
): Promise<Answer<200, typeof PLATFORM_USER>> {
  const { role, disabled } = call.body
  const load = () => loadPlatformUser(service, call)
  const user = await change(call, {
    load,
    show: platformUserBody,
    async write(stored) {
      const access = {
        role: role ?? stored.role,
        isDisabled: disabled ?? stored.isDisabled,
      }
      if (access.isDisabled && stored.id === call.person.user.id)
        await refuseOwnRemoval(service, stored)
      if (access.role === stored.role && access.isDisabled === stored.isDisabled) return stored
      return changeUserAccess(service, stored, access, call.now)
    },
  })
  return { status: 200, body: platformUserBody(user) }
}

/** The row stays, because the audit trail names it; all that gave the user access is deleted. */
export async function removeUser(
  service: HasDatabase & HasSubscriptions,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  await change(call, {
    async load() {
      const stored = await loadPlatformUser(service, call)
      if (stored.isRemoved) throw notFound('user')
      return stored
    },
    show: platformUserBody,
    async write(stored) {
      if (stored.id === call.person.user.id) await refuseOwnRemoval(service, stored)
      return changeUserAccess(service, stored, REMOVED, call.now)
    },
  })
  call.log.info({ user: call.params.id }, 'user removed')
  return { status: 204 }
}

export async function eraseUser(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof PLATFORM_USER>> {
  const stored = await loadPlatformUser(service, call)
  const user = await eraseRemovedUser(service, stored, call.now)
  call.log.info({ user: user.id }, 'user erased')
  return { status: 200, body: platformUserBody(user) }
}

async function refuseOwnRemoval({ db }: HasDatabase, user: PlatformUser): Promise<never> {
  throw new ApiError(
    'conflict',
    (await isLastAdministrator(db, user.id))
      ? ONLY_ADMINISTRATOR
      : 'You cannot remove yourself. Ask another platform administrator.',
  )
}

export async function resetUser(service: Parts, call: PersonCall<'id'>): Promise<ResetAnswer> {
  const user = await findUser(service.db, call.params.id)
  if (!user) throw notFound('user')
  return answerReset(service, user, undefined, call)
}

/**
 * Ends every other sign-in of the user: one of them may come from this method. Revokes the open
 * credential links: one of them may be known to an attacker who had the method. [V06]
 */
export async function removeLoginMethod(
  { db, subscriptions }: HasDatabase & HasSubscriptions,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  const { user, signInId } = call.person
  const { id } = call.params
  const where = isRemovable(user.id, id)
  const ended = await deleteLoginMethod(db, user.id, id, [
    ...endEverySignInStatements(
      user.id,
      { at: call.now, reason: 'revoked' },
      { where, keep: signInId },
    ),
    revokeCredentialLinksStatement(user.id, call.now, where),
  ])
  if (ended) {
    await notifySessionsEnded({ subscriptions }, endedSessions(ended), 'revoked')
    return { status: 204 }
  }
  const methods = await listLoginMethods(db, user.id)
  if (!methods.some((method) => method.id === id)) throw notFound('login method')
  throw new ApiError('conflict', 'This is your only way to sign in. Add another one first.')
}
