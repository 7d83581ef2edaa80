// Owns what a one-time address lets its holder do, and for how long. The holder may set a login method
// only where that can take nothing from anybody: for a person who has none yet, or whom an
// administrator resets, or who is signed in themselves. Pure. Contract §4 (Members).
import { bearerOf, hashBearer, newId, parseBearer } from '../kernel/identifiers.ts'
import type { Randomness } from '../kernel/randomness.ts'

/** `membership`: join an account; `reset`: begin anew; `method`: add a way to sign in. */
export type InvitationPurpose = 'membership' | 'reset' | 'method'

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
  /** Of a membership, and of a reset by whoever runs an account. */
  readonly accountId: string | undefined
  readonly createdBy: string
  /** Of a method: the sign-in that asked for it, and without which it is worth nothing. */
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

/** What finds an invitation, or undefined when the text is no token of one. */
export function parseInvitationToken(
  token: string,
): { readonly id: string; readonly tokenHash: string } | undefined {
  const id = parseBearer('invite', 'inv', token)
  return id === undefined ? undefined : { id, tokenHash: hashBearer(token) }
}

/**
 * Whether the holder sets a login method, or has to sign in first. Whoever invites knows the address
 * too: if it could set a method of a person who has one, any account could take over anybody.
 */
export const setsMethod = ({ purpose }: Invitation, hasMethods: boolean): boolean =>
  purpose !== 'membership' || !hasMethods
