// The schemas of the payloads of client secrets, requests and responses. The check of requests, the
// types of the handlers and the OpenAPI document come from them.
import {
  bearer,
  closed,
  id,
  nameLike,
  optionalTime,
  pageOf,
  time,
  titled,
} from '../http/payload.ts'

const SECRET_FIELDS = {
  id: id('sec'),
  label: { type: ['string', 'null'], examples: ['2026, second half'] },
  createdAt: time,
  expiresAt: optionalTime,
  retiresAt: { ...optionalTime, description: 'It is valid until then.' },
  lastUsedAt: optionalTime,
} as const

export const SECRET = titled('ClientSecret', closed(SECRET_FIELDS))

export const SECRETS = pageOf(SECRET)

export const NEW_SECRET = titled(
  'NewClientSecret',
  closed({
    ...SECRET_FIELDS,
    secret: { ...bearer('cs'), description: 'Shown once, in this response only.' },
  }),
)

export const SECRET_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    label: nameLike('2026, second half'),
    expiresAt: {
      type: 'string',
      maxLength: 40,
      description: 'RFC 3339, in the future.',
      examples: ['2027-01-31T00:00:00Z'],
    },
  },
} as const

export const SECRET_PATCH = {
  type: 'object',
  additionalProperties: false,
  required: ['retiresAt'],
  properties: {
    retiresAt: {
      type: ['string', 'null'],
      maxLength: 40,
      description: 'RFC 3339, in the future; null takes the retirement back.',
      examples: ['2026-12-01T09:00:00Z'],
    },
  },
} as const
