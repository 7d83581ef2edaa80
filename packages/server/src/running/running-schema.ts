// The schemas of what an account runs, and of stopping an app in it: the check, the handlers' types and
// the OpenAPI document come from them. Contract §16.
import {
  COLLECTION_CONTENT,
  EHR_DEFINITION,
  ON_CHART_CHANGE,
} from '../collections/collection-schema.ts'
import {
  closed,
  ehrType,
  flag,
  id,
  like,
  listOf,
  named,
  number,
  oneOf,
  optionalTime,
  orNull,
  practice,
  reason,
  time,
  titled,
} from '../http/payload.ts'

const COUNT = { type: 'integer', minimum: 0, examples: [128] } as const

/** The newest version beside the one that other accounts run. */
export const ROLLOUT = titled(
  'Rollout',
  closed({
    following: { ...COUNT, description: 'Accounts that follow the latest version.' },
    givenTo: { ...COUNT, description: 'Those of them that the newest version is given to.' },
    openElsewhere: {
      ...COUNT,
      description: 'Open EHR sessions of the newest version, of accounts that it is not given to.',
    },
    versions: {
      ...listOf(
        closed({
          version: number,
          launches: COUNT,
          readyShare: {
            type: ['number', 'null'],
            minimum: 0,
            maximum: 1,
            examples: [0.992],
            description: 'Of the launches that became ready or failed; null without any.',
          },
        }),
      ),
      description: 'The newest, then the one before it; launches of the last week.',
    },
  }),
)

/** The claims of a token of the app beside the launch itself. */
export const LEARNED = ['sub', 'account', 'ehr_type', 'device_id', 'name', 'email'] as const

const STOP = closed({ at: time, by: named('usr', 'Pat Admin'), reason: like('Wrong units.') })

export const RUNNING_APP = titled(
  'RunningApp',
  closed({
    app: closed({
      id: id('app'),
      name: like('Visit Notes'),
      vendor: named('acc', 'Sample Apps Inc.'),
    }),
    ehrTypes: { ...listOf(ehrType), description: 'The EHRs of the version on which it opens.' },
    autoLaunch: flag,
    onChartChange: ON_CHART_CHANGE,
    learns: {
      ...listOf(oneOf(...LEARNED)),
      description: 'Claims about the user and the place in its ID tokens of the last week.',
    },
    lastLaunchAt: { ...optionalTime, description: 'Null when it was not launched in the week.' },
    launches: {
      type: 'integer',
      minimum: 0,
      examples: [1204],
      description: 'Of the last week: of the newest 10000 launches of the account.',
    },
    readyShare: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: 1,
      examples: [0.994],
      description: 'Of the launches that became ready or failed; null without any.',
    },
    enabled: { ...flag, description: 'False: its vendor or the platform has switched it off.' },
    stopped: { ...orNull(STOP), description: 'In this account.' },
    offOn: {
      ...listOf(ehrType),
      description: 'The EHRs of these on which its vendor or the platform has switched it off.',
    },
  }),
)

/** The changes that another version brings to the people of an account. */
export const VERSION_CHANGE = closed({
  version: { ...number, description: 'The newer of the two.' },
  isWaiting: {
    ...flag,
    description:
      'True: the account is pinned to an earlier version and takes this one when it wants.',
  },
  givenAt: { ...time, description: 'When the account could first get it.' },
  before: COLLECTION_CONTENT,
  after: COLLECTION_CONTENT,
  apps: { ...listOf(named('app', 'Visit Notes')), description: 'The names of the apps in both.' },
})

export const RUNNING = titled(
  'Running',
  closed({
    collection: orNull(closed({ id: id('col'), name: like('Primary care'), owner: practice })),
    version: orNull(number),
    follows: { anyOf: [{ type: 'null' }, number, { const: 'latest' }] },
    ehrs: listOf(EHR_DEFINITION),
    apps: listOf(RUNNING_APP),
    change: {
      ...orNull(VERSION_CHANGE),
      description: 'The newest version that waits; else what came with the version that runs.',
    },
  }),
)

export const APP_STOPS = titled(
  'AppStops',
  closed({
    count: { type: 'integer', minimum: 0, examples: [1], description: 'In how many accounts.' },
    stops: {
      ...listOf(
        closed({
          account: practice,
          at: time,
          by: {
            ...orNull(named('usr', 'Pat Admin')),
            description: 'Null for who administers neither the account nor the platform.',
          },
          reason: like('Wrong units.'),
        }),
      ),
      description: 'The newest 20.',
    },
  }),
)

export const STOP_BODY = closed({
  reason: { ...reason, format: 'name', description: 'For the vendor and the audit trail.' },
})

export const STOPPED_APP = titled(
  'StoppedApp',
  closed({
    appId: id('app'),
    at: time,
    reason: like('Wrong units.'),
    endedLaunches: { type: 'integer', minimum: 0, examples: [4] },
  }),
)

/** The EHRs on which an app is switched off in every account. */
export const EHR_STOPS = titled(
  'EhrStops',
  closed({
    ehrs: {
      ...listOf(
        closed({
          ehrType,
          stopped: orNull(
            closed({
              at: time,
              by: {
                ...orNull(named('usr', 'Dana Reyes')),
                description: 'Null for an account, where the platform did it.',
              },
              side: oneOf('platform', 'account'),
              reason: like('Opens the wrong tab since the update.'),
            }),
          ),
        }),
      ),
      description: 'Those of its launches of the last 14 days, and those on which it is off.',
    },
  }),
)

export const STOPPED_ON_EHR = titled(
  'StoppedOnEhr',
  closed({ ehrType, endedLaunches: { ...COUNT, examples: [4] } }),
)
