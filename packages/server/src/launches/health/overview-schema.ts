// The schemas of the overview "Is it well?": the check of its request, the type of its handler and the OpenAPI
// document come from them. Contract §16.
import {
  closed,
  id,
  like,
  listOf,
  named,
  oneOf,
  orNull,
  practice,
  time,
  titled,
} from '../../http/payload.ts'
import { OVERVIEW_HOURS } from './overview.ts'

const count = { type: 'integer', minimum: 0, examples: [186] } as const
const milliseconds = { type: 'integer', minimum: 0, examples: [1400] } as const
const share = { type: 'number', minimum: 0, maximum: 1, examples: [0.978] } as const
const app = named('app', 'Visit Notes')

/** The value of the time, and the middle one of the times that it is compared with. */
const figureOf = <const S extends object>(value: S) =>
  closed({ value: orNull(value), usual: orNull(value) })

export const CHANGE_KINDS = [
  'version_published',
  'secret_retired',
  'app_disabled',
  'app_stopped_here',
  'app_stopped_on_ehr',
] as const
export const SERVICE_PARTS = ['database', 'backup', 'sweep', 'jobs', 'keys', 'mail'] as const

const INCIDENT = titled(
  'HealthIncident',
  closed(
    {
      app,
      isNow: { type: 'boolean', description: 'It fails now; otherwise it is over.' },
      since: time,
      until: { ...time, description: 'Of the last failure, to five minutes.' },
      launches: count,
      failed: count,
      practices: { ...count, description: 'Where launches of the app failed in this time.' },
    },
    {
      reason: like('secret_retired'),
      cause: like('The client secret was retired.'),
      exampleLaunchId: id('lau'),
    },
  ),
)

const SLOT = titled(
  'HealthSlot',
  closed({
    at: time,
    launches: count,
    failed: count,
    usualLaunches: orNull(count),
    halfWithinMs: orNull(milliseconds),
    mostWithinMs: { ...orNull(milliseconds), description: '95 % became ready within.' },
  }),
)

const RANKED = {
  launches: count,
  failed: count,
  readyShare: orNull(share),
  readyShares: { ...listOf(orNull(share)), description: 'Of each slot; null without launches.' },
} as const

const PRACTICE_HEALTH = titled(
  'PracticeHealth',
  closed({
    practice,
    ...RANKED,
    worstApp: { ...orNull(app), description: 'Of which most launches failed there.' },
  }),
)

const APP_RANK = titled(
  'AppRank',
  closed({
    app,
    ...RANKED,
    worstPractice: { ...orNull(practice), description: 'Where most of its launches failed.' },
  }),
)

const TAKEN = titled(
  'VersionTaken',
  closed({
    by: { ...count, description: 'Practices that run this version or a newer one.' },
    of: { ...count, description: 'Practices that run the collection.' },
    older: {
      ...listOf(closed({ practice, version: { type: 'integer', examples: [7] } })),
      description: 'The first ten of your practices that run an older version; 0: none yet.',
    },
  }),
)

const CHANGE = titled(
  'HealthChange',
  closed({
    at: time,
    kind: oneOf(...CHANGE_KINDS),
    what: closed({ id: like('app_01jnye6xw8q2v5n0m4r7ta'), name: like('Visit Notes') }),
    detail: {
      ...like('Production 2026-05'),
      description: 'The secret, the number of the version, the EHR, or why the app was stopped.',
    },
    taken: { ...orNull(TAKEN), description: 'Who runs a published version; else null.' },
  }),
)

const SERVICE_PART = titled(
  'ServicePart',
  closed({
    name: oneOf(...SERVICE_PARTS),
    state: oneOf('good', 'bad', 'unknown'),
    at: { ...orNull(time), description: 'When it was done for the last time.' },
    nextAt: { ...orNull(time), description: 'When it is due.' },
    tookMs: orNull(milliseconds),
  }),
)

export const HEALTH_OVERVIEW = titled(
  'HealthOverview',
  closed({
    from: time,
    to: time,
    countedAt: { ...orNull(time), description: 'The newest counted five minutes.' },
    figures: closed({
      readyShare: figureOf(share),
      launches: figureOf(count),
      failed: figureOf(count),
      mostWithinMs: figureOf(milliseconds),
      practices: figureOf(count),
      apps: figureOf(count),
      refusedSignIns: {
        ...figureOf(count),
        description: 'For administrators, of the members of the account; else null.',
      },
    }),
    slotMinutes: { type: 'integer', examples: [60] },
    slots: listOf(SLOT),
    incidents: listOf(INCIDENT),
    practices: { ...listOf(PRACTICE_HEALTH), description: 'The ten worst, worst first.' },
    apps: { ...listOf(APP_RANK), description: 'The ten worst, worst first.' },
    changes: { ...listOf(CHANGE), description: 'The newest nine, newest first.' },
    service: { ...listOf(SERVICE_PART), description: 'For the platform only; else empty.' },
  }),
)

export const OVERVIEW_QUERY = {
  type: 'object',
  properties: {
    hours: oneOf(...OVERVIEW_HOURS.map(String)),
    accountId: {
      type: 'string',
      maxLength: 64,
      description: 'What ran in this practice, or what the apps of this vendor did.',
    },
  },
} as const
