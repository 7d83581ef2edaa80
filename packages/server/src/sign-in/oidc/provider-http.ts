// Signing in at the identity provider: the way there, and the way back. Whoever comes back has the
// browser, the step and the answer that belong together, or nothing. Contract §3, security U06.

import type { NewLoginMethod } from '../../credentials/login-method.ts'
import {
  findMethodBySubject,
  insertFirstMethod,
  listLoginMethods,
} from '../../credentials/login-method-store.ts'
import { UniqueViolation } from '../../db/database.ts'
import { goTo } from '../../http/html/page.ts'
import type { PageCall, Reply } from '../../http/route.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/identifiers.ts'
import { normalizeEmail } from '../../kernel/user.ts'
import type { Service } from '../../service.ts'
import { findUserByEmail } from '../../users/user-store.ts'
import { redirectToConsent } from '../interaction/consent-http.ts'
import { insertStep, redeemStep } from '../interaction/interaction-store.ts'
import { createPreAuthSession, findPreAuthSession } from '../interaction/pre-auth-session.ts'
import { loadSignInIntent } from '../interaction/sign-in-intent-http.ts'
import { findSettable } from '../invitation/invitation-http.ts'
import {
  buildProviderUrl,
  hasProvider,
  loadProviderAccount,
  type ProviderAccount,
} from './identity-provider.ts'
import { goToBinding } from './provider-binding-http.ts'
import { decideLink, LINK_REFUSALS } from './provider-link.ts'

export async function redirectToProvider(service: Service, call: PageCall): Promise<Reply> {
  const { config, db, randomness } = service
  if (!hasProvider(config)) throw new ApiError('not_found', 'No provider is configured here.')
  const { errand } = await loadSignInIntent(service, call.fields, call)
  const browser =
    findPreAuthSession(config.baseUrl, call.cookies) ??
    createPreAuthSession(config.baseUrl, randomness)
  const step = newId('stp', call.now, randomness)
  const url = await buildProviderUrl(service, browser, step)
  await db.write(insertStep(step, browser, 'provider', { errand }, call.now))
  return goTo(url, browser.setCookie)
}

export async function oidcCallback(service: Service, call: PageCall): Promise<Reply> {
  const { config, db } = service
  const { now } = call
  const browser = findPreAuthSession(config.baseUrl, call.cookies)
  const state = call.fields.state ?? ''
  const step = browser && (await redeemStep(db, state, browser, 'provider', now))
  if (!browser || !step) {
    throw new ApiError('used_already', 'This browser has not begun this sign-in, or it is over.')
  }
  const account = await loadProviderAccount(service, browser, step.id, call.query)
  const { errand } = step.data
  const { subject, email: address } = account
  // First: a reset forgets every method, the account that is known here too, and then has it anew.
  const opened =
    errand.for === 'invitation' && (await findSettable(service, errand.invitationId, now))
  if (opened) {
    call.trail.userId = opened.user.id
    return goToBinding(service, { invitationId: opened.invitation.id, subject, address }, now)
  }
  const known = await findMethodBySubject(db, 'oidc', subject)
  if (known) {
    const { userId, id: methodId } = known.method
    call.trail.userId = userId
    return redirectToConsent(service, { errand, userId, methodId }, now)
  }
  const method = {
    id: newId('mth', now, service.randomness),
    kind: 'oidc',
    label: config.oidcName,
    subject,
  } as const
  if (errand.for === 'invitation') throw notTheirs()
  const linked = await link(service, account, method, now)
  call.trail.userId = linked.userId
  return redirectToConsent(service, { errand, ...linked }, now)
}

/** They came to accept an invitation, and it is not one for this account to accept. */
const notTheirs = () =>
  new ApiError(
    'not_allowed',
    'This invitation is over, or is for somebody who signs in here in another way. Open its address again, and sign in that way.',
  )

/** Binds the account to the person who was invited by its address. @throws ApiError */
async function link(
  { db, log }: Service,
  account: ProviderAccount,
  method: NewLoginMethod,
  now: number,
): Promise<{ userId: string; methodId: string }> {
  const person =
    account.email === undefined
      ? undefined
      : await findUserByEmail(db, normalizeEmail(account.email))
  const user = person && !person.isDisabled ? person.user : undefined
  const methods = user && (await listLoginMethods(db, user.id)).length
  const verdict = decideLink(account, methods)
  if (!user || verdict !== 'link') {
    throw new ApiError(
      'sign_in_failed',
      LINK_REFUSALS[verdict === 'link' ? 'not_invited' : verdict],
    )
  }
  const isLinked = await insertFirstMethod(db, user.id, method, now).catch((error: unknown) => {
    // The same person has come back twice at once.
    if (error instanceof UniqueViolation) return false
    throw error
  })
  if (!isLinked) throw new ApiError('sign_in_failed', LINK_REFUSALS.has_other_methods)
  log.info({ user: user.id }, 'provider account bound to an invited person')
  return { userId: user.id, methodId: method.id }
}
