// Approves the flow of a client for an authenticated user, and builds the last page. To an extension the
// page gives a proof, in the tab that it opened: without it no poll is answered. A link that another
// person made leads the proof to the extension of this browser, which did not ask. Security U06, V31.

import { APPROVAL_PAGE } from '@chartside/protocol/sign-in'
import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import { networkOf } from '../../http/admission/client-address.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { buildPage, type Html, html } from '../../http/html/page.ts'
import { hashBearer } from '../../kernel/identifiers.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import type { User } from '../../kernel/user.ts'
import { findUser } from '../../users/user-store.ts'
import { approveFlow } from '../client-flow/sign-in-flow-store.ts'
import { buildComparedCode } from './compared-code.ts'
import { type AuthenticatedUser, type ClientIntent, interactionExpired } from './interaction.ts'

type Parts = HasConfig & HasDatabase & HasRandomness

interface ApprovedClient extends AuthenticatedUser {
  readonly intent: ClientIntent
  /** The time when the user compared the codes in this browser. */
  readonly comparedAt: number
  /** The user typed the code of the program, which may be anywhere. */
  readonly isTyped?: boolean
}

export async function approveClient(
  service: Parts,
  { intent, userId, methodId, authenticatedAt, comparedAt, isTyped = false }: ApprovedClient,
  { address, log, now }: Pick<PageCall, 'address' | 'log' | 'now'>,
): Promise<Reply> {
  const { config, db, randomness } = service
  const { hostOrigin, sessionHash } = intent
  const user = await findUser(db, userId)
  if (!user) throw interactionExpired()
  const proof = randomness.bytes(32).toString('base64url')
  const proofHash = hostOrigin === undefined ? undefined : hashBearer(proof)
  const approvedFor = hostOrigin === undefined && !isTyped ? networkOf(address) : undefined
  const method = { userId, methodId, authenticatedAt }
  if (!(await approveFlow(db, { sessionHash, ...method, proofHash, approvedFor, now })))
    throw interactionExpired()
  log.info({ user: userId }, 'sign-in approved')
  if (hostOrigin === undefined) return buildApprovedPage(config.baseUrl, user)
  const compared = buildComparedCode(service, { userId, hostOrigin, sessionHash, comparedAt }, now)
  await db.write(compared.statement)
  const refresh = `0; url=${hostOrigin}${APPROVAL_PAGE}#${proof}`
  return buildApprovedPage(config.baseUrl, user, { refresh }, compared.setCookie)
}

const buildApprovedPage = (
  baseUrl: string,
  user: User,
  headers: Readonly<Record<string, string>> = {},
  setCookie?: string,
): Reply =>
  buildPage({
    title: 'You are signed in',
    headers,
    setCookie,
    content: html`<p>As <strong>${user.name}</strong>, in the window that you came from. Go back there; this page can be closed.</p>
${consoleLink(baseUrl)}`,
  })

/** Every end leads somewhere. */
export const consoleLink = (baseUrl: string): Html =>
  html`<div class="actions"><a class="button second" href="${baseUrl}/console">Open the console</a></div>`
