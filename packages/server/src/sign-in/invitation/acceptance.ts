// Accepts an invitation with a new login method: a password, a passkey or a provider account. A reset
// ends every sign-in of the user in the same write; a changed password ends every sign-in except
// the one that changed it. Contract §4 (Members).

import { notifySessionsEnded } from '../../cluster/end-notification.ts'
import type { HasSubscriptions } from '../../cluster/session-subscriptions.ts'
import type { HasConfig } from '../../config/config.ts'
import {
  type Acceptance,
  acceptInvitation,
  isAccepted,
  type OpenInvitation,
} from '../../credentials/invitation-store.ts'
import type { NewLoginMethod } from '../../credentials/login-method.ts'
import { type Database, type HasDatabase, UniqueViolation } from '../../db/database.ts'
import type { Reply } from '../../http/call.ts'
import { buildPage, type Html, html } from '../../http/html/page.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { HasLog } from '../../kernel/log.ts'
import { endEverySignInStatements, endedSessions } from '../sign-in-store.ts'
import { invitationExpired } from './open-invitation.ts'

type Parts = HasConfig & HasDatabase & HasLog & HasSubscriptions

/** @throws ApiError used_already; conflict when the method belongs to another user */
export async function acceptWithMethod(
  service: Parts,
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
  const accepted = await acceptOnce(db, { invitation, method, now, more })
  if (!accepted) throw invitationExpired()
  if (endsSignIns) await notifySessionsEnded(service, endedSessions(accepted), 'revoked')
  log.info({ user: user.id, purpose, kind: method.kind }, 'invitation accepted')
  const { baseUrl } = service.config
  if (purpose === 'membership') return buildAcceptedPage(baseUrl, accountName)
  return purpose === 'method' ? buildAddedPage(baseUrl) : buildResetPage(baseUrl)
}

/** @throws ApiError conflict when the method belongs to another user */
export const acceptOnce = (db: Database, acceptance: Acceptance) =>
  acceptInvitation(db, acceptance).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) throw error
    throw new ApiError('conflict', 'This way to sign in belongs to another person already.')
  })

/** The last page leads into the console, which asks for a sign-in when there is none. */
export const buildAcceptedPage = (baseUrl: string, accountName = ''): Reply =>
  buildPage({
    title: 'Done',
    content: html`<p>You are a member of <strong>${accountName}</strong> now. In the EHR you sign in from the side panel.</p>
${next(`${baseUrl}/console`, 'Open the console')}`,
  })

/** Builds the page for a user who came from the settings of the console to add a way to sign in. */
const buildAddedPage = (baseUrl: string): Reply =>
  buildPage({
    title: 'Done',
    content: html`<p>From now on you can sign in this way.</p>
${next(`${baseUrl}/console/settings/sign-in`, 'Back to your settings')}`,
  })

/** A reset has ended every sign-in. */
const buildResetPage = (baseUrl: string): Reply =>
  buildPage({
    title: 'Done',
    content: html`<p>From now on you can sign in this way, and in no other. Everything that you were signed in to has ended.</p>
${next(`${baseUrl}/console`, 'Sign in to the console')}`,
  })

const next = (url: string, label: string): Html =>
  html`<p><a class="button" href="${url}">${label}</a></p>`
