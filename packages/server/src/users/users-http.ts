// The edge of /api/users/me: the caller reads the own user and changes its name. Contract §4 (User).
// Removing and resetting a user end sign-ins: sign-in/people-access-http.ts.

import { change } from '../http/input/conditional.ts'
import type { Answer, PersonCall } from '../http/route.ts'
import { ApiError } from '../kernel/errors.ts'
import { nextUpdate, rfc3339 } from '../kernel/time.ts'
import type { Membership, User } from '../kernel/user.ts'
import type { Service } from '../service.ts'
import type { USER, USER_PATCH } from './user-schema.ts'
import { findUser, updateUserName } from './user-store.ts'

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
  { db }: Pick<Service, 'db'>,
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
