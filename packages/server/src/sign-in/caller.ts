// Finds the caller of the backend API by the bearer session token, and records activity so that the
// sign-in does not go idle. The API edge and introspection share it. Contract §3.
import { DatabaseUnavailable } from '../db/database.ts'
import { hashBearer, parseBearer } from '../kernel/identifiers.ts'
import type { Person } from '../kernel/user.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { Service } from '../service.ts'
import { shouldRecordActivity } from '../sign-in/sign-in.ts'
import { findLiveSignIn, updateLastSeen } from '../sign-in/sign-in-store.ts'

/** The caller with this Authorization header; undefined when no live sign-in has the token. */
export async function findPerson(
  service: Pick<Service, 'config' | 'db' | 'log'>,
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
    // Reads must work while writes fail; the sign-in then goes idle early, never late.
    await updateLastSeen(service.db, id, now).catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error
      service.log.warn({ fault: error.fault }, 'could not record the activity of a sign-in')
    })
  }
  const { user, memberships, signIn } = found
  return { user, signInId: id, signedInAt: signIn.createdAt, memberships }
}
