// Owns what a person is: a user with a platform role and a role in each account, and what those
// roles allow. Pure rules. Contract §4 (roles).
import { ApiError } from './errors.ts'

export const PLATFORM_ROLES = ['admin', 'member'] as const
export type PlatformRole = (typeof PLATFORM_ROLES)[number]
export const ACCOUNT_ROLES = ['admin', 'provider', 'developer'] as const
export type AccountRole = (typeof ACCOUNT_ROLES)[number]

export interface User {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: PlatformRole
  /** The account for emergencies (docs/use/sign-in.md). */
  readonly isEmergency?: true
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Membership {
  readonly account: { readonly id: string; readonly name: string }
  readonly role: AccountRole
}

/** A signed-in user: the caller of the backend API. */
export interface Person {
  readonly user: User
  readonly signInId: string
  /** `auth_time` of the ID tokens of this sign-in. */
  readonly signedInAt: number
  /** When the user proved who they are, as far as it is known; 0 where the provider did not say. */
  readonly authenticatedAt: number
  readonly memberships: readonly Membership[]
}

export type Permission = 'read' | 'run' | 'develop'

const ALLOWED: Readonly<Record<Permission, readonly AccountRole[]>> = {
  read: ['admin', 'provider', 'developer'],
  run: ['admin'],
  develop: ['admin', 'developer'],
}

/** Whether a person may do this in an account. A platform administrator may do everything. */
export function isAllowed(person: Person, accountId: string, permission: Permission): boolean {
  if (person.user.role === 'admin') return true
  const membership = person.memberships.find(({ account }) => account.id === accountId)
  return membership !== undefined && ALLOWED[permission].includes(membership.role)
}

/** The accounts that a person sees: all for a platform administrator, else their own. */
export function listVisibleAccounts(person: Person): readonly string[] | 'all' {
  return person.user.role === 'admin' ? 'all' : person.memberships.map(({ account }) => account.id)
}

/** The account that a list is asked for, else those of which the person is a member. */
export const listAskedAccounts = (
  { memberships }: Person,
  accountId: string | undefined,
): readonly string[] =>
  accountId === undefined ? memberships.map(({ account }) => account.id) : [accountId]

/** Whether other members of one of these accounts have records that only its administrators see. */
export const hidesOthers = (person: Person, accountIds: readonly string[]): boolean =>
  accountIds.some((id) => !isAllowed(person, id, 'run'))

const FRESH_MS = 10 * 60_000

/** Whether the user authenticated recently. */
export const isFreshlySignedIn = ({ authenticatedAt }: Person, now: number): boolean =>
  now - authenticatedAt < FRESH_MS

/** @throws ApiError sign_in_again. Contract §3, security V21. */
export function requireRecentAuth(person: Person, now: number): void {
  if (isFreshlySignedIn(person, now)) return
  throw new ApiError(
    'sign_in_again',
    'This gives access or changes a protection, so it takes a sign-in of the last ten minutes. Sign in again, then repeat it.',
  )
}

/** E-mail addresses are compared without outer space and without the case of ASCII characters only. [V33] */
export const normalizeEmail = (email: string) =>
  email.trim().replace(/[A-Z]/g, (upper) => upper.toLowerCase())
