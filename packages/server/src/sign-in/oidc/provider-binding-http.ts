// The edge of /auth/invitation/provider: asks before a provider account becomes a login method. A user
// with a session at the provider returns without a click, from an attacker's link too; so the page
// names the account and the user first. Security U06, login CSRF.

import type { HasSubscriptions } from '../../cluster/session-subscriptions.ts'
import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { buildPage, EMPTY_HTML, hidden, html } from '../../http/html/page.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { buildUnchangedPage } from '../interaction/consent-page.ts'
import { interactionExpired, type ProviderBinding } from '../interaction/interaction.ts'
import { INTERACTION_PATHS, loadInteraction } from '../interaction/interaction-pages.ts'
import { redeemInteraction } from '../interaction/interaction-store.ts'
import { formTokenOf, verifyCsrf } from '../interaction/pre-auth-session.ts'
import { acceptWithMethod } from '../invitation/acceptance.ts'
import { findBindable, invitationExpired } from '../invitation/open-invitation.ts'

type Parts = HasConfig & HasDatabase & HasLog & HasRandomness & HasSubscriptions

export async function showBinding(
  service: HasConfig & HasDatabase,
  call: PageCall,
): Promise<Reply> {
  const { config } = service
  const { session, interaction } = await loadInteraction(service, call, 'binding')
  const { address, bound, label } = interaction.data
  const { user } = await loadInvitation(service, interaction.data, call.now)
  const account =
    address === undefined ? html`Your account` : html`Your account <strong>${address}</strong>`
  return buildPage({
    title: `Sign in with ${label} from now on?`,
    content: html`<p>${account} at ${label} would sign in here as <strong>${user.name}</strong>,
${user.email}. If that is not you, say no: another person has sent you here.</p>
${bound ? html`<p>Such a sign-in reaches this one practice only.</p>` : EMPTY_HTML}
<form method="post" action="${config.baseUrl}${INTERACTION_PATHS.binding}">
${hidden({ form_token: formTokenOf(session), step: interaction.id })}
<button class="button" name="answer" value="yes">Yes, that is me</button>
<button class="button second" name="answer" value="no">No</button>
</form>`,
  })
}

export async function bindAccount(service: Parts, call: PageCall): Promise<Reply> {
  const { config, db, randomness } = service
  const { now, fields } = call
  const session = verifyCsrf(config.baseUrl, call)
  const key = { id: fields.step ?? '', session, kind: 'binding', now } as const
  const interaction = await redeemInteraction(db, key)
  if (!interaction) throw interactionExpired()
  const { subject, label, bound } = interaction.data
  const opened = await loadInvitation(service, interaction.data, now)
  call.auditSubject.userId = opened.user.id
  if (bound) call.auditSubject.accountId = bound.accountId
  if (fields.answer !== 'yes') {
    call.log.warn({ user: opened.user.id }, 'binding of a provider account refused')
    return buildUnchangedPage(config.baseUrl)
  }
  const id = newId('mth', now, randomness)
  const method = { id, kind: 'oidc', label, subject, ...(bound ? { bound } : {}) } as const
  return acceptWithMethod(service, opened, method, now)
}

async function loadInvitation(
  service: HasDatabase,
  { invitationId, bound }: ProviderBinding,
  now: number,
) {
  const opened = await findBindable(service, invitationId, bound, now)
  if (!opened) throw invitationExpired()
  return opened
}
