// The consent page, the last step in the browser: the authenticated user confirms that the client shows
// the same match code, or that they join the account. Only a confirmed client gets a token, so a
// link from an attacker signs no victim in. Contract §3, security U06.

import type { HasConfig } from '../../config/config.ts'
import { acceptInvitation } from '../../credentials/invitation-store.ts'
import type { HasDatabase } from '../../db/database.ts'
import { networkOf } from '../../http/admission/client-address.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import type { User } from '../../kernel/user.ts'
import { findUser } from '../../users/user-store.ts'
import { findFlow, refuseFlow } from '../client-flow/sign-in-flow-store.ts'
import { buildAcceptedPage } from '../invitation/acceptance.ts'
import { invitationExpired, loadMembershipInvitation } from '../invitation/open-invitation.ts'
import { approveClient } from './client-approval.ts'
import {
  buildConsentPage,
  buildRefusedPage,
  buildUnchangedPage,
  type ConsentQuestion,
  clientQuestion,
  invitationQuestion,
  programQuestion,
} from './consent-page.ts'
import {
  type AuthenticatedUser,
  type ClientIntent,
  interactionExpired,
  type SignInIntent,
} from './interaction.ts'
import { loadInteraction } from './interaction-pages.ts'
import { findInteraction, type InteractionKey, redeemInteraction } from './interaction-store.ts'
import { verifyCsrf } from './pre-auth-session.ts'
import { matchCodeOf } from './sign-in-intent.ts'

type ConsentService = HasConfig & HasDatabase & HasLog & HasRandomness

export async function showConsent(service: ConsentService, call: PageCall): Promise<Reply> {
  const { session, interaction } = await loadInteraction(service, call, 'approval')
  const { intent, userId } = interaction.data
  const user = await loadUser(service, userId)
  const question = await loadQuestion(service, intent, user, call)
  return buildConsentPage(service.config.baseUrl, session, interaction.id, question)
}

async function loadQuestion(
  { db }: HasDatabase,
  intent: SignInIntent,
  user: User,
  { address, now }: Pick<PageCall, 'address' | 'now'>,
): Promise<ConsentQuestion> {
  if (intent.for === 'client') {
    const network = await findOtherNetwork({ db }, intent, address)
    return network === undefined ? clientQuestion(intent, user) : programQuestion(user, network)
  }
  // The console asks nothing: this browser is what is signed in.
  if (intent.for === 'console') throw interactionExpired()
  return invitationQuestion(await loadMembershipInvitation({ db }, intent.invitationId, now), user)
}

/** The network of a program that waits on another one than this browser: one click signs no user in there. */
async function findOtherNetwork(
  { db }: HasDatabase,
  { hostOrigin, sessionHash }: ClientIntent,
  address: string,
): Promise<string | undefined> {
  if (hostOrigin !== undefined) return undefined
  const askedFrom = (await findFlow(db, sessionHash))?.askedFrom
  return askedFrom === networkOf(address) ? undefined : askedFrom
}

/** The page again, while the code that it asks for is not the one of the program. */
async function askForCode(
  service: ConsentService,
  call: PageCall,
  key: InteractionKey<'approval'>,
): Promise<Reply | 'typed' | 'not_asked'> {
  const { intent, userId } = (await findInteraction(service.db, key))?.data ?? {}
  if (intent?.for !== 'client' || userId === undefined) return 'not_asked'
  const network = await findOtherNetwork(service, intent, call.address)
  if (network === undefined) return 'not_asked'
  const plain = (code = '') => code.toUpperCase().replace(/[^0-9A-Z]/g, '')
  if (plain(call.fields.match_code) === plain(matchCodeOf(intent))) return 'typed'
  const question = programQuestion(await loadUser(service, userId), network, call.fields.match_code)
  return buildConsentPage(service.config.baseUrl, key.session, key.id, question)
}

export async function answerConsent(service: ConsentService, call: PageCall): Promise<Reply> {
  const { config, db } = service
  const session = verifyCsrf(config.baseUrl, call)
  const id = call.fields.step ?? ''
  const key = { id, session, kind: 'approval', now: call.now } as const
  const isApproved = call.fields.answer === 'yes'
  const asked = isApproved ? await askForCode(service, call, key) : 'not_asked'
  if (typeof asked === 'object') return asked
  const interaction = await redeemInteraction(db, key)
  if (!interaction) throw interactionExpired()
  const { userId, boundTo } = interaction.data
  Object.assign(call.auditSubject, { userId, ...(boundTo ? { accountId: boundTo } : {}) })
  const { intent } = interaction.data
  if (intent.for === 'client') {
    return isApproved
      ? approveClient(
          service,
          { ...interaction.data, intent, comparedAt: call.now, isTyped: asked === 'typed' },
          call,
        )
      : refuseClient(service, interaction.data, intent.sessionHash, call)
  }
  if (intent.for === 'console') throw interactionExpired()
  if (!isApproved) return buildUnchangedPage(config.baseUrl)
  return joinAccount(service, interaction.data, intent.invitationId, call.now)
}

async function refuseClient(
  { config, db }: ConsentService,
  { userId }: AuthenticatedUser,
  sessionHash: string,
  { log, now }: PageCall,
): Promise<Reply> {
  await refuseFlow(db, sessionHash, now)
  log.warn({ user: userId }, 'sign-in refused by its user')
  return buildRefusedPage(config.baseUrl)
}

async function joinAccount(
  { config, db, log }: ConsentService,
  { userId, methodId }: AuthenticatedUser,
  invitationId: string,
  now: number,
): Promise<Reply> {
  const { invitation, user, accountName } = await loadMembershipInvitation(
    { db },
    invitationId,
    now,
  )
  if (user.id !== userId) throw invitationExpired()
  const method = { id: methodId }
  if (!(await acceptInvitation(db, { invitation, method, now }))) throw invitationExpired()
  log.info({ user: userId }, 'invitation accepted')
  return buildAcceptedPage(config.baseUrl, accountName)
}

async function loadUser({ db }: HasDatabase, id: string): Promise<User> {
  const user = await findUser(db, id)
  if (!user) throw interactionExpired()
  return user
}
