// The end of a sign-in for the console: this browser itself is signed in, so there is no code to
// compare. Mints the sign-in, sets its token as the session cookie, and ends the sign-in that the
// browser had before: no value that was known earlier stays valid. Contract §4, security U06.

import type { HasConfig } from '../../config/config.ts'
import { updateMethodLastUsedStatement } from '../../credentials/login-method-store.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { goTo } from '../../http/html/page.ts'
import { hashBearer, parseBearer } from '../../kernel/identifiers.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { findUser, lockUserStatement } from '../../users/user-store.ts'
import { alertEmergencyAccess } from '../emergency-access.ts'
import { buildSessionCookie, findCookieToken } from '../session-cookie.ts'
import { clientOf, mintSignIn } from '../sign-in.ts'
import { endReplacedSignIn, insertSignInByMethodStatement } from '../sign-in-store.ts'
import { type AuthenticatedUser, interactionExpired } from './interaction.ts'

interface AuthenticatedForConsole extends Omit<AuthenticatedUser, 'intent'> {
  readonly returnTo: string
}

/** @throws ApiError used_already when the login method was removed, or the user disabled, meanwhile */
export async function completeConsoleSignIn(
  { config, db, randomness }: HasConfig & HasDatabase & HasRandomness,
  { returnTo, userId, methodId, authenticatedAt }: AuthenticatedForConsole,
  call: Pick<PageCall, 'address' | 'cookies' | 'log' | 'now' | 'traceId' | 'userAgent'>,
): Promise<Reply> {
  const { now } = call
  const user = await findUser(db, userId)
  if (!user) throw interactionExpired()
  if (user.isEmergency) await alertEmergencyAccess({ db, randomness }, user, call)
  const client = clientOf(call)
  const minted = mintSignIn(config.sessionLifetimeSeconds, now, randomness)
  const before = findCookieToken(config.baseUrl, call.cookies)
  const beforeId = before && parseBearer('st', 'sgn', before)
  const [, stored = []] = await db.write(
    lockUserStatement(userId),
    insertSignInByMethodStatement({ ...minted, client }, userId, methodId, authenticatedAt),
    updateMethodLastUsedStatement(methodId, now),
  )
  if (stored.length === 0) throw interactionExpired()
  if (beforeId) await endReplacedSignIn(db, beforeId, hashBearer(before), now)
  call.log.info({ user: userId }, 'signed in')
  return goTo(`${config.baseUrl}${returnTo}`, buildSessionCookie(config.baseUrl, minted.token))
}
