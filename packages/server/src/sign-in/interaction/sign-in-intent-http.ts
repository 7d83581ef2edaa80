// Loads what a browser has come to sign in for, from the address of the page or the hidden fields of
// its form: a client that waits, or an invitation. The first visit makes the row in which the client
// waits.
import { buildMatchCode } from '@chartside/protocol/sign-in'
import { parseInvitationToken } from '../../credentials/invitation.ts'
import { findOpenInvitation, type OpenInvitation } from '../../credentials/invitation-store.ts'
import { ApiError } from '../../kernel/errors.ts'
import { hashBearer } from '../../kernel/identifiers.ts'
import type { Service } from '../../service.ts'
import { FLOW_LIFETIME_MS, isOpen, parseFlowRequest } from '../client-flow/sign-in-flow.ts'
import { findFlow, insertFlow } from '../client-flow/sign-in-flow-store.ts'
import { invitationOver } from '../invitation/acceptance.ts'
import type { SignInIntent } from './interaction.ts'

export interface LoadedErrand {
  readonly errand: SignInIntent
  /** The hidden fields by which the next form finds it again; together, the query of the page. */
  readonly fields: Readonly<Record<string, string>>
  /** What the errand is about, when it is an invitation. */
  readonly invitation?: OpenInvitation
}

/** @throws ApiError when the address is not one of ours, is over, or was used. */
export async function loadSignInIntent(
  service: Service,
  fields: Readonly<Record<string, string | undefined>>,
  { address, now }: { readonly address: string; readonly now: number },
): Promise<LoadedErrand> {
  if (fields.token !== undefined) return loadInvitation(service, fields.token, now)
  const request = parseFlowRequest(fields)
  if (!request) {
    throw new ApiError(
      'invalid_request',
      'This page is opened by the extension or program that you sign in for. Its address is not complete.',
    )
  }
  await service.limits.count({ address }, now, 'signInPage')
  const { sessionId, challenge } = request
  const sessionHash = hashBearer(sessionId)
  const known = await findFlow(service.db, sessionHash)
  if (!known) {
    await service.db.write(insertFlow(sessionHash, challenge, now, now + FLOW_LIFETIME_MS))
  } else if (!isOpen(known, challenge, now)) {
    throw new ApiError(
      'used_already',
      'This sign-in is over: it was used, refused, or older than ten minutes. Nothing is lost.',
    )
  }
  return {
    errand: { for: 'client', sessionHash, challenge },
    fields: { session_id: sessionId, challenge },
  }
}

async function loadInvitation({ db }: Service, token: string, now: number): Promise<LoadedErrand> {
  const parsed = parseInvitationToken(token)
  const invitation = parsed && (await findOpenInvitation(db, parsed, now))
  if (!invitation) throw invitationOver()
  const errand = { for: 'invitation', invitationId: invitation.invitation.id } as const
  return { errand, fields: { token }, invitation }
}

export const matchCodeOf = (errand: SignInIntent): string | undefined =>
  errand.for === 'client' ? buildMatchCode(errand.challenge) : undefined
