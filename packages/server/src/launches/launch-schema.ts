// The schemas of the payloads of launches, requests and responses. The check of requests, the types
// of the handlers, the OpenAPI document and packages/protocol come from them.

import { END_REASONS, HOST_STEPS } from '@chartside/protocol/launch'
import { LAUNCH_STYLES } from '../apps/app.ts'
import { LIST_QUERY } from '../http/input/pagination.ts'
import {
  bearer,
  closed,
  deviceId,
  ehrType,
  hidingPageOf,
  icon,
  id,
  like,
  listOf,
  named,
  oneOf,
  practice,
  textsLike,
  time,
  titled,
} from '../http/payload.ts'
import {
  APP_KIND,
  EHR_SESSION,
  EHR_SESSION_FIELDS,
  END,
  PLANNED_END,
} from '../sessions/session-schema.ts'
import { CHART_CHANGE, LAUNCH_PAGE, LAUNCH_SPAN, LAUNCH_STEP } from './launch-step-schema.ts'

export const LAUNCH_APP = titled(
  'LaunchApp',
  closed(
    {
      id: id('app'),
      name: like('Visit Notes'),
      origins: {
        ...textsLike('https://notes.example'),
        description: 'Origins of the launch URL, redirect URIs and allowed iframe URLs.',
      },
    },
    {
      iconUrl: icon,
      launchStyle: {
        ...oneOf(...LAUNCH_STYLES),
        description: 'smart: its page says no hello; the host calls it ready at the exchange.',
      },
      tokenEndpoint: {
        ...like('https://notes.example/token'),
        description: 'The registered token endpoint; the SDK gets it with the seed.',
      },
    },
  ),
)

const SESSION_SEED = {
  ...titled(
    'SessionSeed',
    closed({ userId: id('usr'), account: practice, ehrType, sessionId: id('ses'), deviceId }),
  ),
  description: 'What the SDK shows as sessionContext. Context, never proof of identity.',
} as const

export const OPENED_LAUNCH = titled(
  'OpenedLaunch',
  closed({
    id: { ...id('lau'), description: 'Safe to show, unlike launchId.' },
    launchId: { ...bearer('lnch'), description: 'A bearer value.' },
    kind: APP_KIND,
    launchUrl: like('https://notes.example/launch?launch_id=lnch_…'),
    expiresAt: { ...time, description: 'The launch must be authorized before this.' },
    app: LAUNCH_APP,
    seed: SESSION_SEED,
  }),
)

export const OPENED_SESSION = titled(
  'OpenedSession',
  closed(EHR_SESSION_FIELDS, {
    launches: {
      ...listOf(OPENED_LAUNCH),
      description: 'Present when the request asked for launches.',
    },
  }),
)

/** The outcome of a launch: one of four, as lists count and filter it. */
export const LAUNCH_OUTCOMES = ['failed', 'opening', 'ready', 'ended'] as const

export const LAUNCH_STATES = ['opened', 'authorized', 'exchanged', 'ended', 'expired'] as const

export const LAUNCH = titled(
  'Launch',
  closed(
    {
      id: id('lau'),
      app: named('app', 'Visit Notes'),
      kind: APP_KIND,
      account: practice,
      userId: id('usr'),
      sessionId: id('ses'),
      ehrType,
      deviceId,
      state: oneOf(...LAUNCH_STATES),
      outcome: {
        ...oneOf(...LAUNCH_OUTCOMES),
        description: 'failed: a step failed and the app never became ready.',
      },
      createdAt: time,
      expiresAt: time,
      failureCount: {
        type: 'integer',
        minimum: 0,
        examples: [0],
        description: 'Of all failed steps; a launch keeps the first 20 of them.',
      },
      steps: listOf(LAUNCH_STEP),
      spans: { ...listOf(LAUNCH_SPAN), description: 'Whose time it was, in causal order.' },
    },
    {
      userName: {
        ...like('Dr. Amara Okafor'),
        description: 'For the person, the practice and the platform; never for a vendor.',
      },
      page: { ...LAUNCH_PAGE, description: 'What the host reported with the handshake.' },
      tokenExpiresAt: { ...time, description: 'Present once the code was exchanged.' },
      ended: { ...END, description: 'Present once the launch has ended or expired.' },
    },
  ),
)

export const LAUNCHES = hidingPageOf(LAUNCH)

export const LAUNCH_CAUSE = titled(
  'LaunchCause',
  closed(
    {
      reason: like('secret_wrong'),
      step: like('exchange'),
      cause: like('The client secret is wrong, expired or retired.'),
      app: { ...named('app', 'Visit Notes'), description: 'With most of them.' },
      apps: {
        ...listOf(
          closed({
            app: named('app', 'Visit Notes'),
            count: { type: 'integer', minimum: 1, examples: [14] },
            exampleLaunchId: id('lau'),
          }),
        ),
        description: 'Of those that you see; most launches first, at most 20.',
      },
      appCount: { type: 'integer', minimum: 1, examples: [1], description: 'Of all these apps.' },
      count: { type: 'integer', minimum: 1, examples: [14], description: 'Of launches.' },
      firstAt: time,
      lastAt: time,
      exampleLaunchId: id('lau'),
    },
    {
      code: {
        ...like('host_not_admitted'),
        description: 'Of the reasons host_reported and page_not_opened: which of many causes.',
      },
    },
  ),
)

export const CAUSES = titled(
  'LaunchCauses',
  closed({
    items: listOf(LAUNCH_CAUSE),
    launches: {
      type: 'integer',
      minimum: 0,
      examples: [15],
      description: 'Failed launches that were counted: the newest 2000 at most.',
    },
    isCapped: { type: 'boolean', examples: [false], description: 'More than these have failed.' },
  }),
)

const timeFilter = (description: string) =>
  ({ type: 'string', maxLength: 40, description }) as const

export const FILTERS = {
  accountId: { type: 'string', maxLength: 64, description: 'In this practice, or of its apps.' },
  sessionId: { type: 'string', maxLength: 64 },
  appId: { type: 'string', maxLength: 64 },
  practiceId: {
    type: 'string',
    maxLength: 64,
    description: 'Of the launches that you see, those in this practice.',
  },
  userId: {
    type: 'string',
    maxLength: 64,
    description: 'Of this person: yourself, or in practices that you administer.',
  },
  state: oneOf(...LAUNCH_STATES),
  outcome: oneOf(...LAUNCH_OUTCOMES),
  reason: { type: 'string', maxLength: 64, description: 'With a failed step of this reason.' },
  traceId: { type: 'string', maxLength: 64, description: 'With a failed step of this trace id.' },
  from: timeFilter('RFC 3339; created at this time or later.'),
  to: timeFilter('RFC 3339; created before this time.'),
} as const

export const LAUNCHES_QUERY = {
  type: 'object',
  properties: {
    ...LIST_QUERY.properties,
    ...FILTERS,
    launch_id: { type: 'string', maxLength: 256, description: 'A bearer value, alone.' },
  },
} as const

export const CAUSES_QUERY = { type: 'object', properties: FILTERS } as const

/** The event stream of an EHR session: the name of each event, and its data. */
export const SESSION_EVENTS = titled(
  'SessionEvents',
  closed({
    session: EHR_SESSION,
    launch: LAUNCH,
    idle: PLANNED_END,
    ended: titled('SessionEnded', closed({ reason: oneOf(...END_REASONS) })),
  }),
)

export const LAUNCH_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['appId', 'kind'],
  properties: {
    appId: { type: 'string', maxLength: 64, examples: ['app_01jnye6xw8q2v5n0m4r7ta'] },
    kind: APP_KIND,
  },
} as const

export const STEP_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['step', 'outcome'],
  // Of all members together no step takes every one.
  examples: [
    {
      step: 'handshake',
      outcome: 'failed',
      code: 'HANDSHAKE_TIMEOUT',
      detail: 'No hello within 5 seconds.',
    },
  ],
  properties: {
    step: oneOf(...HOST_STEPS, 'chart_changed'),
    outcome: oneOf('ok', 'failed'),
    code: { type: 'string', pattern: '^[A-Z_]{1,40}$', examples: ['HANDSHAKE_TIMEOUT'] },
    detail: { type: 'string', maxLength: 500, examples: ['No hello within 5 seconds.'] },
    page: { ...LAUNCH_PAGE, description: 'With the handshake: versions, and times of the page.' },
    chart: { ...CHART_CHANGE, description: 'With chart_changed, and with nothing else.' },
  },
} as const

export const END_LAUNCH_QUERY = {
  type: 'object',
  properties: {
    reason: {
      ...oneOf('closed', 'chart_changed'),
      description: 'Of an end by the host of the launch; closed by default.',
    },
  },
} as const
