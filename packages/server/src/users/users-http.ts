// The edge of /api/users/me, where the caller reads the own user and changes its name, and of the users
// of the platform, which its administrators read. What changes the access of a user ends sign-ins:
// access/people-access-http.ts. Contract §4 (User), §9.

import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { change } from '../http/input/conditional.ts'
import { buildPage, isByName, parsePage, parseSearch } from '../http/input/pagination.ts'
import { ApiError } from '../kernel/errors.ts'
import { nextUpdate, rfc3339 } from '../kernel/time.ts'
import { type Membership, normalizeEmail, PLATFORM_ROLES, type User } from '../kernel/user.ts'
import { loadPlatformUser, platformUserBody } from './platform-user.ts'
import type { PLATFORM_USER, PLATFORM_USERS, USER, USER_PATCH } from './user-schema.ts'
import { findUser, listPlatformUsers, updateUserName } from './user-store.ts'

const userBody = (user: User, memberships: readonly Membership[]) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  memberships,
  createdAt: rfc3339(user.createdAt),
  updatedAt: rfc3339(user.updatedAt),
})

export async function showMe(
  _service: unknown,
  { person }: PersonCall,
): Promise<Answer<200, typeof USER>> {
  return { status: 200, body: userBody(person.user, person.memberships) }
}

export async function patchMe(
  { db }: HasDatabase,
  call: PersonCall<never, typeof USER_PATCH>,
): Promise<Answer<200, typeof USER>> {
  const { person, body, now } = call
  const user = await change(call, {
    async load() {
      const stored = await findUser(db, person.user.id)
      if (!stored) throw new ApiError('not_signed_in', 'This user no longer exists.')
      return stored
    },
    show: (stored) => userBody(stored, person.memberships),
    write: async (stored) =>
      body.name === undefined
        ? stored
        : updateUserName(db, stored, body.name, nextUpdate(stored, now)),
  })
  return { status: 200, body: userBody(user, person.memberships) }
}

export async function listUsers(
  { db }: HasDatabase,
  call: PersonCall,
): Promise<Answer<200, typeof PLATFORM_USERS>> {
  const { email, role, disabled } = call.query
  const page = parsePage(call.query, { of: ['usr'] })
  const filters = {
    email: email === undefined ? undefined : normalizeEmail(email),
    q: parseSearch(call.query),
    role: PLATFORM_ROLES.find((one) => one === role),
    isDisabled: disabled === undefined ? undefined : disabled === 'true',
  }
  const found = await listPlatformUsers(db, filters, {
    cursor: page.cursor,
    limit: page.limit + 1,
    isByName: isByName(call.query),
  })
  return { status: 200, body: buildPage(found, page, platformUserBody) }
}

export async function showUser(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof PLATFORM_USER>> {
  return { status: 200, body: platformUserBody(await loadPlatformUser(service, call)) }
}
