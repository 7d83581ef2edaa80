// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.

import { LIST_QUERY, Q, SORT } from '../http/input/pagination.ts'
import {
  closed,
  id,
  like,
  listOf,
  nameLike,
  oneOf,
  optionalTime,
  pageOf,
  person,
  time,
  titled,
} from '../http/payload.ts'
import { ACCOUNT_ROLES } from '../kernel/user.ts'

const END = {
  type: ['string', 'null'],
  maxLength: 40,
  description: 'Access ends within a second of it; null for no end.',
  examples: ['2099-12-31T23:59:59.000Z'],
} as const

const MEMBER_FIELDS = {
  id: id('usr'),
  ...person,
  role: { type: 'string', enum: ACCOUNT_ROLES },
  state: { type: 'string', enum: ['active', 'invited'] },
  createdAt: time,
  expiresAt: { ...optionalTime, description: 'When the membership ends by itself.' },
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

const INVITED = {
  type: 'object',
  additionalProperties: false,
  required: ['email', 'name', 'role'],
} as const

const INVITED_FIELDS = {
  email: {
    type: 'string',
    maxLength: 254,
    pattern: '^[^\\s@]+@[^\\s@]+$',
    examples: ['mei.tanaka@northgate.example'],
  },
  name: nameLike('Dr. Mei Tanaka'),
  role: { enum: ACCOUNT_ROLES },
} as const

/** A person of an import. */
export const INVITED_PERSON = { ...INVITED, properties: INVITED_FIELDS } as const

export const MEMBER_BODY = {
  ...INVITED,
  properties: { ...INVITED_FIELDS, expiresAt: END },
} as const

export const MEMBER_PATCH = {
  type: 'object',
  additionalProperties: false,
  properties: { role: { enum: ACCOUNT_ROLES }, expiresAt: END },
} as const

export const MEMBERS_QUERY = {
  type: 'object',
  properties: {
    ...LIST_QUERY.properties,
    sort: SORT,
    q: { ...Q, description: 'Part of the name or of the e-mail address.' },
    role: { type: 'string', enum: ACCOUNT_ROLES },
  },
} as const

/** The maximum for one act on many: an event of the trail names all of them. */
export const MAX_CHANGED = 100

export const MEMBER_CHANGES_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['members'],
  properties: {
    members: { type: 'array', minItems: 1, maxItems: MAX_CHANGED, items: id('usr') },
    role: { enum: ACCOUNT_ROLES },
    expiresAt: END,
    remove: {
      const: true,
      description: 'Remove them, instead of a change.',
      // An example changes: it cannot do both.
      examples: [],
    },
  },
} as const

export const MEMBER_CHANGES = titled(
  'MemberChanges',
  closed({
    items: listOf(closed({ id: id('usr'), outcome: oneOf('changed', 'removed', 'not_found') })),
  }),
)
