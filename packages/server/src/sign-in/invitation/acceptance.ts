// Accepts an invitation with a new login method: a password, a passkey or a provider account. A reset
// ends every sign-in of the user in the same write; a changed password ends every sign-in except
// the one that changed it. Contract §4 (Members).

import {
  acceptInvitation,
  isAccepted,
  type OpenInvitation,
} from '../../credentials/invitation-store.ts'
import type { NewLoginMethod } from '../../credentials/login-method.ts'
import { UniqueViolation } from '../../db/database.ts'
import { buildPage, html } from '../../http/html/page.ts'
import type { Reply } from '../../http/route.ts'
import { ApiError } from '../../kernel/errors.ts'
import { notifySessionsEnded } from '../../liveness/end-notification.ts'
import type { Service } from '../../service.ts'
import { endEverySignInStatements, endedSessions } from '../sign-in-store.ts'
import { invitationExpired } from './open-invitation.ts'

/** @throws ApiError used_already; conflict when the method belongs to another user */
export async function acceptWithMethod(
  service: Pick<Service, 'config' | 'db' | 'log' | 'subscriptions'>,
  { invitation, user, accountName }: OpenInvitation,
  method: NewLoginMethod,
  now: number,
): Promise<Reply> {
  const { db, log } = service
  const { purpose, signInId: keep = '' } = invitation
  const endsSignIns = purpose === 'reset' || (purpose === 'method' && method.kind === 'password')
  const where = isAccepted(invitation.id, method.id)
  const more = endsSignIns
    ? endEverySignInStatements(user.id, { at: now, reason: 'revoked' }, { where, keep })
    : []
  const accepted = await acceptInvitation(db, { invitation, method, now, more }).catch(
    (error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error
      throw new ApiError('conflict', 'This way to sign in belongs to another person already.')
    },
  )
  if (!accepted) throw invitationExpired()
  if (endsSignIns) await notifySessionsEnded(service, endedSessions(accepted), 'revoked')
  log.info({ user: user.id, purpose, kind: method.kind }, 'invitation accepted')
  const { baseUrl } = service.config
  if (purpose === 'membership') return buildAcceptedPage(baseUrl, accountName)
  // Who adds a method came from the settings of the console; a reset ends every sign-in.
  return buildAcceptedPage(baseUrl, undefined, '/console/settings')
}

/** The last page leads into the console, which asks for a sign-in when there is none. */
export const buildAcceptedPage = (
  baseUrl: string,
  accountName: string | undefined,
  next = '/console',
): Reply =>
  buildPage({
    title: 'Done',
    content:
      accountName === undefined
        ? html`<p>From now on you can sign in this way.</p>
<p><a class="button" href="${baseUrl}${next}">Continue to your settings</a></p>`
        : html`<p>You are a member of <strong>${accountName}</strong> now. In the EHR you sign in from the side panel.</p>
<p><a class="button" href="${baseUrl}${next}">Open the console</a></p>`,
  })
