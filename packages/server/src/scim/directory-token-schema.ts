// The schemas of the payloads of directory tokens, requests and responses. The check of requests, the
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

const TOKEN_FIELDS = {
  id: id('dir'),
  label: { type: ['string', 'null'], examples: ['Entra ID'] },
  createdAt: time,
  lastUsedAt: { ...optionalTime, description: 'At most a minute behind.' },
} as const

export const DIRECTORY_TOKENS = pageOf(titled('DirectoryToken', closed(TOKEN_FIELDS)))

export const NEW_DIRECTORY_TOKEN = titled(
  'NewDirectoryToken',
  closed({
    ...TOKEN_FIELDS,
    token: { ...bearer('scim'), description: 'Shown once, in this response only.' },
  }),
)

export const DIRECTORY_TOKEN_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: { label: nameLike('Entra ID') },
} as const
