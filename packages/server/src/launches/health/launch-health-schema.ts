// The schemas of summaries of launches: counts by outcome, usual times, health of an app. The check of
// requests, the types of the handlers and the OpenAPI document come from them.
import { LAUNCH_SPAN_NAMES, SPAN_PARTIES } from '@chartside/protocol/launch'
import { Q } from '../../http/input/pagination.ts'
import { closed, id, listOf, named, oneOf, orNull, time, titled } from '../../http/payload.ts'
import { FILTERS, LAUNCH_CAUSE } from '../launch-schema.ts'

const count = { type: 'integer', minimum: 0, examples: [186] } as const
const milliseconds = { type: 'integer', minimum: 0, examples: [840] } as const

export const QUANTILES = closed({ count, p50Ms: milliseconds, p95Ms: milliseconds })

export const OUTCOME_COUNTS = closed({
  failed: count,
  opening: count,
  ready: count,
  ended: count,
})

const SUMMARY_FIELDS = {
  from: time,
  to: time,
  launches: { ...count, description: 'How many were counted.' },
  isCapped: { type: 'boolean', description: 'There are more; the newest were counted.' },
  outcomes: OUTCOME_COUNTS,
  successRate: {
    type: ['number', 'null'],
    minimum: 0,
    maximum: 1,
    description: 'Ready among ready and failed; null when there are none.',
  },
  toReady: { ...orNull(QUANTILES), description: 'From the creation of a launch to ready.' },
} as const

const olderCount = {
  type: ['integer', 'null'],
  minimum: 0,
  examples: [186],
  description: 'Null where launches before the newest 2000 are counted.',
} as const

/** Counts of a list by outcome and over time, and how fast its launches became ready. */
export const LAUNCH_SUMMARY = titled(
  'LaunchSummary',
  closed({
    ...SUMMARY_FIELDS,
    outcomes: closed({ failed: count, opening: count, ready: olderCount, ended: olderCount }),
    slotSeconds: { type: 'integer', minimum: 1, examples: [1800] },
    slots: {
      ...listOf(titled('LaunchSlot', closed({ at: time, launches: count, failed: count }))),
      description: 'The counted launches over time, oldest first; at most 61.',
    },
  }),
)

export const USUAL_SPAN = titled(
  'UsualSpan',
  closed({
    span: oneOf(...LAUNCH_SPAN_NAMES),
    party: oneOf(...new Set(Object.values(SPAN_PARTIES))),
    count,
    p50Ms: milliseconds,
    p95Ms: milliseconds,
  }),
)

const USUAL_SPANS = {
  ...listOf(USUAL_SPAN),
  description: 'Of launches that became ready.',
} as const

export const USUAL_TIMES = titled(
  'UsualTimes',
  closed(
    {
      from: time,
      launches: { ...count, description: 'How many were measured.' },
      spans: USUAL_SPANS,
    },
    {
      lastReadyLaunchId: {
        ...id('lau'),
        description: 'The newest of these before or after it that you see.',
      },
    },
  ),
)

export const APP_HEALTH = titled(
  'AppHealth',
  closed({
    app: named('app', 'Visit Notes'),
    ...SUMMARY_FIELDS,
    spans: USUAL_SPANS,
    causes: listOf(LAUNCH_CAUSE),
  }),
)

export const SUMMARY_QUERY = { type: 'object', properties: FILTERS } as const

export const HEALTH_QUERY = {
  type: 'object',
  properties: { from: FILTERS.from, to: FILTERS.to },
} as const

/** The practices in which the launches of a list ran: the choices of its filter by practice. */
export const LAUNCH_PRACTICES = titled(
  'LaunchPractices',
  closed({
    items: listOf(
      titled(
        'LaunchPractice',
        closed({
          id: id('acc'),
          name: { type: 'string', examples: ['Lakeside Family Practice'] },
          count: { ...count, description: 'Of the newest 2000 launches.' },
        }),
      ),
    ),
  }),
)

export const PRACTICES_QUERY = {
  type: 'object',
  properties: { ...FILTERS, q: Q },
} as const
