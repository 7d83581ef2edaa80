// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.

import { buildPatchSchema } from '../http/input/merge-patch.ts'
import { LIST_QUERY, Q, SORT } from '../http/input/pagination.ts'
import {
  closed,
  flag,
  hidingPageOf,
  id,
  like,
  nameLike,
  number,
  orNull,
  time,
  titled,
} from '../http/payload.ts'

const VERSION_CHOICE = { anyOf: [number, { const: 'latest' }] } as const

const JOIN_BY_DOMAIN = {
  type: 'string',
  enum: ['provider', 'off'],
  examples: ['off'],
  description:
    'With provider, people of a verified domain who sign in at a provider of the account join it without an invitation.',
} as const

const EXTERNAL_ID = 'What your own systems call the account; set by the import.'

export const ACCOUNT = titled(
  'Account',
  closed(
    {
      id: id('acc'),
      name: like('Lakeside Family Practice'),
      collection: orNull(closed({ id: id('col'), version: VERSION_CHOICE })),
      requireSecondFactor: {
        ...flag,
        description: 'A password sign-in of a member takes a second factor.',
      },
      joinByDomain: JOIN_BY_DOMAIN,
      createdAt: time,
      updatedAt: time,
    },
    {
      shortName: like('lakeside'),
      externalId: { ...like('NPI-1093817465'), description: EXTERNAL_ID },
    },
  ),
)

export const ACCOUNTS = hidingPageOf(ACCOUNT)

export const ACCOUNTS_QUERY = {
  type: 'object',
  properties: {
    ...LIST_QUERY.properties,
    sort: SORT,
    q: Q,
    collectionId: { type: 'string', maxLength: 64, description: 'That run this collection.' },
  },
} as const

const name = nameLike('Lakeside Family Practice')

const SHORT_NAME = {
  type: 'string',
  pattern: '^[a-z0-9](-?[a-z0-9]){1,39}$',
  examples: ['lakeside'],
  description: 'What people of the account type at the sign-in page; no two accounts share one.',
} as const

const COLLECTION_CHOICE = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'version'],
  properties: {
    id: { type: 'string', maxLength: 64, examples: ['col_01jnye6xw8q2v5n0m4r7ta'] },
    version: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'latest' }] },
  },
} as const

/** The fields that a client sets. An account without a collection runs no app. */
export const ACCOUNT_FIELDS = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name,
    shortName: SHORT_NAME,
    collection: COLLECTION_CHOICE,
    requireSecondFactor: flag,
    joinByDomain: JOIN_BY_DOMAIN,
  },
} as const

export const ACCOUNT_BODY = ACCOUNT_FIELDS

export const ACCOUNT_PATCH = buildPatchSchema(ACCOUNT_FIELDS)
