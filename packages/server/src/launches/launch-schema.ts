// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.
import {
  bearer,
  closed,
  deviceId,
  ehrType,
  icon,
  id,
  like,
  named,
  pageOf,
  practice,
  textsLike,
  time,
  titled,
} from '../http/payload.ts'
import { KIND } from '../sessions/session-schema.ts'

export const OPENED_LAUNCH = titled(
  'OpenedLaunch',
  closed({
    id: id('lau'),
    launchId: bearer('lnch'),
    launchUrl: like('https://notes.example/launch?launch_id=lnch_…'),
    expiresAt: time,
    app: closed(
      { id: id('app'), name: like('Visit Notes'), origins: textsLike('https://notes.example') },
      { iconUrl: icon, tokenEndpoint: like('https://notes.example/token') },
    ),
    seed: closed({
      userId: id('usr'),
      account: practice,
      ehrType,
      sessionId: id('ses'),
      deviceId,
    }),
  }),
)

const STEP = closed(
  { step: like('exchange'), at: time, outcome: { type: 'string', enum: ['ok', 'failed'] } },
  {
    code: like('invalid_grant'),
    reason: like('code_expired'),
    cause: like('The code was older than 60 seconds.'),
    fix: like('Exchange the code at once.'),
    traceId: like('5f0c2d7e9b1a4c68'),
  },
)

export const LAUNCH = titled(
  'Launch',
  closed(
    {
      id: id('lau'),
      app: named('app', 'Visit Notes'),
      kind: KIND,
      account: practice,
      userId: id('usr'),
      sessionId: id('ses'),
      state: { type: 'string', enum: ['opened', 'authorized', 'exchanged', 'ended', 'expired'] },
      createdAt: time,
      expiresAt: time,
      steps: { type: 'array', items: STEP },
    },
    { tokenExpiresAt: time },
  ),
)

export const LAUNCHES = pageOf(LAUNCH)

export const LAUNCH_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['appId', 'kind'],
  properties: {
    appId: { type: 'string', maxLength: 64, examples: ['app_01jnye6xw8q2v5n0m4r7ta'] },
    kind: { enum: ['ui', 'worker'] },
  },
} as const

export const STEP_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['step', 'outcome'],
  properties: {
    step: { enum: ['opened', 'handshake', 'context'] },
    outcome: { enum: ['ok', 'failed'] },
    code: { type: 'string', pattern: '^[A-Z_]{1,40}$', examples: ['HANDSHAKE_TIMEOUT'] },
    detail: { type: 'string', maxLength: 500, examples: ['No hello within 5 seconds.'] },
  },
} as const
