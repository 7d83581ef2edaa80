// Loads the intent of a sign-in from the address of the page or the hidden fields of its form: a client
// that polls for its token, an invitation, or the console. The first visit for a client inserts its
// flow. Contract §3.

import { buildMatchCode } from '@chartside/protocol/sign-in'
import type { HasConfig } from '../../config/config.ts'
import type { OpenInvitation } from '../../credentials/invitation-store.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import type { PageCall } from '../../http/call.ts'
import { PageProblem } from '../../http/html/page-problem.ts'
import { ApiError } from '../../kernel/errors.ts'
import { hashBearer } from '../../kernel/identifiers.ts'
import { FLOW_LIFETIME_MS, isOpen, parseFlowRequest } from '../client-flow/sign-in-flow.ts'
import { findFlow, insertFlow } from '../client-flow/sign-in-flow-store.ts'
import { invitationExpired, loadInvitation } from '../invitation/open-invitation.ts'
import type { SignInIntent } from './interaction.ts'
import { parseReturnAddress } from './return-address.ts'

export interface LoadedIntent {
  readonly intent: SignInIntent
  /** The hidden fields that name the intent in the next form; together, the query of the page. */
  readonly fields: Readonly<Record<string, string>>
  /** The invitation that the intent is about, when it is one. */
  readonly invitation?: OpenInvitation
}

/** @throws ApiError when the address is incomplete, expired or used */
export async function loadSignInIntent(
  { config, db, limits }: HasConfig & HasDatabase & HasRateLimits,
  fields: Readonly<Record<string, string | undefined>>,
  { address, initiator, now }: Pick<PageCall, 'address' | 'initiator' | 'now'>,
): Promise<LoadedIntent> {
  // A page of another site makes browsers send these; they count against no person of their network. [V26]
  if (initiator === 'embedded') throw embedded()
  const limit = initiator === 'elsewhere' ? 'signInPageFromElsewhere' : 'signInPage'
  if (fields.token !== undefined) {
    return invitationIntent(fields.token, await loadInvitation({ db }, fields.token, now))
  }
  if (fields.session_id === undefined && fields.challenge === undefined) {
    await limits.count({ address }, now, limit)
    const returnTo = parseReturnAddress(fields.return_to)
    const again = fields.again === '1' ? { again: '1' } : {}
    return { intent: { for: 'console', returnTo }, fields: { return_to: returnTo, ...again } }
  }
  const request = parseFlowRequest(fields)
  const isKnownHost =
    request?.hostOrigin === undefined || config.hostOrigins.includes(request.hostOrigin)
  if (!request || !isKnownHost) {
    throw new ApiError(
      'invalid_request',
      'This page is opened by the extension or program that you sign in for. Its address is not complete.',
    )
  }
  await limits.count({ address }, now, limit)
  const { sessionId, challenge, hostOrigin } = request
  const sessionHash = hashBearer(sessionId)
  const flow = await findFlow(db, sessionHash)
  if (!flow) {
    const expiresAt = now + FLOW_LIFETIME_MS
    await insertFlow(db, { sessionHash, challenge, hostOrigin, createdAt: now, expiresAt })
  } else if (!isOpen(flow, request, now)) {
    throw new PageProblem('used_already', {
      title: 'This sign-in is over',
      happened: 'It was used, refused, or is older than ten minutes. Nothing is lost.',
      todo: 'Begin again in the side panel or the program that opened this page.',
    })
  }
  return {
    intent: { for: 'client', sessionHash, challenge, hostOrigin },
    fields: {
      session_id: sessionId,
      challenge,
      ...(hostOrigin === undefined ? {} : { host_origin: hostOrigin }),
      ...(isAccountId(fields.account_id) ? { account_id: fields.account_id } : {}),
    },
  }
}

/** Returns true for an account id, whose providers come first; an id of no account shows the page as it always is. */
const isAccountId = (id: string | undefined): id is string => /^acc_[0-9a-z]{22}$/.test(id ?? '')

const embedded = () =>
  new PageProblem('not_allowed', {
    title: 'Not inside another page',
    happened: 'A page of another site asked for the sign-in page.',
    todo: 'Open the side panel, your program or the console, and sign in from there.',
  })

export const invitationIntent = (token: string, invitation: OpenInvitation): LoadedIntent => ({
  intent: { for: 'invitation', invitationId: invitation.invitation.id },
  fields: { token },
  invitation,
})

/** @throws ApiError used_already for an invitation that signing in does not accept */
export function requireSignInIntent({ invitation }: LoadedIntent): void {
  if (invitation && invitation.invitation.purpose !== 'membership') throw invitationExpired()
}

/** The code that the user compares with the one in the client, as a user_code (RFC 8628 3.3.1). */
export const matchCodeOf = (intent: SignInIntent): string | undefined =>
  intent.for === 'client' ? buildMatchCode(intent.challenge) : undefined
