// The shape of every successful answer: what the OpenAPI document shows and what the story tests
// check each answer against. Closed on purpose: a field that is not here must not leave. Contract
// §2 to §5, spec §2.3.
import { EXCHANGES } from '../apps/app.ts'
import { COLLECTION_CONTENT, EHR_DEFINITION } from '../collections/collections-http.ts'
import { ACCOUNT_ROLES } from '../users/user.ts'
import {
  bearer,
  closed,
  deviceId,
  ehrType,
  flag,
  icon,
  id,
  like,
  named,
  number,
  optionalTime,
  orNull,
  pageOf,
  person,
  practice,
  seconds,
  text,
  textsLike,
  time,
} from './payload.ts'

// Accounts, users, apps, collections

export const USER = closed({
  id: id('usr'),
  ...person,
  role: { type: 'string', enum: ['admin', 'member'] },
  memberships: {
    type: 'array',
    items: closed({ account: practice, role: { type: 'string', enum: ACCOUNT_ROLES } }),
  },
  createdAt: time,
  updatedAt: time,
})

const VERSION_CHOICE = { anyOf: [number, { const: 'latest' }] } as const

export const ACCOUNT = closed({
  id: id('acc'),
  name: like('Lakeside Family Practice'),
  collection: orNull(closed({ id: id('col'), version: VERSION_CHOICE })),
  createdAt: time,
  updatedAt: time,
})
export const ACCOUNTS = pageOf(ACCOUNT)

export const APP = closed(
  {
    id: id('app'),
    clientId: {
      type: 'string',
      pattern: '^cli_[0-9a-f]{32}$',
      examples: ['cli_5f0c2d7e9b1a4c68d3e2f1a0b9c8d7e6'],
    },
    accountId: id('acc'),
    name: like('Visit Notes'),
    redirectUris: textsLike('https://notes.example/callback'),
    allowedIframeUrls: textsLike('https://login.example/'),
    exchange: { type: 'string', enum: EXCHANGES },
    requirePkce: flag,
    accessTokenLifetimeSeconds: seconds,
    idTokenLifetimeSeconds: seconds,
    stagingAccess: flag,
    enabled: flag,
    createdAt: time,
    updatedAt: time,
  },
  {
    iconUrl: icon,
    launchUrl: like('https://notes.example/launch'),
    workerLaunchUrl: like('https://notes.example/worker'),
    tokenEndpoint: like('https://notes.example/token'),
  },
)
export const APPS = pageOf(APP)

const SECRET_FIELDS = {
  id: id('sec'),
  label: { type: ['string', 'null'], examples: ['2026, second half'] },
  createdAt: time,
  expiresAt: optionalTime,
  lastUsedAt: optionalTime,
} as const
export const SECRET = closed(SECRET_FIELDS)
export const SECRETS = pageOf(SECRET)
export const NEW_SECRET = closed({ ...SECRET_FIELDS, secret: bearer('cs') })

export const COLLECTION = closed({
  id: id('col'),
  accountId: id('acc'),
  name: like('Family practices'),
  description: like('What our practices run.'),
  draft: COLLECTION_CONTENT,
  latestVersion: { type: 'integer', minimum: 0, examples: [3] },
  createdAt: time,
  updatedAt: time,
})
export const COLLECTIONS = pageOf(COLLECTION)

const differenceOf = (item: object) => {
  const items = { type: 'array', items: item } as const
  return closed({ added: items, removed: items, changed: items })
}

export const VERSION = closed({
  collectionId: id('col'),
  version: number,
  notes: like('Adds Visit Notes on Meadow.'),
  content: COLLECTION_CONTENT,
  changes: closed({
    ehrs: differenceOf(ehrType),
    apps: differenceOf(like('app_01jnye6xw8q2v5n0m4r7ta')),
  }),
  publishedBy: like('usr_01jnye6xw8q2v5n0m4r7ta'),
  publishedAt: time,
})
export const VERSIONS = pageOf(VERSION)

// People

const MEMBER_FIELDS = {
  id: id('usr'),
  ...person,
  role: { type: 'string', enum: ACCOUNT_ROLES },
  state: { type: 'string', enum: ['active', 'invited'] },
  createdAt: time,
} as const
export const MEMBER = closed(MEMBER_FIELDS)
export const MEMBERS = pageOf(MEMBER)
export const INVITED_MEMBER = closed({
  ...MEMBER_FIELDS,
  invitationUrl: {
    ...like('https://chartside.example/auth/invitation?token=…'),
    description: 'For the person; works once.',
  },
  invitationExpiresAt: time,
})

/** For the person; works once. */
export const ONE_TIME_ADDRESS = closed({
  url: like('https://chartside.example/auth/invitation?token=…'),
  expiresAt: time,
})

export const LOGIN_METHOD = closed({
  id: text,
  kind: { type: 'string', enum: ['password', 'passkey', 'oidc'] },
  label: like('Password'),
  createdAt: time,
  lastUsedAt: optionalTime,
})
export const LOGIN_METHODS = pageOf(LOGIN_METHOD)

export const SECOND_FACTOR = closed({ state: { enum: ['off', 'unconfirmed', 'on'] } })
export const NEW_SECOND_FACTOR = closed({
  secret: { type: 'string', description: 'In base32, to type into the app.' },
  uri: { type: 'string', description: 'otpauth://…, as the picture has it.' },
  qrCode: { type: 'string', description: 'SVG.' },
})

// Sign-in, EHR sessions, launches

export const SIGN_IN_CONFIG = closed({
  signInUrl: like('https://chartside.example/auth/sign-in'),
  methods: textsLike('password'),
  identityProvider: orNull(closed({ name: like('Lakeside Health') })),
  sessionIdleSeconds: seconds,
  sessionLifetimeSeconds: seconds,
})
export const SIGNED_IN = closed({
  token: { ...bearer('st'), description: 'Send it as a Bearer token.' },
  expiresAt: time,
  user: closed({ id: id('usr'), ...person }),
})
export const PENDING = closed({ status: { const: 'pending' } })

const KIND = { type: 'string', enum: ['ui', 'worker'] } as const
const SESSION_APP = closed(
  {
    id: id('app'),
    name: like('Visit Notes'),
    kinds: { type: 'array', items: KIND },
    autoLaunch: flag,
  },
  { iconUrl: icon },
)
export const EHR_SESSION = closed({
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
})

export const OPENED_LAUNCH = closed({
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
})

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
export const LAUNCH = closed(
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
)
export const LAUNCHES = pageOf(LAUNCH)

// The service itself

export const LIVE = closed({ status: { const: 'live' }, ready: flag })
export const READY = closed({ status: { const: 'ready' }, ready: { const: true } })

// Audit

export const AUDIT_EVENT = closed(
  {
    id: id('evt'),
    at: time,
    actor: like('usr_01jnye6xw8q2v5n0m4r7ta'),
    action: like('patchApp'),
    target: like('app_01jnye6xw8q2v5n0m4r7ta'),
    accountId: like('acc_01jnye6xw8q2v5n0m4r7ta'),
    ip: like('203.0.113.7'),
    outcome: { type: 'string', enum: ['ok', 'refused'] },
    detail: { type: 'object', additionalProperties: text },
  },
  { launchId: text },
)
export const AUDIT_EVENTS = pageOf(AUDIT_EVENT)

/** What the OpenAPI document calls them. */
export const NAMED_SCHEMAS = {
  User: USER,
  Member: MEMBER,
  LoginMethod: LOGIN_METHOD,
  Account: ACCOUNT,
  App: APP,
  ClientSecret: SECRET,
  Collection: COLLECTION,
  CollectionContent: COLLECTION_CONTENT,
  CollectionVersion: VERSION,
  EhrDefinition: EHR_DEFINITION,
  EhrSession: EHR_SESSION,
  OpenedLaunch: OPENED_LAUNCH,
  Launch: LAUNCH,
  AuditEvent: AUDIT_EVENT,
} as const
