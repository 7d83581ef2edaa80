// The schemas of the payloads of collections, requests and responses. The check of requests, the
// types of the handlers and the OpenAPI document come from them.
import { CHART_CHANGE_POLICIES, CHART_MODES } from '@chartside/protocol/charts'
import { buildPatchSchema } from '../http/input/merge-patch.ts'
import { LIST_QUERY, Q, SORT } from '../http/input/pagination.ts'
import {
  closed,
  ehrType,
  flag,
  hidingPageOf,
  id,
  like,
  listOf,
  nameLike,
  number,
  oneOf,
  orNull,
  pageOf,
  time,
  titled,
} from '../http/payload.ts'
import { MAX_AUDIENCE } from './collection.ts'

const EHR_TYPE = {
  type: 'string',
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  examples: ['meadow'],
} as const

export const EHR_DEFINITION = {
  title: 'EhrDefinition',
  type: 'object',
  additionalProperties: false,
  required: ['ehrType', 'name', 'matches'],
  properties: {
    ehrType: EHR_TYPE,
    name: nameLike('Meadow EHR'),
    matches: {
      type: 'array',
      maxItems: 50,
      items: { type: 'string', maxLength: 500, examples: ['https://ehr.example/*'] },
    },
    charts: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'string',
        maxLength: 500,
        examples: ['https://ehr.example/patients/:chart{/*}?'],
      },
      description:
        'URLPattern strings with one group :chart. Absent: chart changes are not noticed.',
    },
    chartMode: {
      ...oneOf(...CHART_MODES),
      description: 'guard (default) acts on a change of the chart; observe only records it.',
    },
    panelOpens: {
      ...oneOf('first', 'last', 'ask'),
      description:
        'The app with which the panel of a chart opens: the first of the collection, the one that the user opened last at this EHR (default), or none.',
    },
  },
} as const

export const ON_CHART_CHANGE = {
  ...oneOf(...CHART_CHANGE_POLICIES),
  description: 'What the host does when another chart is opened; relaunch by default.',
} as const

/** The facts by which a client recognizes the EHRs of an account before there is a session. */
export const ACCOUNT_EHRS = titled(
  'AccountEhrs',
  closed({
    collection: orNull(closed({ id: id('col'), version: number })),
    ehrs: listOf(EHR_DEFINITION),
  }),
)

export const COLLECTION_CONTENT = {
  title: 'CollectionContent',
  type: 'object',
  additionalProperties: false,
  required: ['ehrs', 'apps'],
  properties: {
    ehrs: {
      type: 'array',
      maxItems: 100,
      items: EHR_DEFINITION,
    },
    apps: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['appId', 'autoLaunch'],
        properties: {
          appId: { type: 'string', maxLength: 64, examples: ['app_01jnye6xw8q2v5n0m4r7ta'] },
          ehrTypes: { type: 'array', maxItems: 100, items: EHR_TYPE },
          autoLaunch: { type: 'boolean' },
          onChartChange: ON_CHART_CHANGE,
        },
      },
    },
  },
} as const

/** The fields that a caller may set; a draft is empty until it is set. */
export const COLLECTION_FIELDS = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: nameLike('Family practices'),
    description: { type: 'string', maxLength: 2000, examples: ['What our practices run.'] },
    draft: COLLECTION_CONTENT,
  },
} as const

export const COLLECTION_BODY = {
  ...COLLECTION_FIELDS,
  required: ['accountId', 'name'],
  properties: {
    accountId: { type: 'string', maxLength: 64, examples: ['acc_01jnye6xw8q2v5n0m4r7ta'] },
    ...COLLECTION_FIELDS.properties,
  },
} as const

export const COLLECTION_PATCH = buildPatchSchema(COLLECTION_FIELDS)

const SUMMARY_FIELDS = {
  id: id('col'),
  accountId: id('acc'),
  name: like('Family practices'),
  description: like('What our practices run.'),
  latestVersion: { type: 'integer', minimum: 0, examples: [3] },
  createdAt: time,
  updatedAt: time,
} as const

export const COLLECTION = titled(
  'Collection',
  closed({ ...SUMMARY_FIELDS, draft: COLLECTION_CONTENT }),
)

/** A list has no drafts: each can have 256 KB. */
export const COLLECTIONS = hidingPageOf(titled('CollectionSummary', closed(SUMMARY_FIELDS)))

export const COLLECTIONS_QUERY = {
  type: 'object',
  properties: {
    ...LIST_QUERY.properties,
    accountId: { type: 'string', maxLength: 256 },
    sort: SORT,
    q: Q,
  },
} as const

const differenceOf = (item: object) => {
  const items = { type: 'array', items: item } as const
  return closed({ added: items, removed: items, changed: items })
}

const COUNT = { type: 'integer', minimum: 0, examples: [4] } as const

const VERSION_SUMMARY_FIELDS = {
  collectionId: id('col'),
  version: number,
  notes: like('Adds Visit Notes on Meadow.'),
  publishedBy: like('usr_01jnye6xw8q2v5n0m4r7ta'),
  publishedAt: time,
  audience: {
    ...orNull(closed({ accounts: COUNT, accountIds: listOf(id('acc')) })),
    description:
      'How many of the accounts that follow the latest version get this one, with the identifiers that you see; null: all.',
  },
  givenAt: { ...time, description: 'When the audience was set.' },
  widening: {
    ...orNull(
      closed({
        at: { ...time, description: 'Not before.' },
        readyPercent: { type: 'integer', minimum: 1, maximum: 100, examples: [98] },
        stopped: {
          ...orNull(closed({ at: time, ready: COUNT, failed: COUNT })),
          description:
            'Too few of its launches became ready, or too few were made in a week: it goes on by hand.',
        },
      }),
    ),
    description: 'It is given to all by itself, while its launches become ready; null: by hand.',
  },
} as const

export const VERSION = titled(
  'CollectionVersion',
  closed({
    ...VERSION_SUMMARY_FIELDS,
    content: COLLECTION_CONTENT,
    changes: closed({
      ehrs: differenceOf(ehrType),
      apps: differenceOf(like('app_01jnye6xw8q2v5n0m4r7ta')),
    }),
  }),
)

export const VERSIONS = pageOf(titled('CollectionVersionSummary', closed(VERSION_SUMMARY_FIELDS)))

const CHOICES = [
  { const: 'all' },
  {
    type: 'object',
    additionalProperties: false,
    required: ['accountIds'],
    properties: {
      accountIds: {
        type: 'array',
        maxItems: MAX_AUDIENCE,
        items: { type: 'string', maxLength: 64, examples: ['acc_01jnye6xw8q2v5n0m4r7ta'] },
      },
    },
  },
  {
    type: 'object',
    additionalProperties: false,
    required: ['share'],
    properties: { share: { type: 'integer', minimum: 1, maximum: 99, examples: [10] } },
  },
] as const

const WHO =
  'Which of the accounts that follow the latest version get it: all, these, or a share of them in percent.'

const WIDEN = {
  type: 'object',
  additionalProperties: false,
  required: ['readyPercent', 'afterHours'],
  properties: {
    readyPercent: { type: 'integer', minimum: 1, maximum: 100, examples: [98] },
    afterHours: { type: 'integer', minimum: 1, maximum: 168, examples: [24] },
  },
  description:
    'Give it to all after these hours, if as many of its launches became ready until then.',
} as const

export const PUBLISH_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    notes: { type: 'string', maxLength: 2000, examples: ['Adds Visit Notes on Meadow.'] },
    audience: { anyOf: CHOICES, examples: ['all'], description: WHO },
    // None: the example gives the version to all at once.
    widen: { ...WIDEN, examples: [] },
  },
} as const

export const AUDIENCE_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['audience'],
  properties: {
    audience: {
      anyOf: [...CHOICES, { const: 'kept' }],
      examples: ['all'],
      description: `${WHO} No account: it is taken back. kept: as it is.`,
    },
    widen: { anyOf: [WIDEN, { type: 'null' }], description: 'null: only by hand.' },
    endSessions: {
      ...flag,
      description: 'Open EHR sessions of the version end where it is not given.',
    },
  },
} as const
