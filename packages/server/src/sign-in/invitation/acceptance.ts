// Accepts an invitation with a new way to sign in: a password, a passkey or a provider's account. A
// reset ends everything that the person was signed in to, in the same write; a changed password all
// but the sign-in in which it was changed.

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
import type { Service } from '../../service.ts'
import { endEverySignInStatements, endedSessions } from '../sign-in-store.ts'
import { notifySignedOut } from '../sign-out.ts'

/** @throws ApiError used_already; conflict when the method is somebody else's. */
export async function acceptWith(
  service: Service,
  { invitation, user, accountName }: OpenInvitation,
  method: NewLoginMethod,
  now: number,
): Promise<Reply> {
  const { purpose, signInId: keep = '' } = invitation
  const isEnding = purpose === 'reset' || (purpose === 'method' && method.kind === 'password')
  const where = isAccepted(invitation.id, method.id)
  const more = isEnding ? endEverySignInStatements(user.id, now, { where, keep }) : []
  const accepted = await acceptInvitation(service.db, { invitation, method, now, more }).catch(
    (error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error
      throw new ApiError('conflict', 'This way to sign in belongs to somebody already.')
    },
  )
  if (!accepted) throw invitationOver()
  if (isEnding) await notifySignedOut(service, endedSessions(accepted))
  service.log.info({ user: user.id, purpose, kind: method.kind }, 'accepted')
  return acceptedPage(purpose === 'membership' ? accountName : undefined)
}

export const acceptedPage = (accountName: string | undefined): Reply =>
  buildPage({
    title: 'Done',
    content:
      accountName === undefined
        ? html`<p>From now on you can sign in this way. You can close this page.</p>`
        : html`<p>You are a member of <strong>${accountName}</strong>. You can close this page and sign in.</p>`,
  })

export const invitationOver = () =>
  new ApiError(
    'used_already',
    'This address works once and for a limited time. It was used, replaced by a newer one, or is too old; whoever sent it can make a new one.',
  )
