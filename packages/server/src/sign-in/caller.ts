// Finds out who calls the backend API from the bearer session token, and keeps an active sign-in
// from going idle. Shared by the API edge and by introspection for the host's user. Contract §3.
import { DatabaseUnavailable } from '../db/database.ts'
import { hashBearer, parseBearer } from '../kernel/identifiers.ts'
import type { Person } from '../kernel/user.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { Service } from '../service.ts'
import { shouldRecordActivity } from '../sign-in/sign-in.ts'
import { findLiveSignIn, updateLastSeen } from '../sign-in/sign-in-store.ts'

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
  const cutoff = livenessCutoff(now, sessionIdleSeconds)
  const found = await findLiveSignIn(service.db, id, hashBearer(token), cutoff)
  if (!found) return undefined
  if (!options.isBackground && shouldRecordActivity(found.signIn, now, sessionIdleSeconds)) {
    // A read must go on while nothing can be written; the sign-in then idles out early, never late.
    await updateLastSeen(service.db, id, now).catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error
      service.log.warn({ trouble: error.trouble }, 'could not note that a sign-in is in use')
    })
  }
  const { user, memberships, signIn } = found
  return { user, signInId: id, signedInAt: signIn.createdAt, memberships }
}
