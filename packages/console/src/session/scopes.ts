// For whom a page works: the whole platform, or one account. Pure: which scopes a person has, what they
// may do there, and which one is meant when an address names none.
import type { User } from '@chartside/protocol/payloads'

export type AccountRole = User['memberships'][number]['role']

export interface Scope {
  /** The id is `platform`, or that of an account. */
  readonly id: string
  readonly name: string
  readonly kind: 'platform' | 'account'
  /** The role in the account; an administrator of the platform is no member of most. */
  readonly role: AccountRole | 'platform' | 'platform_viewer'
}

/** The actions that a role allows in a scope, by the words of the backend API. */
export type Permission = 'read' | 'develop' | 'run' | 'platform'

export const PLATFORM: Scope = {
  id: 'platform',
  name: 'Platform',
  kind: 'platform',
  role: 'platform',
}

export const ROLE_NAMES: Readonly<Record<Scope['role'], string>> = {
  platform: 'Platform administrator',
  platform_viewer: 'Viewer of the platform',
  viewer: 'Viewer',
  admin: 'Administrator',
  developer: 'Developer',
  provider: 'Provider',
}

const ALLOWED: Readonly<Record<Permission, readonly Scope['role'][]>> = {
  read: ['platform', 'platform_viewer', 'admin', 'developer', 'provider', 'viewer'],
  develop: ['platform', 'admin', 'developer'],
  run: ['platform', 'admin'],
  platform: ['platform'],
}

/** The service decides; this keeps a button away that it would refuse. */
export const isAllowedIn = ({ role }: Scope, permission: Permission): boolean =>
  ALLOWED[permission].includes(role)

const SEEN: Readonly<Record<Permission, readonly Scope['role'][]>> = {
  read: ALLOWED.read,
  develop: [...ALLOWED.develop, 'viewer', 'platform_viewer'],
  run: [...ALLOWED.run, 'viewer', 'platform_viewer'],
  platform: [...ALLOWED.platform, 'platform_viewer'],
}

/** Whether the role shows what this permission is for. A viewer sees what an administrator does. */
export const isSeenIn = ({ role }: Scope, permission: Permission): boolean =>
  SEEN[permission].includes(role)

interface NamedAccount {
  readonly id: string
  readonly name: string
}

const PLATFORM_ROLE = { admin: 'platform', viewer: 'platform_viewer', member: undefined } as const

/** The platform first, then the accounts by name. `accounts`: those that an administrator sees. */
export function listScopes(user: User, accounts: readonly NamedAccount[]): readonly Scope[] {
  const ofPlatform = PLATFORM_ROLE[user.role]
  const own = new Map(user.memberships.map(({ account, role }) => [account.id, role]))
  const shown = ofPlatform ? accounts : user.memberships.map(({ account }) => account)
  const ofAccounts = shown
    .map(({ id, name }): Scope => {
      const role = ofPlatform ?? own.get(id) ?? 'provider'
      return { id, name, kind: 'account', role }
    })
    .sort((one, other) => one.name.localeCompare(other.name))
  return ofPlatform ? [{ ...PLATFORM, role: ofPlatform }, ...ofAccounts] : ofAccounts
}

/** The one that the address names, else the last one used, else the first. */
export const chooseScope = (
  scopes: readonly Scope[],
  named: string | undefined,
  last: string | null,
): Scope | undefined =>
  named === undefined
    ? (scopes.find(({ id }) => id === last) ?? scopes[0])
    : scopes.find(({ id }) => id === named)
