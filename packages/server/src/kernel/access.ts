// Owns what a caller must be to a record, in one word per route: the route table says the word, the
// handler's check reads it from the call, the OpenAPI document and the authorization tests print it.
// Pure rules. Contract §4 (roles; somebody else's record is 404), security U01, P01.
import { ApiError, notFound } from './errors.ts'
import { isAllowed, type Person } from './user.ts'

export const NEEDS = {
  read: 'a member of the account',
  develop: 'an administrator or a developer of the account',
  run: 'an administrator of the account',
  own: 'the person whose record it is',
  trace: 'the person whose launch it is, or who develops its app',
  self: 'the person themselves, and no administrator in their place',
  platform: 'a platform administrator',
} as const

/** A platform administrator passes all of them but `self`. */
export type Needs = keyof typeof NEEDS

/** A record, as far as it says who may reach it. */
export interface Belonging {
  readonly accountId?: string
  readonly userId?: string
}

export function isAllowedOn(
  person: Person,
  { accountId = '', userId }: Belonging,
  needs: Needs,
): boolean {
  const isTheirs = userId === person.user.id
  switch (needs) {
    case 'self':
      return isTheirs
    case 'own':
      return isTheirs || person.user.role === 'admin'
    case 'trace':
      return isTheirs || isAllowed(person, accountId, 'develop')
    case 'platform':
      return person.user.role === 'admin'
    default:
      return isAllowed(person, accountId, needs)
  }
}

/**
 * The record, when the caller is what the route needs. Who may not even read it learns nothing of
 * it. `belonging` says whose it is where the record does not. @throws ApiError 404, 403
 */
export function admitTo<T extends object>(
  { person, needs }: { readonly person: Person; readonly needs: Needs },
  what: string,
  record: T | undefined,
  belonging: Belonging | undefined = record,
): T {
  if (!record || !belonging) throw notFound(what)
  if (isAllowedOn(person, belonging, needs)) return record
  const isOfAccount = needs === 'develop' || needs === 'run'
  throw isOfAccount && isAllowedOn(person, belonging, 'read') ? notAllowed(needs) : notFound(what)
}

export const notAllowed = (needs: Needs) =>
  new ApiError('not_allowed', `This is for ${NEEDS[needs]}.`)
