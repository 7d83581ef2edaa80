// Owns the permissions: one for each route. The route table names it, the handler checks it through the
// call, the OpenAPI document and the authorization tests read it. Pure rules. Contract §4 (roles; a
// record of another account is 404), security U01, P01.
import { ApiError, notFound } from './errors.ts'
import { isAllowed, isReached, isSeenBy, type Person } from './user.ts'

export const PERMISSIONS = {
  read: 'a member of the account, except viewers where it changes something',
  develop: 'an administrator or a developer of the account',
  run: 'an administrator of the account',
  own: 'the person whose record it is',
  trace: 'the person whose launch it is, who develops its app, or who administers its practice',
  end: 'the person whose launch it is, or an administrator of the account of the session',
  oversee: 'the person whose EHR session it is, or who administers its practice',
  self: 'the person themselves, and no administrator in their place',
  platform: 'a platform administrator',
} as const

/** A platform administrator passes all of them but `self`. */
export type Permission = keyof typeof PERMISSIONS

/** The owner of a record. */
export interface Ownership {
  readonly accountId?: string
  readonly userId?: string
  /** A launch has the account in which it was opened; `accountId` is that of its app. */
  readonly practiceId?: string
}

export function isAllowedOn(
  person: Person,
  { accountId = '', userId, practiceId = '' }: Ownership,
  permission: Permission,
): boolean {
  const isOf = practiceId || accountId
  const isOwner = userId === person.user.id && (isOf === '' || isReached(person, isOf))
  switch (permission) {
    case 'self':
      return isOwner
    case 'own':
      return isOwner || person.user.role === 'admin'
    case 'end':
    case 'oversee':
      return isOwner || isAllowed(person, accountId, 'run')
    case 'trace':
      return (
        isOwner || isAllowed(person, accountId, 'develop') || isAllowed(person, practiceId, 'run')
      )
    case 'platform':
      return person.user.role === 'admin'
    default:
      return isAllowed(person, accountId, permission)
  }
}

/**
 * Returns the record when the caller has the permission of the route. A caller who may not read it gets
 * 404. `ownership` is given when the record does not name its owner. @throws ApiError 404, 403
 */
export function requireAccess<T extends object>(
  { person, permission }: { readonly person: Person; readonly permission: Permission },
  what: string,
  record: T | undefined,
  ownership: Ownership | undefined = record,
): T {
  if (!record || !ownership) throw notFound(what)
  if (isAllowedOn(person, ownership, permission)) return record
  const isOfAccount = ['develop', 'run', 'read'].includes(permission)
  throw isOfAccount && isSeenBy(person, ownership.accountId ?? '')
    ? notAllowed(permission)
    : notFound(what)
}

export const notAllowed = (permission: Permission) =>
  new ApiError('not_allowed', `This is for ${PERMISSIONS[permission]}.`)
