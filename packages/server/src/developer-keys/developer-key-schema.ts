// The schemas of the payloads of developer keys, requests and responses. The check of requests, the types of the
// handlers and the OpenAPI document come from them.
import {
  bearer,
  closed,
  id,
  named,
  nameLike,
  optionalTime,
  pageOf,
  time,
  titled,
} from '../http/payload.ts'
import { MAX_LIFETIME_DAYS } from './developer-key.ts'

const KEY_FIELDS = {
  id: id('dky'),
  name: nameLike('Build pipeline'),
  account: named('acc', 'Sample Apps Inc.'),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: { ...optionalTime, description: 'At most a minute behind.' },
} as const

export const DEVELOPER_KEYS = pageOf(titled('DeveloperKey', closed(KEY_FIELDS)))

export const NEW_DEVELOPER_KEY = titled(
  'NewDeveloperKey',
  closed({
    ...KEY_FIELDS,
    key: { ...bearer('dk'), description: 'Shown once, in this response only.' },
  }),
)

export const DEVELOPER_KEY_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['accountId', 'name'],
  properties: {
    accountId: id('acc'),
    name: nameLike('Build pipeline'),
    lifetimeDays: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIFETIME_DAYS,
      examples: [30],
      description: 'The default is the maximum.',
    },
  },
} as const
