// Owns what a caller must be to a record, in one word per route: the route table says the word, the
// handler's check reads it from the call, the OpenAPI document and the authorization tests print it.
// Pure rules. Contract §4 (roles; somebody else's record is 404), security U01, P01.
import { ApiError, notFound } from './errors.ts'
import { isAllowed, type Person } from './user.ts'

export const PERMISSIONS = {
  read: 'a member of the account',
  develop: 'an administrator or a developer of the account',
  run: 'an administrator of the account',
  own: 'the person whose record it is',
  trace: 'the person whose launch it is, or who develops its app',
  self: 'the person themselves, and no administrator in their place',
  platform: 'a platform administrator',
} as const

/** A platform administrator passes all of them but `self`. */
export type Permission = keyof typeof PERMISSIONS

/** A record, as far as it says who may reach it. */
export interface Ownership {
  readonly accountId?: string
  readonly userId?: string
}

export function isAllowedOn(
  person: Person,
  { accountId = '', userId }: Ownership,
  permission: Permission,
): boolean {
  const isTheirs = userId === person.user.id
  switch (permission) {
    case 'self':
      return isTheirs
    case 'own':
      return isTheirs || person.user.role === 'admin'
    case 'trace':
      return isTheirs || isAllowed(person, accountId, 'develop')
    case 'platform':
      return person.user.role === 'admin'
    default:
      return isAllowed(person, accountId, permission)
  }
}

/**
 * The record, when the caller is what the route needs. Who may not even read it learns nothing of
 * it. `ownership` says whose it is where the record does not. @throws ApiError 404, 403
 */
export function requireAccess<T extends object>(
  { person, permission }: { readonly person: Person; readonly permission: Permission },
  what: string,
  record: T | undefined,
  ownership: Ownership | undefined = record,
): T {
  if (!record || !ownership) throw notFound(what)
  if (isAllowedOn(person, ownership, permission)) return record
  const isOfAccount = permission === 'develop' || permission === 'run'
  throw isOfAccount && isAllowedOn(person, ownership, 'read')
    ? notAllowed(permission)
    : notFound(what)
}

export const notAllowed = (permission: Permission) =>
  new ApiError('not_allowed', `This is for ${PERMISSIONS[permission]}.`)
