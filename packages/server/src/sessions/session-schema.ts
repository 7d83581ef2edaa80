// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.
import { EHR_DEFINITION } from '../collections/collection-schema.ts'
import {
  closed,
  deviceId,
  ehrType,
  flag,
  icon,
  id,
  like,
  number,
  orNull,
  practice,
  time,
  titled,
} from '../http/payload.ts'

export const KIND = { type: 'string', enum: ['ui', 'worker'] } as const

const SESSION_APP = closed(
  {
    id: id('app'),
    name: like('Visit Notes'),
    kinds: { type: 'array', items: KIND },
    autoLaunch: flag,
  },
  { iconUrl: icon },
)

export const EHR_SESSION = titled(
  'EhrSession',
  closed({
    id: id('ses'),
    userId: id('usr'),
    account: practice,
    ehrType,
    deviceId,
    state: { type: 'string', enum: ['live', 'ended'] },
    collection: orNull(closed({ id: id('col'), version: number })),
    ehr: orNull(EHR_DEFINITION),
    apps: { type: 'array', items: SESSION_APP },
    createdAt: time,
  }),
)

export const SESSION_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['accountId', 'ehrType', 'deviceId'],
  properties: {
    accountId: { type: 'string', maxLength: 64, examples: ['acc_01jnye6xw8q2v5n0m4r7ta'] },
    ehrType: { type: 'string', minLength: 1, maxLength: 64, examples: ['meadow'] },
    deviceId: { type: 'string', minLength: 1, maxLength: 128, examples: ['exam-room-2'] },
  },
} as const
