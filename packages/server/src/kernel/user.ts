// Owns what a person is: a user with a platform role and a role in each account, and what those
// roles allow. Pure rules. Contract §4 (roles).
import { ApiError } from './errors.ts'

/** A viewer sees what an administrator sees, and changes nothing: {@link readerOf}. */
export const PLATFORM_ROLES = ['admin', 'viewer', 'member'] as const
export type PlatformRole = (typeof PLATFORM_ROLES)[number]
export const ACCOUNT_ROLES = ['admin', 'provider', 'developer', 'viewer'] as const
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

/** The accounts of its user that a sign-in reaches. Contract §13. */
export interface Reach {
  /** A sign-in at a provider of this account: it reaches this one only, and nothing of the platform. */
  readonly boundTo?: string | undefined
  /** These accounts are reached by a provider of theirs only, and this sign-in came otherwise. */
  readonly closedTo: readonly string[]
}

/** A signed-in user: the caller of the backend API. The memberships are those that the sign-in reaches. */
export interface Person extends Reach {
  readonly user: User
  readonly signInId: string
  /** The developer key of the call, which is then no sign-in: `signInId` names none. Decision 95. */
  readonly keyId?: string
  /** The time is the `auth_time` of the ID tokens of this sign-in. */
  readonly signedInAt: number
  /** The time at which the user proved who they are, if it is known; 0 where the provider did not say. */
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

/**
 * The person as a read takes them: a viewer counts as an administrator. Every other call takes the person as they are,
 * and a viewer has no permission in it.
 */
export function readerOf(person: Person): Person {
  const { user, memberships } = person
  const isViewer = ({ role }: { readonly role: PlatformRole | AccountRole }) => role === 'viewer'
  if (!isViewer(user) && !memberships.some(isViewer)) return person
  return {
    ...person,
    user: isViewer(user) ? { ...user, role: 'admin' } : user,
    memberships: memberships.map((one) => (isViewer(one) ? { ...one, role: 'admin' } : one)),
  }
}

/** Whether a read shows this account to the person: a viewer too. */
export const isSeenBy = (person: Person, accountId: string): boolean =>
  isAllowed(readerOf(person), accountId, 'read')

export const isReached = ({ boundTo, closedTo }: Reach, accountId: string): boolean =>
  (boundTo ?? accountId) === accountId && !closedTo.includes(accountId)

/** The records of a user in an account, or in all but these. */
export interface OwnScope {
  readonly userId: string
  readonly accountId: string | undefined
  readonly closedTo?: readonly string[]
}

export const ownScopeOf = (person: Person, accountId: string | undefined): OwnScope => ({
  userId: person.user.id,
  accountId: accountId ?? person.boundTo,
  closedTo: person.closedTo,
})

/** @throws ApiError not_allowed */
export function requireWholePerson({ boundTo }: Person): void {
  if (boundTo === undefined) return
  throw new ApiError(
    'not_allowed',
    'You signed in at the provider of your practice, which reaches only this practice. Sign in with a way of your own for this.',
  )
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
