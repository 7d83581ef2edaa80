// The pages that ask one question within an interaction: how a handler redirects to one, and how the
// page loads what it asks about. Holds no question. Security U06.

import type { HasConfig } from '../../config/config.ts'
import { updateMethodLastUsedStatement } from '../../credentials/login-method-store.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { Statement } from '../../db/sql.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { goTo } from '../../http/html/page.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { approveClient } from './client-approval.ts'
import { findComparedCode } from './compared-code.ts'
import { completeConsoleSignIn } from './console-sign-in.ts'
import {
  type AuthenticatedUser,
  type Interaction,
  type InteractionData,
  interactionExpired,
} from './interaction.ts'
import { findInteraction, insertInteractionStatement } from './interaction-store.ts'
import {
  createPreAuthSession,
  findPreAuthSession,
  type PreAuthSession,
} from './pre-auth-session.ts'

type Parts = HasConfig & HasDatabase & HasRandomness

/** The address of each page; its form goes to the same address. */
export const INTERACTION_PATHS = {
  second_factor: '/auth/sign-in/second-factor',
  enrolment: '/auth/sign-in/second-factor/setup',
  joining: '/auth/sign-in/accounts',
  approval: '/auth/sign-in/approve',
  binding: '/auth/invitation/provider',
} as const
export type PageKind = keyof typeof INTERACTION_PATHS

/** Begins an interaction in a new session: a session that an attacker fixed before is worth nothing. */
export async function redirectToInteraction<Kind extends PageKind>(
  { config, db, randomness }: Parts,
  kind: Kind,
  data: InteractionData[Kind],
  now: number,
  ...more: readonly Statement[]
): Promise<Reply> {
  const session = createPreAuthSession(config.baseUrl, randomness)
  const id = newId('stp', now, randomness)
  await db.write(insertInteractionStatement({ id, session, kind, now }, data), ...more)
  const url = `${config.baseUrl}${INTERACTION_PATHS[kind]}?step=${id}`
  return goTo(url, session.setCookie)
}

/** The user is authenticated: the consent page is next, or the console that this browser shows. */
export const redirectToConsent = async (
  service: Parts,
  authenticated: AuthenticatedUser,
  call: Pick<PageCall, 'address' | 'cookies' | 'log' | 'now' | 'traceId' | 'userAgent'>,
): Promise<Reply> => {
  const { intent, methodId } = authenticated
  if (intent.for === 'console') {
    return completeConsoleSignIn(service, { ...authenticated, returnTo: intent.returnTo }, call)
  }
  if (intent.for === 'client') {
    const compared = await findComparedCode(service, intent, call)
    if (compared?.userId === authenticated.userId) {
      const { comparedAt } = compared
      return approveClient(service, { ...authenticated, intent, comparedAt }, call)
    }
  }
  const noteUse = updateMethodLastUsedStatement(methodId, call.now)
  return redirectToInteraction(service, 'approval', authenticated, call.now, noteUse)
}

/** Loads what the page of a GET asks about. @throws ApiError used_already */
export async function loadInteraction<Kind extends PageKind>(
  { config, db }: HasConfig & HasDatabase,
  { cookies, fields, now }: PageCall,
  kind: Kind,
): Promise<{ session: PreAuthSession; interaction: Interaction<Kind> }> {
  const session = findPreAuthSession(config.baseUrl, cookies)
  const interaction =
    session && (await findInteraction(db, { id: fields.step ?? '', session, kind, now }))
  if (!session || !interaction) throw interactionExpired()
  return { session, interaction }
}
