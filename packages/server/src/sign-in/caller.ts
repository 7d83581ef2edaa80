// Finds the caller of the backend API by the session token, and records activity so that the sign-in
// does not go idle. The API edge and introspection share it. Contract §3.
import type { HasConfig } from '../config/config.ts'
import { DatabaseUnavailable, type HasDatabase } from '../db/database.ts'
import { hashBearer, parseBearer } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { Person } from '../kernel/user.ts'
import { type End, livenessCutoff, recordActivityBefore } from '../liveness/liveness.ts'
import { updateLastSeen } from '../liveness/liveness-store.ts'
import { findSignIn } from '../sign-in/sign-in-store.ts'

type Parts = HasConfig & HasDatabase & HasLog

/**
 * The caller with this Authorization header; how the sign-in ended, when its token is right and it has;
 * undefined when no sign-in has the token.
 */
export async function findPerson(
  service: Parts,
  authorization: string | undefined,
  now: number,
  options: { readonly isBackground?: boolean } = {},
): Promise<Person | { readonly ended: End } | undefined> {
  const [, token] = /^Bearer +(st_\S+)$/i.exec(authorization ?? '') ?? []
  return findPersonByToken(service, token, now, options)
}

/** The same by the session token itself, which may be that of the cookie. */
export async function findPersonByToken(
  service: Parts,
  token: string | undefined,
  now: number,
  options: { readonly isBackground?: boolean } = {},
): Promise<Person | { readonly ended: End } | undefined> {
  const id = token && parseBearer('st', 'sgn', token)
  if (!id) return undefined
  const { sessionIdleSeconds } = service.config
  const cutoff = livenessCutoff(now, sessionIdleSeconds)
  const found = await findSignIn(service.db, id, hashBearer(token), cutoff)
  if (!found || 'ended' in found) return found
  const before = recordActivityBefore(now, sessionIdleSeconds)
  if (!options.isBackground && found.signIn.lastSeenAt <= before) {
    // Reads must work while writes fail; the sign-in then goes idle early, never late.
    await updateLastSeen(service.db, id, cutoff, before).catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error
      service.log.warn({ fault: error.fault }, 'could not record the activity of a sign-in')
    })
  }
  const { signIn: _, ...person } = found
  return { ...person, signInId: id }
}
