// The schemas of the steps and spans of a launch: what was sent, who exchanged, what the host reported of
// the page, and whose time it was. launch-schema.ts puts them into the payloads.
import {
  CHART_HANDLINGS,
  LAUNCH_SPAN_NAMES,
  LAUNCH_STEPS,
  SPAN_PARTIES,
} from '@chartside/protocol/launch'
import { REFUSED_SECRET_STATES } from '../apps/client-secret.ts'
import { closed, id, like, listOf, oneOf, time, titled, version } from '../http/payload.ts'

const SENT_VALUES = {
  ...listOf(closed({ name: like('redirect_uri'), value: like('https://notes.example/callbak') })),
  description: 'The parameters that explain the failure, cut and without bearer values.',
} as const

const REGISTERED_VALUES = {
  ...listOf(closed({ name: like('redirect_uri'), value: like('https://notes.example/callback') })),
  description: 'What the app has registered now, nearest first; for its owner only.',
} as const

const SECRET_STATES = ['live', ...REFUSED_SECRET_STATES] as const

export const EXCHANGE_CLIENT = {
  ...titled(
    'ExchangeClient',
    closed(
      {
        address: like('203.0.113.20'),
        method: oneOf('client_secret_basic', 'client_secret_post', 'private_key_jwt'),
        encoding: oneOf('json', 'form'),
      },
      {
        country: { ...like('US'), description: 'ISO 3166; absent for an internal address.' },
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
        keyId: { ...like('notes-2026-11'), description: 'The kid that the assertion named.' },
      },
    ),
  ),
  description:
    'Who sent the exchange, and the secret or the key that it used or tried; for the app’s owner only.',
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

/** The page that said hello, as its host reported it. */
export const LAUNCH_PAGE = closed(
  {},
  { hostVersion: version, sdkVersion: version, timings: PAGE_TIMINGS },
)

const WHO = oneOf('developer', 'app_admin', 'operator', 'provider')

const HANDLED = {
  ...oneOf(...CHART_HANDLINGS),
  description: 'How the host handled a change of the chart beside the app.',
} as const
const SHOWN_MS = {
  type: 'integer',
  minimum: 0,
  maximum: 43_200_000,
  examples: [618],
  description: 'From the change until an app was shown again; absent while none is.',
} as const

/** The change has neither a reference nor an address. */
export const CHART_CHANGE = closed(
  { change: { type: 'integer', minimum: 1, maximum: 100_000, examples: [1] }, handled: HANDLED },
  { shownMs: SHOWN_MS },
)

export const LAUNCH_STEP = titled(
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
      who: { ...WHO, description: 'Who can do it.' },
      traceId: like('4bf92f3577b34da65f0c2d7e9b1a4c68'),
      sent: SENT_VALUES,
      registered: REGISTERED_VALUES,
      client: EXCHANGE_CLIENT,
      handled: HANDLED,
      shownMs: SHOWN_MS,
    },
  ),
)

export const LAUNCH_SPAN = titled(
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
      who: WHO,
      traceId: like('4bf92f3577b34da65f0c2d7e9b1a4c68'),
    },
  ),
)
