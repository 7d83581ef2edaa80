// The schemas of the payloads of EHR sessions, requests and responses. The check of requests, the
// types of the handlers, the OpenAPI document and packages/protocol come from them.
import { END_REASONS } from '@chartside/protocol/launch'
import { EHR_DEFINITION, ON_CHART_CHANGE } from '../collections/collection-schema.ts'
import { LIST_QUERY } from '../http/input/pagination.ts'
import {
  closed,
  deviceId,
  ehrType,
  flag,
  hidingPageOf,
  icon,
  id,
  like,
  listOf,
  number,
  oneOf,
  orNull,
  practice,
  time,
  titled,
} from '../http/payload.ts'

export const APP_KIND = titled('AppKind', oneOf('ui', 'worker'))

export const SESSION_APP = titled(
  'SessionApp',
  closed(
    {
      id: id('app'),
      name: like('Visit Notes'),
      kinds: listOf(APP_KIND),
      autoLaunch: { ...flag, description: 'The host opens these kinds at once.' },
    },
    { iconUrl: icon, onChartChange: ON_CHART_CHANGE },
  ),
)

export const END = titled('End', closed({ at: time, reason: oneOf(...END_REASONS) }))

export const SESSION_STATES = ['live', 'ended'] as const

/** Every session has these fields; `ended` is present once it has ended. */
export const EHR_SESSION_FIELDS = {
  id: id('ses'),
  userId: id('usr'),
  account: practice,
  ehrType,
  deviceId,
  state: oneOf(...SESSION_STATES),
  collection: orNull(closed({ id: id('col'), version: number })),
  ehr: orNull(EHR_DEFINITION),
  apps: listOf(SESSION_APP),
  createdAt: time,
} as const

export const EHR_SESSION = titled(
  'EhrSession',
  closed(EHR_SESSION_FIELDS, {
    ended: { ...END, description: 'Present once the session has ended.' },
  }),
)

const ENDED = { ...END, description: 'Present once the session has ended.' } as const

export const LISTED_SESSION = titled(
  'ListedSession',
  closed(
    {
      id: id('ses'),
      userId: id('usr'),
      userName: like('Dr. Amara Okafor'),
      account: practice,
      ehrType,
      deviceId,
      state: oneOf(...SESSION_STATES),
      collection: orNull(closed({ id: id('col'), version: number })),
      launchCount: { type: 'integer', minimum: 0, examples: [4] },
      createdAt: time,
      lastSeenAt: { ...time, description: 'The last activity of the person.' },
    },
    { ended: ENDED },
  ),
)

export const LISTED_SESSIONS = hidingPageOf(LISTED_SESSION)

export const SESSIONS_QUERY = {
  type: 'object',
  properties: {
    ...LIST_QUERY.properties,
    accountId: { type: 'string', maxLength: 64 },
    state: oneOf(...SESSION_STATES),
    signIn: { ...oneOf('this'), description: 'Those of the sign-in that asks, and no other.' },
  },
} as const

export const PLANNED_END = titled(
  'PlannedEnd',
  closed({
    endsAt: { ...time, description: 'The end of the sign-in when no activity follows.' },
    reason: {
      ...oneOf('idle', 'expired'),
      description: 'Activity moves an end of the reason idle, and no other.',
    },
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
    launch: {
      type: 'array',
      maxItems: 2,
      uniqueItems: true,
      items: APP_KIND,
      description: 'Opens the launches of these kinds, of all apps that launch by themselves.',
    },
  },
} as const
