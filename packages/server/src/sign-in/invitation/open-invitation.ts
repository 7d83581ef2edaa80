// Loads an invitation and says what it is for: its holder sets a login method, or signs in and joins an
// account. Only a membership is accepted by signing in; a reset link redeemed by signing in would
// delete every login method and store none.

import { parseInvitationToken, setsMethod } from '../../credentials/invitation.ts'
import { findOpenInvitation, type OpenInvitation } from '../../credentials/invitation-store.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Service } from '../../service.ts'

/** @throws ApiError used_already */
export async function loadInvitation(
  { db }: Pick<Service, 'db'>,
  token: string,
  now: number,
): Promise<OpenInvitation> {
  const parsed = parseInvitationToken(token)
  const opened = parsed && (await findOpenInvitation(db, parsed, now))
  if (!opened) throw invitationExpired()
  return opened
}

export const mayHolderSetMethod = ({ invitation, hasMethods }: OpenInvitation): boolean =>
  setsMethod(invitation, hasMethods)

/** The invitation with this token, whose holder may set a login method. @throws ApiError used_already */
export async function loadMethodInvitation(
  service: Pick<Service, 'db'>,
  token: string,
  now: number,
): Promise<OpenInvitation> {
  const opened = await loadInvitation(service, token, now)
  if (!mayHolderSetMethod(opened)) throw invitationExpired()
  return opened
}

/** The same by its id; undefined when the holder may not set a login method. */
export async function findMethodInvitation(
  { db }: Pick<Service, 'db'>,
  invitationId: string,
  now: number,
): Promise<OpenInvitation | undefined> {
  const opened = await findOpenInvitation(db, { id: invitationId }, now)
  return opened && mayHolderSetMethod(opened) ? opened : undefined
}

/** The membership that an authenticated user joins by. @throws ApiError used_already */
export async function loadMembershipInvitation(
  { db }: Pick<Service, 'db'>,
  invitationId: string,
  now: number,
): Promise<OpenInvitation> {
  const opened = await findOpenInvitation(db, { id: invitationId }, now)
  if (opened?.invitation.purpose !== 'membership') throw invitationExpired()
  return opened
}

export const invitationExpired = () =>
  new ApiError(
    'used_already',
    'This address works once and for a limited time. It was used, replaced by a newer one, or has expired. Ask for a new one.',
  )
