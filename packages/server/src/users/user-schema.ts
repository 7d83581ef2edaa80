// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.

import { LIST_QUERY, Q, SORT } from '../http/input/pagination.ts'
import {
  closed,
  flag,
  id,
  like,
  nameLike,
  oneOf,
  optionalTime,
  pageOf,
  person,
  practice,
  time,
  titled,
} from '../http/payload.ts'
import { ACCOUNT_ROLES, PLATFORM_ROLES } from '../kernel/user.ts'

const MEMBERSHIPS = {
  type: 'array',
  items: closed({ account: practice, role: { type: 'string', enum: ACCOUNT_ROLES } }),
} as const

export const USER = titled(
  'User',
  closed({
    id: id('usr'),
    ...person,
    role: oneOf(...PLATFORM_ROLES),
    memberships: MEMBERSHIPS,
    createdAt: time,
    updatedAt: time,
  }),
)

export const USER_PATCH = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: nameLike('Dr. Amara Okafor'),
  },
} as const

const PLATFORM_USER_FIELDS = {
  id: id('usr'),
  ...person,
  role: oneOf(...PLATFORM_ROLES),
  memberships: MEMBERSHIPS,
  disabled: { ...flag, examples: [false], description: 'True of a removed user too.' },
  removed: { ...flag, examples: [false], description: 'Only an invitation brings them back.' },
  isEmergency: { ...flag, examples: [false], description: 'The account for emergencies.' },
  lastSignInAt: { ...optionalTime, description: 'Null before the first sign-in.' },
  createdAt: time,
  updatedAt: time,
} as const

/** A user as the platform's administrators see them. */
export const PLATFORM_USER = titled('PlatformUser', closed(PLATFORM_USER_FIELDS))

export const PLATFORM_USERS = pageOf(PLATFORM_USER)

export const INVITED_USER = closed({
  ...PLATFORM_USER_FIELDS,
  invitationUrl: {
    ...like('https://chartside.example/auth/invitation?token=…'),
    description: 'A link at which the user sets a login method; it works once.',
  },
  invitationExpiresAt: time,
})

export const USERS_QUERY = {
  type: 'object',
  properties: {
    ...LIST_QUERY.properties,
    email: { type: 'string', maxLength: 254, description: 'The whole address.' },
    sort: SORT,
    q: { ...Q, description: 'Part of the name or of the e-mail address.' },
    role: oneOf(...PLATFORM_ROLES),
    disabled: oneOf('true', 'false'),
  },
} as const

export const USER_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['email', 'name'],
  properties: {
    email: {
      type: 'string',
      maxLength: 254,
      pattern: '^[^\\s@]+@[^\\s@]+$',
      examples: ['pat.admin@chartside.example'],
    },
    name: nameLike('Pat Admin'),
    role: { enum: PLATFORM_ROLES, description: 'member by default.', examples: ['member'] },
  },
} as const

export const USER_ACCESS_PATCH = {
  type: 'object',
  additionalProperties: false,
  properties: {
    role: { enum: PLATFORM_ROLES, examples: ['member'] },
    disabled: { ...flag, examples: [false] },
  },
} as const
