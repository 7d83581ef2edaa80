// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.
import { LIST_QUERY } from '../http/input/pagination.ts'
import { closed, id, like, listOf, number, text, time, titled } from '../http/payload.ts'

export const AUDIT_EVENT = titled(
  'AuditEvent',
  closed(
    {
      id: id('evt'),
      at: time,
      actor: like('usr_01jnye6xw8q2v5n0m4r7ta'),
      action: like('patchApp'),
      target: like('app_01jnye6xw8q2v5n0m4r7ta'),
      accountId: like('acc_01jnye6xw8q2v5n0m4r7ta'),
      ip: like('203.0.113.7'),
      outcome: { type: 'string', enum: ['ok', 'refused'] },
      detail: { type: 'object', additionalProperties: text },
    },
    {
      launchId: text,
      chain: {
        ...closed({ seq: number, hash: like('q0Jz3vX…') }),
        description: 'Its place in the chain of its account; absent for a few seconds.',
      },
    },
  ),
)

export const AUDIT_EVENTS = closed({
  items: listOf(AUDIT_EVENT),
  nextCursor: { type: ['string', 'null'] },
  names: {
    type: 'object',
    additionalProperties: text,
    description:
      'Names of actors and targets of this page, by identifier, as far as the reader may know them.',
    examples: [{ usr_01jnye6xw8q2v5n0m4r7ta: 'Dana Reyes' }],
  },
})

export const AUDIT_FILTERS = {
  about: {
    type: 'string',
    maxLength: 64,
    description: 'The id of a record, a person or a launch, or an action.',
  },
  actor: {
    type: 'string',
    maxLength: 64,
    examples: ['usr_01jnye6xw8q2v5n0m4r7ta'],
    description: 'The id of who acted.',
  },
  action: {
    type: 'string',
    maxLength: 2000,
    examples: ['listMembers,exportMembers'],
    description: 'One action, or several with commas between them.',
  },
  outcome: { type: 'string', enum: ['ok', 'refused'] },
  from: { type: 'string', maxLength: 40, description: 'RFC 3339; at this time or later.' },
  to: { type: 'string', maxLength: 40, description: 'RFC 3339; before this time.' },
} as const

export const AUDIT_QUERY = {
  type: 'object',
  properties: { ...LIST_QUERY.properties, ...AUDIT_FILTERS },
} as const

export const EXPORT_QUERY = {
  type: 'object',
  properties: {
    format: {
      type: 'string',
      enum: ['jsonl', 'csv'],
      description: 'jsonl, the default, is the whole trail with its chain; csv takes filters.',
    },
    ...AUDIT_FILTERS,
  },
} as const

const ACCOUNT = { accountId: { type: 'string', maxLength: 64 } } as const

export const PLATFORM_AUDIT_QUERY = {
  type: 'object',
  properties: { ...AUDIT_QUERY.properties, ...ACCOUNT },
} as const

export const PLATFORM_EXPORT_QUERY = {
  type: 'object',
  properties: { ...EXPORT_QUERY.properties, ...ACCOUNT },
} as const
