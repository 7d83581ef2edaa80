// Finds out who calls the backend API from the bearer session token, and keeps an active sign-in
// from going idle. Shared by the API edge and by introspection for the host's user. Contract §3.
import { hashBearer, parseBearer } from '../identifiers.ts'
import type { Service } from '../service.ts'
import type { Person } from '../users/user.ts'
import { listMemberships } from '../users/user-store.ts'
import { isWorthNoting, momentOf } from './sign-in.ts'
import { findLiveSignIn, updateLastSeen } from './sign-in-store.ts'

/** The signed-in person behind an Authorization header, or undefined. */
export async function findPerson(
  service: Service,
  authorization: string | undefined,
  now: number,
  options: { readonly isBackground?: boolean } = {},
): Promise<Person | undefined> {
  const [, token] = /^Bearer +(st_\S+)$/i.exec(authorization ?? '') ?? []
  const id = token && parseBearer('st', 'sgn', token)
  if (!id) return undefined
  const { sessionIdleSeconds } = service.config
  const moment = momentOf(now, sessionIdleSeconds)
  const found = await findLiveSignIn(service.db, id, hashBearer(token), moment)
  if (!found) return undefined
  if (!options.isBackground && isWorthNoting(found.signIn, now, sessionIdleSeconds)) {
    await updateLastSeen(service.db, id, now)
  }
  const memberships = await listMemberships(service.db, found.user.id)
  return { user: found.user, signInId: id, memberships }
}
