// Owns which of the two an invitation is here for: its holder sets a way to sign in, or they have
// signed in and join an account. Nothing but a membership is accepted by signing in: a reset would
// take every way to sign in and give none.

import { setsMethod } from '../../credentials/invitation.ts'
import { findOpenInvitation, type OpenInvitation } from '../../credentials/invitation-store.ts'
import type { PageCall } from '../../http/route.ts'
import type { Service } from '../../service.ts'
import { type LoadedErrand, loadSignInIntent } from '../interaction/sign-in-intent-http.ts'
import { invitationOver } from './acceptance.ts'

/** @throws ApiError used_already */
export async function loadSettable(
  service: Service,
  call: PageCall,
): Promise<LoadedErrand & { readonly invitation: OpenInvitation }> {
  const loaded = await loadSignInIntent(service, { token: call.fields.token ?? '' }, call)
  const { invitation } = loaded
  if (!invitation || !setsMethod(invitation.invitation, invitation.hasMethods)) {
    throw invitationOver()
  }
  return { ...loaded, invitation }
}

/** The invitation with this id, when its holder may set a way to sign in. */
export async function findSettable(
  { db }: Service,
  invitationId: string,
  now: number,
): Promise<OpenInvitation | undefined> {
  const opened = await findOpenInvitation(db, { id: invitationId }, now)
  return opened && setsMethod(opened.invitation, opened.hasMethods) ? opened : undefined
}

/** The membership that somebody who has signed in joins by. @throws ApiError used_already */
export async function loadJoinable(
  { db }: Service,
  invitationId: string,
  now: number,
): Promise<OpenInvitation> {
  const opened = await findOpenInvitation(db, { id: invitationId }, now)
  if (opened?.invitation.purpose !== 'membership') throw invitationOver()
  return opened
}

/** @throws ApiError used_already when signing in is nothing to do at this address. */
export function admitToSignIn({ invitation }: LoadedErrand): void {
  if (invitation && invitation.invitation.purpose !== 'membership') throw invitationOver()
}
