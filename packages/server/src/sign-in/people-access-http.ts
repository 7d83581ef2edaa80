// The edges that take sign-ins away from a person: an administrator removes or resets a user, a user
// removes a login method. They stand here because each ends sign-ins in the same write, and the
// rooms users and credentials must not know sign-ins. Contract §4.

import type { ONE_TIME_ADDRESS } from '../credentials/credential-schema.ts'
import { revokeCredentialLinksStatement } from '../credentials/invitation-store.ts'
import {
  deleteLoginMethod,
  isRemovable,
  listLoginMethods,
} from '../credentials/login-method-store.ts'
import { issueReset } from '../credentials/reset.ts'
import type { Answer, PersonCall } from '../http/route.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { requireRecentAuth } from '../kernel/user.ts'
import { notifySessionsEnded } from '../liveness/end-notification.ts'
import type { Service } from '../service.ts'
import { disableUserStatement, findUser } from '../users/user-store.ts'
import { endEverySignInStatements, endedSessions } from './sign-in-store.ts'

/** The user is disabled, not deleted: their events stay in the audit trail. */
export async function removeUser(
  { db, subscriptions }: Pick<Service, 'db' | 'subscriptions'>,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  const user = requireAccess(call, 'user', await findUser(db, call.params.id), {})
  if (user.id === call.person.user.id) {
    throw new ApiError(
      'conflict',
      'You cannot remove yourself. Ask another platform administrator.',
    )
  }
  const [, ...ended] = await db.write(
    disableUserStatement(user.id, call.now),
    ...endEverySignInStatements(user.id, { at: call.now, reason: 'revoked' }),
  )
  await notifySessionsEnded({ subscriptions }, endedSessions(ended), 'revoked')
  call.log.info({ user: user.id }, 'user removed')
  return { status: 204 }
}

export async function resetUser(
  service: Pick<Service, 'config' | 'db' | 'randomness'>,
  call: PersonCall<'id'>,
): Promise<Answer<201, typeof ONE_TIME_ADDRESS>> {
  const user = requireAccess(call, 'user', await findUser(service.db, call.params.id), {})
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: await issueReset(service, { userId: user.id, accountId: undefined }, call),
  }
}

/**
 * Ends every other sign-in of the user: one of them may come from this method. Revokes the open
 * credential links: one of them may be known to an attacker who had the method. [V06]
 */
export async function removeLoginMethod(
  { db, subscriptions }: Pick<Service, 'db' | 'subscriptions'>,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  requireRecentAuth(call)
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
