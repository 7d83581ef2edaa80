// What the holder of an invitation may do, and for how long. The holder may set a login method only for
// a user without one, for a user whom an administrator resets, or for themselves while signed in: so
// no invitation takes over an account. Pure. Contract §4 (Members).
import { bearerOf, hashBearer, newId, parseBearer } from '../kernel/identifiers.ts'
import type { Randomness } from '../kernel/randomness.ts'

/** The purpose `membership` joins an account, `reset` replaces every login method, and `method` adds one. */
export type InvitationPurpose = 'membership' | 'reset' | 'method'

/** The creator in place of a user: the person who runs the command line of the installation. */
export const OPERATOR = 'operator'

const HOUR_MS = 3_600_000
const LIFETIME_MS: Readonly<Record<InvitationPurpose, number>> = {
  membership: 7 * 24 * HOUR_MS,
  reset: 24 * HOUR_MS,
  method: HOUR_MS / 6,
}

export interface Invitation {
  readonly id: string
  readonly purpose: InvitationPurpose
  readonly userId: string
  /** A membership has it, and a reset that an account administrator issued. */
  readonly accountId: string | undefined
  readonly createdBy: string
  /** Only a method has this value: the sign-in that issued it; the invitation is void once that has ended. */
  readonly signInId: string | undefined
  readonly createdAt: number
  readonly expiresAt: number
}

export interface MintedInvitation {
  readonly invitation: Invitation
  readonly tokenHash: string
  readonly url: string
}

export function mintInvitation(
  baseUrl: string,
  about: Pick<Invitation, 'purpose' | 'userId' | 'accountId' | 'createdBy' | 'signInId'>,
  now: number,
  randomness: Randomness,
): MintedInvitation {
  const id = newId('inv', now, randomness)
  const token = bearerOf('invite', id, randomness.bytes(32))
  return {
    invitation: { ...about, id, createdAt: now, expiresAt: now + LIFETIME_MS[about.purpose] },
    tokenHash: hashBearer(token),
    url: `${baseUrl}/auth/invitation?token=${token}`,
  }
}

/** The id and hash of an invitation token; undefined for any other text. */
export function parseInvitationToken(
  token: string,
): { readonly id: string; readonly tokenHash: string } | undefined {
  const id = parseBearer('invite', 'inv', token)
  return id === undefined ? undefined : { id, tokenHash: hashBearer(token) }
}

/**
 * Whether the holder sets a login method, or must sign in first. The inviter knows the link too: if it
 * set a method for a user who has one, any account administrator could take over any user.
 */
export const setsMethod = ({ purpose }: Invitation, isKnown: boolean): boolean =>
  purpose !== 'membership' || !isKnown
