// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.

import { LIST_QUERY, Q } from '../http/input/pagination.ts'
import { closed, id, like, nameLike, pageOf, person, time, titled } from '../http/payload.ts'
import { ACCOUNT_ROLES } from '../kernel/user.ts'

const MEMBER_FIELDS = {
  id: id('usr'),
  ...person,
  role: { type: 'string', enum: ACCOUNT_ROLES },
  state: { type: 'string', enum: ['active', 'invited'] },
  createdAt: time,
} as const

export const MEMBER = titled('Member', closed(MEMBER_FIELDS))

export const MEMBERS = pageOf(MEMBER)

export const INVITED_MEMBER = closed({
  ...MEMBER_FIELDS,
  invitationUrl: {
    ...like('https://chartside.example/auth/invitation?token=…'),
    description: 'A link for the invited user; it works once.',
  },
  invitationExpiresAt: time,
})

export const MEMBER_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['email', 'name', 'role'],
  properties: {
    email: {
      type: 'string',
      maxLength: 254,
      pattern: '^[^\\s@]+@[^\\s@]+$',
      examples: ['mei.tanaka@northgate.example'],
    },
    name: nameLike('Dr. Mei Tanaka'),
    role: { enum: ACCOUNT_ROLES },
  },
} as const

export const MEMBER_PATCH = {
  type: 'object',
  additionalProperties: false,
  properties: { role: { enum: ACCOUNT_ROLES } },
} as const

export const MEMBERS_QUERY = {
  type: 'object',
  properties: {
    ...LIST_QUERY.properties,
    q: { ...Q, description: 'Part of the name or of the e-mail address.' },
    role: { type: 'string', enum: ACCOUNT_ROLES },
  },
} as const
