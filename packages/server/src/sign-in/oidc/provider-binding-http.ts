// The edge of /auth/invitation/provider: asks before a provider account becomes a login method. A user
// with a session at the provider returns without a click, from an attacker's link too; so the page
// names the account and the user first. Security U06, login CSRF.

import type { HasSubscriptions } from '../../cluster/session-subscriptions.ts'
import type { HasConfig } from '../../config/config.ts'
import type { NewLoginMethod } from '../../credentials/login-method.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { buildPage, EMPTY_HTML, type Html, hidden, html } from '../../http/html/page.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { limitReached } from '../../kernel/record-limits.ts'
import { invitePerson } from '../../members/invite.ts'
import { buildUnchangedPage } from '../interaction/consent-page.ts'
import {
  type DomainJoining,
  interactionExpired,
  type ProviderBinding,
} from '../interaction/interaction.ts'
import {
  INTERACTION_PATHS,
  loadInteraction,
  redirectToConsent,
} from '../interaction/interaction-pages.ts'
import { redeemInteraction } from '../interaction/interaction-store.ts'
import { formTokenOf, verifyCsrf } from '../interaction/pre-auth-session.ts'
import { acceptOnce, acceptWithMethod } from '../invitation/acceptance.ts'
import { findBindable, invitationExpired } from '../invitation/open-invitation.ts'
import { findJoining, type JoiningPerson } from './domain-joining.ts'
import { findProvider, type Provider } from './identity-provider.ts'

type Parts = HasConfig & HasDatabase & HasLog & HasRandomness & HasSubscriptions
type Loading = HasConfig & HasDatabase & HasRandomness

export async function showBinding(service: Loading, call: PageCall): Promise<Reply> {
  const { config } = service
  const { session, interaction } = await loadInteraction(service, call, 'binding')
  const asked = await askAbout(service, interaction.data, call.now)
  return buildPage({
    title: asked.title,
    content: html`${asked.question}
<form method="post" action="${config.baseUrl}${INTERACTION_PATHS.binding}">
${hidden({ form_token: formTokenOf(session), step: interaction.id })}
<button class="button" name="answer" value="yes">Yes, that is me</button>
<button class="button second" name="answer" value="no">No</button>
</form>`,
  })
}

async function askAbout(
  service: Loading,
  binding: ProviderBinding,
  now: number,
): Promise<{ readonly title: string; readonly question: Html }> {
  const { address, bound, label } = binding
  const account =
    address === undefined ? html`Your account` : html`Your account <strong>${address}</strong>`
  const reach = bound ? html`<p>Such a sign-in reaches this one practice only.</p>` : EMPTY_HTML
  if (binding.joining) {
    const { at, person } = await loadJoining(service, binding)
    return {
      title: `Join ${at.accountName}?`,
      question: html`<p>${account} at ${label} would become a member of <strong>${at.accountName}</strong> as
<strong>${person.name}</strong>. If that is not you, say no: another person has sent you here.</p>
${reach}`,
    }
  }
  const { user } = await loadInvitation(service, binding, now)
  return {
    title: `Sign in with ${label} from now on?`,
    question: html`<p>${account} at ${label} would sign in here as <strong>${user.name}</strong>,
${user.email}. If that is not you, say no: another person has sent you here.</p>
${reach}`,
  }
}

export async function bindAccount(service: Parts, call: PageCall): Promise<Reply> {
  const { config, db, randomness } = service
  const { now, fields } = call
  const session = verifyCsrf(config.baseUrl, call)
  const key = { id: fields.step ?? '', session, kind: 'binding', now } as const
  const interaction = await redeemInteraction(db, key)
  if (!interaction) throw interactionExpired()
  const { subject, label, bound, joining } = interaction.data
  if (bound) call.auditSubject.accountId = bound.accountId
  const opened = joining ? undefined : await loadInvitation(service, interaction.data, now)
  if (opened) call.auditSubject.userId = opened.user.id
  if (fields.answer !== 'yes') {
    call.log.warn({ user: opened?.user.id }, 'binding of a provider account refused')
    return buildUnchangedPage(config.baseUrl)
  }
  const id = newId('mth', now, randomness)
  const method = { id, kind: 'oidc', label, subject, ...(bound ? { bound } : {}) } as const
  return opened
    ? acceptWithMethod(service, opened, method, now)
    : joinByDomain(service, interaction.data, method, call)
}

async function loadInvitation(
  service: HasDatabase,
  { invitationId = '', bound }: ProviderBinding,
  now: number,
) {
  const opened = await findBindable(service, invitationId, bound, now)
  if (!opened) throw invitationExpired()
  return opened
}

interface Joining {
  readonly at: NonNullable<Provider['of']>
  readonly person: JoiningPerson
  readonly joining: DomainJoining
}

/** The rules again: account, domain and user may have changed since the question. @throws ApiError used_already */
async function loadJoining(
  service: Loading,
  { address: email, bound, joining }: ProviderBinding,
): Promise<Joining> {
  const provider = await findProvider(service, bound?.providerId)
  const at = bound && provider?.issuer === bound.issuer ? provider.of : undefined
  const person = at && joining && (await findJoining(service, { ...joining, email }, at))
  if (!at || !joining || !person || typeof person === 'string') throw interactionExpired()
  return { at, person, joining }
}

/** Invites the person in the name of the account, accepts with the new method, and goes on with the sign-in. */
async function joinByDomain(
  service: Parts,
  binding: ProviderBinding,
  method: NewLoginMethod,
  call: PageCall,
): Promise<Reply> {
  const { at, person, joining } = await loadJoining(service, binding)
  const { accountId } = at
  const inviting = { accountId, person, createdBy: at.providerId }
  const invited = await invitePerson(service, inviting, call.now)
  if (invited === 'full') {
    throw limitReached('account', 'members', service.config.maxMembersPerAccount)
  }
  if (invited === 'member') throw interactionExpired()
  const { invitation } = invited.minted
  const { userId } = invitation
  call.auditSubject.userId = userId
  const accepted = await acceptOnce(service.db, { invitation, method, now: call.now })
  if (!accepted) throw interactionExpired()
  service.log.info({ user: userId, account: accountId }, 'joined by the domain of the address')
  const { intent, authenticatedAt } = joining
  const authenticated = { intent, userId, methodId: method.id, authenticatedAt, boundTo: accountId }
  return redirectToConsent(service, authenticated, call)
}
