// The edge of sign-in at an identity provider: GET /auth/sign-in/provider redirects there, and GET
// /auth/callback takes the answer, below it that of a provider of an account. The callback counts only in the session that began it. A known
// account leads to the question which accounts to join, then to the consent page; an invited user's to
// the binding. Contract §3, security U06, V07.

import type { HasConfig } from '../../config/config.ts'
import type { NewLoginMethod } from '../../credentials/login-method.ts'
import {
  findMethodBySubject,
  insertFirstMethod,
  listLoginMethods,
} from '../../credentials/login-method-store.ts'
import { type HasDatabase, UniqueViolation } from '../../db/database.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { goTo } from '../../http/html/page.ts'
import type { HasProviderFetch } from '../../identity-providers/provider-fetch.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { normalizeEmail } from '../../kernel/user.ts'
import { findUserByEmail } from '../../users/user-store.ts'
import type { InteractionData, SignInIntent } from '../interaction/interaction.ts'
import { redirectToConsent, redirectToInteraction } from '../interaction/interaction-pages.ts'
import { insertInteractionStatement, redeemInteraction } from '../interaction/interaction-store.ts'
import { findPreAuthSession, openPreAuthSession } from '../interaction/pre-auth-session.ts'
import { loadSignInIntent } from '../interaction/sign-in-intent.ts'
import { findBindable } from '../invitation/open-invitation.ts'
import { findJoining } from './domain-joining.ts'
import {
  buildProviderUrl,
  findProvider,
  loadProviderAccount,
  type Provider,
  type ProviderAccount,
} from './identity-provider.ts'
import { redirectToJoining } from './joining-http.ts'

type Parts = HasConfig & HasDatabase & HasLog & HasProviderFetch & HasRandomness

export async function redirectToProvider(
  service: Parts & HasRateLimits,
  call: PageCall,
): Promise<Reply> {
  const { db, randomness } = service
  const { fields, now } = call
  const provider = await findProvider(service, fields.provider)
  if (!provider) throw new ApiError('not_found', 'There is no such provider here.')
  const { intent } = await loadSignInIntent(service, fields, call)
  const session = openPreAuthSession(service, call.cookies)
  const id = newId('stp', now, randomness)
  // The console asks for a new authentication with this field. [V27]
  const isAgain = fields.again === '1'
  const url = await buildProviderUrl(service, provider, session, { id, isAgain, now })
  const key = { id, session, kind: 'provider', now } as const
  await db.write(insertInteractionStatement(key, { intent, isAgain, at: provider.of }))
  return goTo(url, session.setCookie)
}

export async function oidcCallback(service: Parts, call: PageCall): Promise<Reply> {
  const { config, db } = service
  const { now, fields, auditSubject } = call
  const session = findPreAuthSession(config.baseUrl, call.cookies)
  const interaction =
    session &&
    (await redeemInteraction(db, { id: fields.state ?? '', session, kind: 'provider', now }))
  if (!session || !interaction) {
    throw new ApiError('used_already', 'This browser has not begun this sign-in, or it is over.')
  }
  const provider = await findAnswering(service, interaction.data, call.rest)
  const account = await loadProviderAccount(service, provider, session, interaction, call)
  const { intent } = interaction.data
  const { subject, email: address, authenticatedAt } = account
  const bound = provider.of
  // What happens at the provider of an account is in the trail of that account alone.
  if (bound) auditSubject.accountId = bound.accountId
  const known = await findMethodBySubject(db, 'oidc', subject)
  const opened =
    intent.for === 'invitation'
      ? await findBindable(service, intent.invitationId, bound, now)
      : undefined
  // Before the known account: a reset deletes every login method, this one too, and then binds it again.
  const isKnownMember = known && bound && opened?.invitation.purpose === 'membership'
  if (opened && !isKnownMember) {
    auditSubject.userId = opened.user.id
    const invitationId = opened.invitation.id
    const binding = { invitationId, subject, address, label: labelOf(provider, account), bound }
    return redirectToInteraction(service, 'binding', binding, now)
  }
  const isForAnother = !known || (bound && !opened)
  if (intent.for === 'invitation' && isForAnother) throw invitationForAnother()
  if (!known && bound) {
    const at = { label: labelOf(provider, account), bound }
    return redirectToDomainJoining(service, at, account, intent, call)
  }
  const { userId, methodId } = known
    ? { userId: known.method.userId, methodId: known.method.id }
    : await linkByEmail(service, account, now)
  auditSubject.userId = userId
  const boundTo = bound?.accountId
  const authenticated = { intent, userId, methodId, authenticatedAt, boundTo }
  return bound
    ? redirectToConsent(service, authenticated, call)
    : redirectToJoining(service, authenticated, call)
}

/**
 * The provider at which this sign-in began, as it is now. An answer at the address of another provider, or of one
 * that was removed or has another issuer since, is none of its. RFC 9700 4.4.2, contract §13. @throws ApiError
 */
async function findAnswering(
  service: Parts,
  { at }: InteractionData['provider'],
  answeredAt: string,
): Promise<Provider> {
  const isSame = answeredAt === (at?.providerId ?? '')
  const provider = isSame ? await findProvider(service, at?.providerId) : undefined
  if (provider && (at === undefined || at.issuer === provider.issuer)) return provider
  throw new ApiError(
    'sign_in_failed',
    'This answer does not come from the provider at which you began, or the provider was changed meanwhile. Begin again.',
  )
}

/** The user came to accept an invitation, and this account cannot accept it. */
const invitationForAnother = () =>
  new ApiError(
    'not_allowed',
    'This invitation is over, or is for a person who signs in here in another way. Open its address again, and sign in that way.',
  )

/** The question whether to join, for a person of a domain that the account has proved. @throws ApiError */
async function redirectToDomainJoining(
  service: Parts,
  { label, bound }: { readonly label: string; readonly bound: NonNullable<Provider['of']> },
  account: ProviderAccount,
  intent: SignInIntent,
  { now, log }: PageCall,
): Promise<Reply> {
  const found = await findJoining(service, account, bound)
  if (typeof found === 'string') {
    log.info({ provider: bound.providerId, reason: found }, 'no joining by domain')
    throw notBound(label, bound.accountName)
  }
  const { subject, email: address, authenticatedAt, isEmailRefuted, hostedDomain, name } = account
  const joining = { intent, authenticatedAt, name, isEmailRefuted, hostedDomain }
  const { providerId, issuer, accountId } = bound
  const binding = { label, subject, address, joining, bound: { providerId, issuer, accountId } }
  return redirectToInteraction(service, 'binding', binding, now)
}

/** Builds the label by which the person sees the login method. */
const labelOf = ({ name }: Provider, { fhirUser }: ProviderAccount): string =>
  fhirUser === undefined ? name : `${name} (${fhirUser})`

/** An e-mail address alone binds no user at the provider of an account. */
const notBound = (provider: string, account: string) =>
  new ApiError(
    'sign_in_failed',
    `This account of ${provider} is not known here yet. Open your invitation to ${account}, or sign in as before and add it in your settings.`,
  )

/** Binds the account to the user who was invited by its e-mail address; joins nothing. @throws ApiError */
async function linkByEmail(
  { config, db, log, randomness }: Parts,
  account: ProviderAccount,
  now: number,
): Promise<{ userId: string; methodId: string }> {
  const { email, subject } = account
  const found = email === undefined ? undefined : await findUserByEmail(db, normalizeEmail(email))
  const user = found && !found.isDisabled ? found.user : undefined
  const methodCount = user && (await listLoginMethods(db, user.id)).length
  const verdict = decideLink(account, methodCount)
  if (!user || verdict !== 'link') {
    const refusal = verdict === 'link' ? 'not_invited' : verdict
    throw new ApiError('sign_in_failed', LINK_REFUSALS[refusal])
  }
  const methodId = newId('mth', now, randomness)
  const method: NewLoginMethod = { id: methodId, kind: 'oidc', label: config.oidcName, subject }
  const isLinked = await insertFirstMethod(db, user.id, method, now).catch((error: unknown) => {
    // Two callbacks of the same user ran at once.
    if (error instanceof UniqueViolation) return false
    throw error
  })
  if (!isLinked) throw new ApiError('sign_in_failed', LINK_REFUSALS.has_other_methods)
  log.info({ user: user.id }, 'provider account bound to an invited user')
  return { userId: user.id, methodId }
}

type LinkVerdict = 'link' | 'address_not_verified' | 'not_invited' | 'has_other_methods'

/** @param methodCount login methods of the user with this address; undefined when there is no user. */
export function decideLink(
  { email, isEmailVerified }: Pick<ProviderAccount, 'email' | 'isEmailVerified'>,
  methodCount: number | undefined,
): LinkVerdict {
  if (email === undefined || !isEmailVerified) return 'address_not_verified'
  if (methodCount === undefined) return 'not_invited'
  return methodCount === 0 ? 'link' : 'has_other_methods'
}

const LINK_REFUSALS: Readonly<Record<Exclude<LinkVerdict, 'link'>, string>> = {
  address_not_verified:
    'The provider has not verified your e-mail address, so it cannot tell who you are here. Open the address of your invitation instead.',
  not_invited:
    'The e-mail address that the provider gives for you is not invited here. Ask the administrator of your practice.',
  has_other_methods:
    'You sign in here in another way already. Sign in that way, then add the provider to your login methods.',
}
