// The schemas of the payloads of apps, requests and responses. The check of requests, the
// types of the handlers and the OpenAPI document come from them.
import type { JSONSchema } from 'json-schema-to-ts'
import { buildPatchSchema } from '../http/input/merge-patch.ts'
import { LIST_QUERY, Q, SORT } from '../http/input/pagination.ts'
import {
  closed,
  flag,
  hidingPageOf,
  icon,
  id,
  like,
  nameLike,
  oneOf,
  reason,
  seconds,
  textsLike,
  time,
  titled,
} from '../http/payload.ts'
import { SIGNING_ALGORITHMS } from '../keys/signing-key.ts'
import { DISABLED_BY, EXCHANGES, LAUNCH_STYLES } from './app.ts'
import { ASSERTION_ALGORITHMS } from './app-key.ts'

/** The public members only (RFC 7518 6.2.1 and 6.3.1). */
const KEY_MEMBERS = {
  n: like(
    'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDpre',
  ),
  e: like('AQAB'),
  crv: like('P-256'),
  x: like('MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4'),
  y: like('4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM'),
} as const

const KEY_KINDS = ['RSA', 'EC'] as const

export const APP_KEYS = titled(
  'AppKeys',
  closed({
    keys: {
      type: 'array',
      items: titled(
        'AppKey',
        closed(
          {
            kty: oneOf(...KEY_KINDS),
            kid: like('notes-2026-11'),
            alg: oneOf(...ASSERTION_ALGORITHMS),
            use: { const: 'sig' },
          },
          KEY_MEMBERS,
        ),
      ),
    },
  }),
)

/** The member `by` is present where the reader may know it. */
export const DISABLED = closed(
  { at: time },
  {
    by: closed({ id: id('usr'), name: like('Dana Reyes') }),
    reason: like('Writes wrong units.'),
  },
)

export const APP = titled(
  'App',
  closed(
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
      idTokenSignedResponseAlg: oneOf(...SIGNING_ALGORITHMS),
      stagingAccess: flag,
      enabled: flag,
      createdAt: time,
      updatedAt: time,
    },
    {
      iconUrl: icon,
      launchUrl: like('https://notes.example/launch'),
      workerLaunchUrl: like('https://notes.example/worker'),
      jwks: {
        ...APP_KEYS,
        description: 'Public keys with which the app authenticates (private_key_jwt).',
      },
      tokenEndpoint: like('https://notes.example/token'),
      backchannelLogoutUri: {
        ...like('https://notes.example/backchannel-logout'),
        description: 'Where the server of the app takes logout tokens.',
      },
      launchStyle: {
        ...oneOf(...LAUNCH_STYLES),
        description: 'smart: launched as SMART App Launch has it, without the SDK.',
      },
      disabledBy: {
        ...oneOf(...DISABLED_BY),
        description:
          'Present while the app is disabled. Only the platform enables what it disabled.',
      },
      disabled: {
        ...DISABLED,
        description: 'When the app was disabled, why, and by whom, where the reader may know it.',
      },
    },
  ),
)

export const APPS = hidingPageOf(APP)

/** Names of one page of records need no more. */
export const MAX_IDS = 100

export const APPS_QUERY = {
  type: 'object',
  properties: {
    ...LIST_QUERY.properties,
    accountId: { type: 'string', maxLength: 256 },
    clientId: { type: 'string', maxLength: 256 },
    sort: SORT,
    q: Q,
    ids: {
      type: 'string',
      maxLength: 3000,
      description: `Those of these identifiers, with commas between them; at most ${MAX_IDS}.`,
    },
  },
} as const

const url = (example: string) => ({ type: 'string', maxLength: 2048, examples: [example] }) as const
/** A platform maximum below this one binds too. */
const lifetimeSeconds = { type: 'integer', minimum: 1, maximum: 86_400, examples: [900] } as const

/** Members that are not for a public signing key are refused by name, or not kept. */
const SENT_KEY = {
  type: 'object',
  required: ['kty', 'kid'],
  properties: {
    kty: { type: 'string', enum: KEY_KINDS, examples: ['EC'] },
    kid: { type: 'string', maxLength: 128, examples: ['notes-2026-11'] },
    alg: { type: 'string', maxLength: 16, examples: ['ES256'] },
    use: { type: 'string', maxLength: 16, examples: ['sig'] },
    n: { type: 'string', maxLength: 1024 },
    e: { type: 'string', maxLength: 16 },
    crv: { type: 'string', maxLength: 16, examples: ['P-256'] },
    x: { type: 'string', maxLength: 128, examples: KEY_MEMBERS.x.examples },
    y: { type: 'string', maxLength: 128, examples: KEY_MEMBERS.y.examples },
  },
} as const

/** The settings of an app. Only the name is required; null takes another one back to its default. */
export const APP_FIELDS = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: nameLike('Visit Notes'),
    iconUrl: url('https://notes.example/icon.svg'),
    launchUrl: url('https://notes.example/launch'),
    workerLaunchUrl: url('https://notes.example/worker'),
    redirectUris: { type: 'array', maxItems: 50, items: url('https://notes.example/callback') },
    tokenEndpoint: url('https://notes.example/token'),
    backchannelLogoutUri: url('https://notes.example/backchannel-logout'),
    allowedIframeUrls: { type: 'array', maxItems: 50, items: url('https://login.example/') },
    // As the example has a token endpoint.
    exchange: { type: 'string', enum: EXCHANGES, examples: ['token_endpoint'] },
    launchStyle: { type: 'string', enum: LAUNCH_STYLES, examples: [] },
    requirePkce: { type: 'boolean' },
    jwks: {
      type: 'object',
      additionalProperties: false,
      required: ['keys'],
      properties: { keys: { type: 'array', minItems: 1, maxItems: 10, items: SENT_KEY } },
    },
    accessTokenLifetimeSeconds: lifetimeSeconds,
    idTokenLifetimeSeconds: lifetimeSeconds,
    idTokenSignedResponseAlg: { type: 'string', enum: SIGNING_ALGORITHMS, examples: ['RS256'] },
    stagingAccess: { type: 'boolean' },
    enabled: flag,
  },
} as const

export const APP_BODY = {
  ...APP_FIELDS,
  required: ['accountId', 'name'],
  properties: {
    accountId: { type: 'string', maxLength: 64, examples: ['acc_01jnye6xw8q2v5n0m4r7ta'] },
    ...APP_FIELDS.properties,
  },
} as const

/** The reason why the app is switched off, or changed, is kept in the audit trail, and with an app that is off. */
export const APP_PATCH = withReason(buildPatchSchema(APP_FIELDS))

function withReason(schema: JSONSchema): JSONSchema {
  if (typeof schema === 'boolean') return schema
  return { ...schema, properties: { ...schema.properties, reason } }
}
