// The rules of developer keys: how long one lives, who may make one, and what it reaches. A key reaches one
// account, as a developer, whatever else its user is. Pure. Decision 95, security V45.
import { ApiError } from '../kernel/errors.ts'
import type { Membership, Person, User } from '../kernel/user.ts'

export interface DeveloperKey {
  readonly id: string
  readonly userId: string
  readonly account: { readonly id: string; readonly name: string }
  readonly tokenHash: string
  readonly name: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly lastUsedAt: number | undefined
}

export const MAX_LIFETIME_DAYS = 90
const DAY_MS = 24 * 3_600_000

/** The end of a new key; the schema of the body bounds the days. */
export const planKeyEnd = (lifetimeDays = MAX_LIFETIME_DAYS, now: number): number =>
  now + lifetimeDays * DAY_MS

const developsIn = ({ role }: Membership): boolean => role === 'developer' || role === 'admin'

/** The role of a platform administrator gives no key. @throws ApiError conflict */
export function requireKeyMaker({ user, memberships }: Person, accountId: string): void {
  const isDeveloper = memberships.some((one) => one.account.id === accountId && developsIn(one))
  if (isDeveloper && !user.isEmergency) return
  throw new ApiError(
    'conflict',
    'You are no member of this account. Ask an administrator of it to make you a developer first.',
  )
}

/** The user of a key as they are now. The membership is undefined when it began after the key. */
export interface KeyHolder {
  readonly key: DeveloperKey
  readonly user: User
  readonly isDisabled: boolean
  readonly membership: Membership | undefined
  /** The account lets its people in by a provider of its own only. */
  readonly isClosed: boolean
}

/** The caller that a key makes. @throws ApiError not_signed_in, not_allowed */
export function decideKeyCaller(holder: KeyHolder, now: number, challenge: Challenge): Person {
  const { key, user, isDisabled, membership, isClosed } = holder
  if (key.expiresAt <= now) {
    const detail = 'The developer key has ended. Make a new one in the console.'
    throw new ApiError('not_signed_in', detail, [], challenge)
  }
  if (isDisabled || user.isEmergency) {
    throw new ApiError('not_signed_in', 'The user of the developer key is disabled.', [], challenge)
  }
  if (isClosed) {
    throw new ApiError(
      'not_allowed',
      'The account requires its own identity provider, so it takes no developer keys. Sign in there.',
    )
  }
  if (!membership || !developsIn(membership)) {
    throw new ApiError('not_allowed', 'The user of the key is no developer of its account now.')
  }
  return {
    ...{ boundTo: key.account.id, closedTo: [], signInId: key.id, keyId: key.id },
    ...{ signedInAt: key.createdAt, authenticatedAt: 0 },
    user: { ...user, role: 'member' },
    memberships: [{ ...membership, role: 'developer' }],
  }
}

type Challenge = Readonly<Record<string, string>>
