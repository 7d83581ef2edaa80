// Loads an invitation and says what it is for: its holder sets a login method, or signs in and joins an
// account. Only a membership is accepted by signing in; a reset link redeemed by signing in would
// delete every login method and store none.

import { parseInvitationToken, setsMethod } from '../../credentials/invitation.ts'
import {
  findInvitationFate,
  findOpenInvitation,
  type InvitationFate,
  type OpenInvitation,
} from '../../credentials/invitation-store.ts'
import type { BoundTo } from '../../credentials/login-method.ts'
import type { HasDatabase } from '../../db/database.ts'
import { PageProblem } from '../../http/html/page-problem.ts'
import type { ApiError } from '../../kernel/errors.ts'

/** @throws ApiError used_already */
export async function loadInvitation(
  { db }: HasDatabase,
  token: string,
  now: number,
): Promise<OpenInvitation> {
  const parsed = parseInvitationToken(token)
  const opened = parsed && (await findOpenInvitation(db, parsed, now))
  if (opened) return opened
  throw invitationExpired(parsed ? await findInvitationFate(db, parsed, now) : 'unknown')
}

export const mayHolderSetMethod = ({ invitation, isKnown }: OpenInvitation): boolean =>
  setsMethod(invitation, isKnown)

/** The invitation with this token, whose holder may set a login method. @throws ApiError used_already */
export async function loadMethodInvitation(
  service: HasDatabase,
  token: string,
  now: number,
): Promise<OpenInvitation> {
  const opened = await loadInvitation(service, token, now)
  if (!mayHolderSetMethod(opened)) throw invitationExpired()
  return opened
}

/** The same by its id; undefined when the holder may not bind an account at this provider. */
export async function findBindable(
  { db }: HasDatabase,
  invitationId: string,
  bound: BoundTo | undefined,
  now: number,
): Promise<OpenInvitation | undefined> {
  const opened = await findOpenInvitation(db, { id: invitationId }, now)
  return opened && mayBind(opened, bound) ? opened : undefined
}

/**
 * At the provider of an account its own invitation binds, for a user without a login method of the whole person;
 * one who has such a method signs in and adds it. The statement that accepts judges again.
 */
export const mayBind = (opened: OpenInvitation, bound: BoundTo | undefined): boolean =>
  bound && opened.invitation.purpose === 'membership'
    ? opened.invitation.accountId === bound.accountId && !opened.hasOwnMethod
    : mayHolderSetMethod(opened)

/** The membership that an authenticated user joins by. @throws ApiError used_already */
export async function loadMembershipInvitation(
  { db }: HasDatabase,
  invitationId: string,
  now: number,
): Promise<OpenInvitation> {
  const opened = await findOpenInvitation(db, { id: invitationId }, now)
  if (opened?.invitation.purpose !== 'membership') throw invitationExpired()
  return opened
}

const OVER = {
  unknown: {
    title: 'This link is not known here',
    happened: 'A part of the address may be missing, or it ended long ago.',
    todo: 'Open the whole address from the message again, or ask for a new link.',
  },
  used: {
    title: 'This link was used already',
    happened: 'It works once, and a way to sign in was set with it.',
    todo: 'If that was you, sign in. If it was not, tell your administrator at once.',
  },
  replaced: {
    title: 'A newer link has taken the place of this one',
    happened: 'Only the newest link works, and a change of your password ends them all.',
    todo: 'Open the newest message that you got, or ask for a new link.',
  },
  expired: {
    title: 'This link is too old',
    happened: 'It worked for a limited time.',
    todo: 'Ask the person who sent it for a new one.',
  },
  withdrawn: {
    title: 'This link was withdrawn',
    happened: 'What it was for has changed since it was sent.',
    todo: 'Ask the person who sent it for a new one.',
  },
} as const satisfies Record<InvitationFate, object>

/** The page of a link that does nothing, one for each cause; `used` when it was open as the page was shown. */
export const invitationExpired = (fate: InvitationFate = 'used'): ApiError =>
  new PageProblem('used_already', OVER[fate], [{ label: 'Sign in', url: '/console' }])
