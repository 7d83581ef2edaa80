// The schemas of the payloads of launches, requests and responses. The check of requests, the types
// of the handlers, the OpenAPI document and packages/protocol come from them.
import {
  END_REASONS,
  HOST_STEPS,
  LAUNCH_SPAN_NAMES,
  LAUNCH_STEPS,
  SPAN_PARTIES,
} from '@chartside/protocol/launch'
import { REFUSED_SECRET_STATES } from '../apps/client-secret.ts'
import { LIST_QUERY } from '../http/input/pagination.ts'
import {
  bearer,
  closed,
  deviceId,
  ehrType,
  icon,
  id,
  like,
  listOf,
  named,
  oneOf,
  pageOf,
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

const SENT_VALUES = {
  ...listOf(closed({ name: like('redirect_uri'), value: like('https://notes.example/callbak') })),
  description: 'The parameters that explain the failure, cut and without bearer values.',
} as const

const REGISTERED_VALUES = {
  ...listOf(closed({ name: like('redirect_uri'), value: like('https://notes.example/callback') })),
  description: 'What the app has registered now, nearest first; for its owner only.',
} as const

export const OPENED_SESSION = titled(
  'OpenedSession',
  closed(EHR_SESSION_FIELDS, {
    launches: {
      ...listOf(OPENED_LAUNCH),
      description: 'Present when the request asked for launches.',
    },
  }),
)

const SECRET_STATES = ['live', ...REFUSED_SECRET_STATES] as const

export const EXCHANGE_CLIENT = {
  ...titled(
    'ExchangeClient',
    closed(
      {
        address: like('203.0.113.20'),
        method: oneOf('client_secret_basic', 'client_secret_post'),
        encoding: oneOf('json', 'form'),
        secret: closed(
          {
            state: {
              ...oneOf(...SECRET_STATES),
              description: 'altered: it names a secret of this app, and is another text.',
            },
          },
          {
            id: id('sec'),
            label: like('Production 2026-11'),
            createdAt: time,
            expiresAt: time,
            retiredAt: time,
          },
        ),
      },
      { country: { ...like('US'), description: 'ISO 3166; absent for an internal address.' } },
    ),
  ),
  description:
    'Who sent the exchange, and the secret that it used or tried; for the app’s owner only.',
} as const

const milliseconds = { type: 'integer', minimum: 0, maximum: 3_600_000, examples: [180] } as const

const PAGE_TIMINGS = {
  ...closed({
    responseStartMs: milliseconds,
    responseEndMs: milliseconds,
    domContentLoadedMs: { ...milliseconds, description: '0 when the hello came before it.' },
    helloMs: milliseconds,
  }),
  description: 'Since the navigation to the page that said hello, by the clock of the page.',
} as const

const version = {
  type: 'string',
  maxLength: 64,
  pattern: '^[\\w .+()/:-]*$',
  examples: ['1.0.0'],
} as const

/** Of the page that said hello, as its host reported it. */
export const LAUNCH_PAGE = closed(
  {},
  { hostVersion: version, sdkVersion: version, timings: PAGE_TIMINGS },
)

const LAUNCH_STEP = titled(
  'LaunchStep',
  closed(
    { step: oneOf(...LAUNCH_STEPS), at: time, outcome: oneOf('ok', 'failed') },
    {
      code: { ...like('invalid_grant'), description: 'The error code in the response.' },
      reason: {
        ...like('code_expired'),
        description: 'The precise reason of a failure, or of the end.',
      },
      cause: { ...like('The code was older than 60 seconds.'), description: 'What happened.' },
      fix: { ...like('Exchange the code at once.'), description: 'What to do about it.' },
      traceId: like('5f0c2d7e9b1a4c68'),
      sent: SENT_VALUES,
      registered: REGISTERED_VALUES,
      client: EXCHANGE_CLIENT,
    },
  ),
)

const LAUNCH_SPAN = titled(
  'LaunchSpan',
  closed(
    {
      span: oneOf(...LAUNCH_SPAN_NAMES),
      party: oneOf(...new Set(Object.values(SPAN_PARTIES))),
      outcome: oneOf('ok', 'failed', 'running', 'waiting', 'did_not_happen'),
    },
    {
      startedAt: time,
      durationMs: { type: 'integer', minimum: 0, examples: [534] },
      note: {
        ...oneOf('clamped', 'not_recorded'),
        description: 'clamped: the clocks or the order of the reports differed.',
      },
      code: like('invalid_client'),
      reason: like('secret_wrong'),
      cause: like('The client secret is wrong, expired or retired.'),
      fix: like('Set the current secret on the app’s server.'),
      traceId: like('5f0c2d7e9b1a4c68'),
    },
  ),
)

/** What became of a launch: one of four, as lists count and filter it. */
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

export const LAUNCHES = pageOf(LAUNCH)

export const LAUNCH_CAUSE = titled(
  'LaunchCause',
  closed({
    reason: like('secret_wrong'),
    step: like('exchange'),
    app: named('app', 'Visit Notes'),
    count: { type: 'integer', minimum: 1, examples: [14], description: 'Of launches.' },
    firstAt: time,
    lastAt: time,
    exampleLaunchId: id('lau'),
  }),
)

export const CAUSES = closed({ items: listOf(LAUNCH_CAUSE) })

const timeFilter = (description: string) =>
  ({ type: 'string', maxLength: 40, description }) as const

export const FILTERS = {
  accountId: { type: 'string', maxLength: 64, description: 'In this practice, or of its apps.' },
  sessionId: { type: 'string', maxLength: 64 },
  appId: { type: 'string', maxLength: 64 },
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
  properties: {
    step: oneOf(...HOST_STEPS),
    outcome: oneOf('ok', 'failed'),
    code: { type: 'string', pattern: '^[A-Z_]{1,40}$', examples: ['HANDSHAKE_TIMEOUT'] },
    detail: { type: 'string', maxLength: 500, examples: ['No hello within 5 seconds.'] },
    page: { ...LAUNCH_PAGE, description: 'With the handshake: versions, and times of the page.' },
  },
} as const
