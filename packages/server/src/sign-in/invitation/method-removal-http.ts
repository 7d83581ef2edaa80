// The edge at which a person takes away one of their ways to sign in. Whoever signed in by it may still
// be signed in, so every other sign-in of the person ends with it. Contract §4.

import {
  deleteLoginMethod,
  isRemovable,
  listLoginMethods,
} from '../../credentials/login-method-store.ts'
import type { Answer, PersonCall } from '../../http/route.ts'
import { ApiError, notFound } from '../../kernel/errors.ts'
import { requireRecentAuth } from '../../kernel/user.ts'
import type { Service } from '../../service.ts'
import { endEverySignInStatements, endedSessions } from '../sign-in-store.ts'
import { notifySignedOut } from '../sign-out.ts'

export async function removeLoginMethod(
  service: Service,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  requireRecentAuth(call)
  const { user, signInId } = call.person
  const id = call.params.id
  const where = isRemovable(user.id, id)
  const others = endEverySignInStatements(user.id, call.now, { where, keep: signInId })
  const ended = await deleteLoginMethod(service.db, user.id, id, others)
  if (ended) {
    await notifySignedOut(service, endedSessions(ended))
    return { status: 204 }
  }
  const isTheirs = (await listLoginMethods(service.db, user.id)).some((method) => method.id === id)
  if (!isTheirs) throw notFound('login method')
  throw new ApiError('conflict', 'This is your only way to sign in. Add another one first.')
}
