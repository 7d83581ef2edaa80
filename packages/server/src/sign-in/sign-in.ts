// A sign-in: the session token that a client gets. Pure. The rule of when a sign-in is live
// stands in liveness/liveness.ts. Contract §3.
import { hashBearer, mintBearer, newId } from '../kernel/identifiers.ts'
import type { Randomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { User } from '../kernel/user.ts'

export interface SignIn {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}

/** A sign-in that is not stored yet, with its session token, which is stored only as its hash. */
export interface MintedSignIn extends Omit<SignIn, 'userId'> {
  readonly token: string
  readonly tokenHash: string
  readonly client?: SignInClient
}

/** The client with which a user has signed in, as the request for the token says. */
export interface SignInClient {
  readonly userAgent: string | undefined
  readonly address: string
}

const MAX_USER_AGENT = 256

/** The user agent without control characters, and at a length that a list can show. */
export const clientOf = ({ userAgent, address }: SignInClient): SignInClient => ({
  userAgent: userAgent?.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT),
  address,
})

/** A sign-in of the emergency account lasts for this time. Security P03. */
export const EMERGENCY_ACCESS_MS = 60 * 60_000

export function mintSignIn(
  lifetimeSeconds: number,
  now: number,
  randomness: Randomness,
): MintedSignIn {
  const id = newId('sgn', now, randomness)
  const token = mintBearer('st', id, randomness)
  const expiresAt = now + lifetimeSeconds * 1000
  return { id, token, tokenHash: hashBearer(token), createdAt: now, lastSeenAt: now, expiresAt }
}

/** The reply to a client whose user has signed in. */
export const signedInBody = (
  { token, expiresAt }: MintedSignIn,
  { id, email, name }: Pick<User, 'id' | 'email' | 'name'>,
) => ({ token, expiresAt: rfc3339(expiresAt), user: { id, email, name } })
