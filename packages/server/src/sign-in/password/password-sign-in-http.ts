// The edges of the two password forms. POST /auth/sign-in/password: a right password leads to the second factor
// or to the consent page; a wrong one to the sign-in page again, the same for every address. POST
// /auth/invitation/password sets the first password of an invited user. Contract §3, security U06, U07.

import type { HasSubscriptions } from '../../cluster/session-subscriptions.ts'
import type { HasConfig } from '../../config/config.ts'
import { findPasswordProblem } from '../../credentials/login-method.ts'
import type { HasPasswords } from '../../credentials/password.ts'
import { checkSecondFactor } from '../../credentials/second-factor.ts'
import { mustHaveSecondFactor } from '../../credentials/second-factor-policy.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import { RequestRefused } from '../../http/admission/request-refused.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { goTo } from '../../http/html/page.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { normalizeEmail } from '../../kernel/user.ts'
import { redirectToConsent, redirectToInteraction } from '../interaction/interaction-pages.ts'
import { verifyCsrf } from '../interaction/pre-auth-session.ts'
import { loadSignInIntent, requireSignInIntent } from '../interaction/sign-in-intent.ts'
import { acceptWithMethod } from '../invitation/acceptance.ts'
import { loadMethodInvitation } from '../invitation/open-invitation.ts'
import { redirectAfterWrongPassword, redirectUntil } from '../pages/refused-sign-in.ts'
import { redirectToEnrolment } from './enrolment-page-http.ts'
import { authenticateByPassword } from './password-check.ts'

type Parts = HasConfig & HasDatabase & HasRateLimits & HasLog & HasPasswords & HasRandomness

export async function signInWithPassword(service: Parts, call: PageCall): Promise<Reply> {
  const session = verifyCsrf(service.config.baseUrl, call)
  const loaded = await loadSignInIntent(service, call.fields, call)
  requireSignInIntent(loaded)
  const { email = '', password = '' } = call.fields
  try {
    const { user, methodId } = await authenticateByPassword(service, { email, password }, call)
    call.auditSubject.userId = user.id
    const authenticated = { intent: loaded.intent, userId: user.id, methodId }
    const verdict = await checkSecondFactor(service, user.id, undefined, call)
    if (verdict !== 'none') {
      return await redirectToInteraction(service, 'second_factor', authenticated, call.now)
    }
    return (await mustHaveSecondFactor(service.db, user, service.config.secondFactor))
      ? await redirectToEnrolment(service, authenticated, call.now)
      : await redirectToConsent(service, authenticated, call)
  } catch (error) {
    if (error instanceof RequestRefused && error.code === 'rate_limited') {
      call.log.warn({ traceId: call.traceId }, 'sign-in refused: too many attempts')
      const waitUntil = call.now + Number(error.headers['retry-after']) * 1000
      return redirectUntil(service.config.baseUrl, loaded, waitUntil)
    }
    if (!(error instanceof ApiError) || error.code !== 'wrong_credentials') throw error
    call.log.warn({ traceId: call.traceId }, 'sign-in refused')
    call.auditSubject.email = normalizeEmail(email)
    call.auditSubject.refusal = '401'
    return redirectAfterWrongPassword(service, session, loaded, call)
  }
}

export async function setPassword(
  service: HasConfig & HasDatabase & HasLog & HasPasswords & HasRandomness & HasSubscriptions,
  call: PageCall,
): Promise<Reply> {
  const { fields, now, auditSubject } = call
  verifyCsrf(service.config.baseUrl, call)
  const { token = '', password = '' } = fields
  const opened = await loadMethodInvitation(service, token, now)
  const problem = findPasswordProblem(password, opened.user.email)
  if (problem !== undefined) {
    // The page says what is wrong, at an address that can be loaded again.
    const query = new URLSearchParams({ token, problem }).toString()
    return goTo(`${service.config.baseUrl}/auth/invitation?${query}`)
  }
  auditSubject.userId = opened.user.id
  const method = {
    id: newId('mth', now, service.randomness),
    kind: 'password',
    label: 'Password',
    passwordHash: await service.passwords.hash(password),
  } as const
  return acceptWithMethod(service, opened, method, now)
}
