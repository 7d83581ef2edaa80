// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.

import { closed, id, person, practice, time, titled } from '../http/payload.ts'
import { ACCOUNT_ROLES } from '../kernel/user.ts'

export const USER = titled(
  'User',
  closed({
    id: id('usr'),
    ...person,
    role: { type: 'string', enum: ['admin', 'member'] },
    memberships: {
      type: 'array',
      items: closed({ account: practice, role: { type: 'string', enum: ACCOUNT_ROLES } }),
    },
    createdAt: time,
    updatedAt: time,
  }),
)

export const USER_PATCH = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200, examples: ['Dr. Amara Okafor'] },
  },
} as const
