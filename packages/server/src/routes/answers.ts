// The shape of every successful answer: what the OpenAPI document shows and what the story tests
// check each answer against. Closed on purpose: a field that is not here must not leave. Contract
// §2 to §5, spec §2.3.
import { EXCHANGES } from '../apps/app.ts'
import { COLLECTION_CONTENT, EHR_DEFINITION } from '../collections/collections-http.ts'
import { ACCOUNT_ROLES } from '../users/user.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const integer = { type: 'integer' } as const
const seconds = { type: 'integer', minimum: 1 } as const
const time = { type: 'string', format: 'date-time' } as const
const optionalTime = { type: ['string', 'null'], format: 'date-time' } as const
const texts = { type: 'array', items: text } as const

type Fields = Readonly<Record<string, object>>

/** An object with exactly these fields; the optional ones may be missing. */
function closed<F extends Fields, O extends Fields = Record<never, never>>(
  fields: F,
  optional?: O,
) {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(fields),
    properties: { ...fields, ...optional },
  } as const
}

const pageOf = (items: object) =>
  closed({ items: { type: 'array', items }, nextCursor: { type: ['string', 'null'] } })

const named = closed({ id: text, name: text })

// Accounts, users, apps, collections

export const USER = closed({
  id: text,
  email: text,
  name: text,
  role: { enum: ['admin', 'member'] },
  memberships: {
    type: 'array',
    items: closed({ account: named, role: { enum: ACCOUNT_ROLES } }),
  },
  createdAt: time,
  updatedAt: time,
})

const VERSION_CHOICE = { anyOf: [seconds, { const: 'latest' }] } as const

export const ACCOUNT = closed({
  id: text,
  name: text,
  collection: { anyOf: [{ type: 'null' }, closed({ id: text, version: VERSION_CHOICE })] },
  createdAt: time,
  updatedAt: time,
})
export const ACCOUNTS = pageOf(ACCOUNT)

export const APP = closed(
  {
    id: text,
    clientId: { type: 'string', pattern: '^cli_[0-9a-f]{32}$' },
    accountId: text,
    name: text,
    redirectUris: texts,
    allowedIframeUrls: texts,
    exchange: { enum: EXCHANGES },
    requirePkce: flag,
    accessTokenLifetimeSeconds: seconds,
    idTokenLifetimeSeconds: seconds,
    stagingAccess: flag,
    enabled: flag,
    createdAt: time,
    updatedAt: time,
  },
  { iconUrl: text, launchUrl: text, workerLaunchUrl: text, tokenEndpoint: text },
)
export const APPS = pageOf(APP)

const SECRET_FIELDS = {
  id: text,
  label: { type: ['string', 'null'] },
  createdAt: time,
  expiresAt: optionalTime,
  lastUsedAt: optionalTime,
} as const
export const SECRETS = pageOf(closed(SECRET_FIELDS))
export const NEW_SECRET = closed({ ...SECRET_FIELDS, secret: { type: 'string', pattern: '^cs_' } })

export const COLLECTION = closed({
  id: text,
  accountId: text,
  name: text,
  description: text,
  draft: COLLECTION_CONTENT,
  latestVersion: { type: 'integer', minimum: 0 },
  createdAt: time,
  updatedAt: time,
})
export const COLLECTIONS = pageOf(COLLECTION)

const DIFFERENCE = closed({ added: texts, removed: texts, changed: texts })

export const VERSION = closed({
  collectionId: text,
  version: seconds,
  notes: text,
  content: COLLECTION_CONTENT,
  changes: closed({ ehrs: DIFFERENCE, apps: DIFFERENCE }),
  publishedBy: text,
  publishedAt: time,
})
export const VERSIONS = pageOf(VERSION)

// People

const MEMBER_FIELDS = {
  id: text,
  email: text,
  name: text,
  role: { enum: ACCOUNT_ROLES },
  state: { enum: ['active', 'invited'] },
  createdAt: time,
} as const
export const MEMBER = closed(MEMBER_FIELDS)
export const MEMBERS = pageOf(MEMBER)
export const INVITED_MEMBER = closed({
  ...MEMBER_FIELDS,
  invitationUrl: { type: 'string', description: 'For the person; works once.' },
  invitationExpiresAt: time,
})

/** For the person; works once. */
export const ONE_TIME_ADDRESS = closed({ url: text, expiresAt: time })

export const LOGIN_METHODS = pageOf(
  closed({
    id: text,
    kind: { enum: ['password', 'passkey', 'oidc'] },
    label: text,
    createdAt: time,
    lastUsedAt: optionalTime,
  }),
)

// Sign-in, EHR sessions, launches

export const SIGN_IN_CONFIG = closed({
  signInUrl: text,
  methods: texts,
  identityProvider: { anyOf: [{ type: 'null' }, closed({ name: text })] },
  sessionIdleSeconds: seconds,
  sessionLifetimeSeconds: seconds,
})
export const SIGNED_IN = closed({
  token: { type: 'string', pattern: '^st_', description: 'Send it as a Bearer token.' },
  expiresAt: time,
  user: closed({ id: text, email: text, name: text }),
})
export const PENDING = closed({ status: { const: 'pending' } })

const KIND = { enum: ['ui', 'worker'] } as const
const SESSION_APP = closed(
  { id: text, name: text, kinds: { type: 'array', items: KIND }, autoLaunch: flag },
  { iconUrl: text },
)
export const EHR_SESSION = closed({
  id: text,
  userId: text,
  account: named,
  ehrType: text,
  deviceId: text,
  state: { enum: ['live', 'ended'] },
  collection: { anyOf: [{ type: 'null' }, closed({ id: text, version: seconds })] },
  ehr: { anyOf: [{ type: 'null' }, EHR_DEFINITION] },
  apps: { type: 'array', items: SESSION_APP },
  createdAt: time,
})

export const OPENED_LAUNCH = closed({
  id: text,
  launchId: { type: 'string', pattern: '^lnch_[A-Za-z0-9_-]{43,}$' },
  launchUrl: text,
  expiresAt: time,
  app: closed({ id: text, name: text, origins: texts }, { iconUrl: text, tokenEndpoint: text }),
  seed: closed({ userId: text, account: named, ehrType: text, sessionId: text, deviceId: text }),
})

const STEP = closed(
  { step: text, at: time, outcome: { enum: ['ok', 'failed'] } },
  { code: text, reason: text, cause: text, fix: text, traceId: text },
)
export const LAUNCH = closed(
  {
    id: text,
    app: named,
    kind: KIND,
    account: named,
    userId: text,
    sessionId: text,
    state: { enum: ['opened', 'authorized', 'exchanged', 'ended', 'expired'] },
    createdAt: time,
    expiresAt: time,
    steps: { type: 'array', items: STEP },
  },
  { tokenExpiresAt: time },
)
export const LAUNCHES = pageOf(LAUNCH)

// App authentication

/** Spec §2.3, RFC 6749 5.1. */
export const TOKENS = closed({
  access_token: { type: 'string', pattern: '^at_' },
  id_token: { type: 'string', description: 'JWT signed with RS256.' },
  token_type: { const: 'Bearer' },
  expires_in: { ...seconds, description: 'Seconds.' },
  scope: text,
})

const LAUNCH_CLAIMS = { sid: text, account: named, ehr_type: text, device_id: text } as const

export const CLAIMS = closed(
  { sub: text, ...LAUNCH_CLAIMS },
  { launch_id: text, name: text, email: text },
)

export const TOKEN_STATE = {
  oneOf: [
    closed({ active: { const: false } }),
    closed(
      {
        active: { const: true },
        token_type: { const: 'Bearer' },
        scope: text,
        client_id: text,
        iss: text,
        sub: text,
        iat: integer,
        exp: integer,
        ...LAUNCH_CLAIMS,
      },
      { launch_id: text },
    ),
  ],
} as const

const RSA_KEY = closed({
  kty: { const: 'RSA' },
  n: text,
  e: text,
  kid: text,
  use: { const: 'sig' },
  alg: { const: 'RS256' },
})
export const KEY_SET = closed({ keys: { type: 'array', minItems: 1, items: RSA_KEY } })

export const SDK_MANIFEST = closed({
  version: text,
  url: text,
  moduleUrl: text,
  integrity: text,
  moduleIntegrity: text,
})

// The service itself

export const LIVE = closed({ status: { const: 'live' }, ready: flag })
export const READY = closed({ status: { const: 'ready' }, ready: { const: true } })

// Audit

export const AUDIT_EVENT = closed(
  {
    id: text,
    at: time,
    actor: text,
    action: text,
    target: text,
    accountId: text,
    ip: text,
    outcome: { enum: ['ok', 'refused'] },
    detail: { type: 'object', additionalProperties: text },
  },
  { launchId: text },
)
export const AUDIT_EVENTS = pageOf(AUDIT_EVENT)
