// The edge of /auth/sign-in/accounts: after a sign-in at the provider, asks for each account that has
// invited the address whether the user joins it. An account can invite any address: a sign-in alone
// must not make the person a member, or show it their sign-ins. Security V07.

import type { HasConfig } from '../../config/config.ts'
import {
  acceptInvitation,
  listOpenMemberships,
  type OpenMembership,
} from '../../credentials/invitation-store.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { buildPage, hidden, html } from '../../http/html/page.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { findUser } from '../../users/user-store.ts'
import { type AuthenticatedUser, interactionExpired } from '../interaction/interaction.ts'
import {
  INTERACTION_PATHS,
  loadInteraction,
  redirectToConsent,
  redirectToInteraction,
} from '../interaction/interaction-pages.ts'
import { redeemInteraction } from '../interaction/interaction-store.ts'
import { formTokenOf, verifyCsrf } from '../interaction/pre-auth-session.ts'

type JoiningService = HasConfig & HasDatabase & HasLog & HasRandomness

/** The question, if an account waits for the user; else the consent page. */
export async function redirectToJoining(
  service: Pick<JoiningService, 'config' | 'db' | 'randomness'>,
  authenticated: AuthenticatedUser,
  call: PageCall,
): Promise<Reply> {
  const { now } = call
  // Who came with an invitation is asked about that one, on the consent page.
  const isAsked = authenticated.intent.for !== 'invitation'
  const open = isAsked ? await listOpenMemberships(service.db, authenticated.userId, now) : []
  return open.length > 0
    ? redirectToInteraction(service, 'joining', authenticated, now)
    : redirectToConsent(service, authenticated, call)
}

export async function showJoining(
  service: Pick<JoiningService, 'config' | 'db'>,
  call: PageCall,
): Promise<Reply> {
  const { config, db } = service
  const { session, interaction } = await loadInteraction(service, call, 'joining')
  const { userId } = interaction.data
  const user = await findUser(db, userId)
  if (!user) throw interactionExpired()
  const open = await listOpenMemberships(db, userId, call.now)
  return buildPage({
    title: 'Join these accounts?',
    content: html`<p>You are <strong>${user.name}</strong>, ${user.email}. These accounts have invited this address. Join only
those that you know: an account sees the sign-ins of its members, and can reset how they sign in.</p>
<form method="post" action="${config.baseUrl}${INTERACTION_PATHS.joining}">
${hidden({ form_token: formTokenOf(session), step: interaction.id })}
${open.map(buildChoice)}
<button class="button">Continue</button>
</form>
<p>You are asked again about an account that you do not join now, while its invitation is open.</p>`,
  })
}

const buildChoice = ({ invitation, accountName, role }: OpenMembership) =>
  html`<label class="choice"><input type="checkbox" name="join_${invitation.id}" value="yes"> <span>Join <strong>${accountName}</strong> as ${role}</span></label>`

export async function joinAccounts(service: JoiningService, call: PageCall): Promise<Reply> {
  const { config, db, log } = service
  const { fields, now } = call
  const session = verifyCsrf(config.baseUrl, call)
  const key = { id: fields.step ?? '', session, kind: 'joining', now } as const
  const interaction = await redeemInteraction(db, key)
  if (!interaction) throw interactionExpired()
  const { userId, methodId } = interaction.data
  call.auditSubject.userId = userId
  const open = await listOpenMemberships(db, userId, now)
  for (const { invitation } of open) {
    if (fields[`join_${invitation.id}`] !== 'yes') continue
    const isJoined = await acceptInvitation(db, { invitation, method: { id: methodId }, now })
    log.info({ user: userId, account: invitation.accountId, isJoined: !!isJoined }, 'asked to join')
  }
  return redirectToConsent(service, interaction.data, call)
}
