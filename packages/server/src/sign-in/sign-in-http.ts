// The edge of sign-in without a page: how a client can sign in, sign-in by password, sign-out. No reply
// tells by text, status or time whether an e-mail address is known. Contract §3, security U07.

import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import { revokeCredentialLinksStatement } from '../credentials/invitation-store.ts'
import { updateMethodLastUsedStatement } from '../credentials/login-method-store.ts'
import { hasPasskeys } from '../credentials/passkey.ts'
import type { HasPasswords } from '../credentials/password.ts'
import { checkSecondFactor } from '../credentials/second-factor.ts'
import { mustHaveSecondFactor } from '../credentials/second-factor-policy.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { Answer, Call, PersonCall } from '../http/call.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { requireWholePerson } from '../kernel/user.ts'
import { lockUserStatement } from '../users/user-store.ts'
import { alertEmergencyAccess } from './emergency-access.ts'
import { hasProvider } from './pages/provider-link.ts'
import { authenticateByPassword } from './password/password-check.ts'
import { buildClearedCookie, findCookieToken } from './session-cookie.ts'
import { clientOf, mintSignIn, signedInBody } from './sign-in.ts'
import type { SIGN_IN_BODY, SIGN_IN_CONFIG, SIGN_OUT_BODY, SIGNED_IN } from './sign-in-schema.ts'
import {
  endEverySignInStatements,
  endedSessions,
  endSignIn,
  expiryOf,
  insertSignInByMethodStatement,
} from './sign-in-store.ts'

type Parts = HasClock &
  HasConfig &
  HasDatabase &
  HasRateLimits &
  HasLog &
  HasPasswords &
  HasRandomness

export async function showSignInConfig({
  config,
}: HasConfig): Promise<Answer<200, typeof SIGN_IN_CONFIG>> {
  return {
    status: 200,
    body: {
      signInUrl: `${config.baseUrl}/auth/sign-in`,
      methods: [
        ...(config.passwordSignIn === 'on' ? ['password'] : []),
        ...(hasPasskeys(config.baseUrl) ? ['passkey'] : []),
        ...(hasProvider(config) ? ['oidc'] : []),
      ],
      identityProvider: hasProvider(config) ? { name: config.oidcName } : null,
      sessionIdleSeconds: config.sessionIdleSeconds,
      sessionLifetimeSeconds: config.sessionLifetimeSeconds,
    },
  }
}

export async function signIn(
  service: Parts,
  call: Call<never, typeof SIGN_IN_BODY>,
): Promise<Answer<200, typeof SIGNED_IN>> {
  const { config, db, randomness } = service
  const { user, methodId } = await authenticateByPassword(service, call.body, call)
  switch (await checkSecondFactor(service, user.id, call.body.totp, call)) {
    case 'missing':
      throw new ApiError(
        'second_factor_required',
        'Send the code of your authenticator app as totp.',
      )
    case 'none':
      if (await mustHaveSecondFactor(db, user, config.secondFactor)) {
        throw new ApiError(
          'second_factor_setup_required',
          'Sign in once on the sign-in page, where you set up an authenticator app.',
        )
      }
      break
    case 'wrong':
      throw new ApiError('wrong_credentials', 'The code is wrong, or was used before.')
  }
  // Read again: hashing has taken its time, and the lifetime begins with the reply.
  const now = service.clock()
  const minted = mintSignIn(config.sessionLifetimeSeconds, now, randomness)
  const [, stored = []] = await db.write(
    lockUserStatement(user.id),
    insertSignInByMethodStatement({ ...minted, client: clientOf(call) }, user.id, methodId),
    updateMethodLastUsedStatement(methodId, now),
  )
  if (stored.length === 0) {
    throw new ApiError('wrong_credentials', 'How you sign in was changed just now.')
  }
  if (user.isEmergency) await alertEmergencyAccess(service, user, { ...call, now })
  call.log.info({ user: user.id }, 'signed in')
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: signedInBody({ ...minted, expiresAt: expiryOf(stored) }, user),
  }
}

export async function signOut(
  service: HasClock & HasConfig & HasDatabase & HasSubscriptions,
  { person, body, cookies, log }: PersonCall<never, typeof SIGN_OUT_BODY>,
): Promise<Answer<204>> {
  const { clock, config, db, subscriptions } = service
  const now = clock()
  const { id } = person.user
  if (body.everywhere) requireWholePerson(person)
  const sessions = body.everywhere
    ? endedSessions(
        await db.write(
          ...endEverySignInStatements(id, { at: now, reason: 'signed_out' }),
          revokeCredentialLinksStatement(id, now),
        ),
      )
    : await endSignIn(db, person.signInId, now)
  await notifySessionsEnded({ subscriptions }, sessions, 'signed_out')
  log.info({ user: id, sessions: sessions.length }, 'signed out')
  if (findCookieToken(config.baseUrl, cookies) === undefined) return { status: 204 }
  return { status: 204, headers: { 'set-cookie': buildClearedCookie(config.baseUrl) } }
}
