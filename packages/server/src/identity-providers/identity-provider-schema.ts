// The schemas of the payloads of identity providers, requests and responses. The check of requests, the
// types of the handlers and the OpenAPI document come from them.
import { buildPatchSchema } from '../http/input/merge-patch.ts'
import { closed, flag, id, like, nameLike, pageOf, time, titled } from '../http/payload.ts'
import { PROVIDER_FINDINGS } from './provider-check.ts'

const EXAMPLE = 'https://login.lakeside.example'
const authorizeParams = {
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 500 },
  propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,39}$' },
  maxProperties: 8,
  examples: [{ prompt: 'select_account' }],
} as const

export const IDENTITY_PROVIDER = titled(
  'IdentityProvider',
  closed({
    id: id('idp'),
    name: like('Lakeside Entra ID'),
    issuer: like(EXAMPLE),
    clientId: like('0f6a2c1e-7d7b-4f0e-9a57-5d2b1c1b8a10'),
    hasClientSecret: { ...flag, description: 'The secret itself is never shown.' },
    scopes: like('openid email profile'),
    authorizeParams,
    required: {
      type: 'boolean',
      examples: [false],
      description: 'EHR sessions and API of the account are reached by a sign-in at it only.',
    },
    redirectUri: {
      ...like('https://chartside.example/auth/callback/idp_01jnye6xw8q2v5n0m4r7ta'),
      description: 'Register exactly this address at the provider.',
    },
    revocationUri: {
      ...like('https://chartside.example/auth/revocation/idp_01jnye6xw8q2v5n0m4r7ta'),
      description:
        'Where the provider ends the sign-ins of a person (Global Token Revocation, Universal Logout of Okta).',
    },
    createdAt: time,
    updatedAt: time,
  }),
)

export const IDENTITY_PROVIDERS = pageOf(IDENTITY_PROVIDER)

const visible = <N extends number, E extends string>(maxLength: N, example: E) =>
  ({
    type: 'string',
    minLength: 1,
    maxLength,
    pattern: '^[\\x21-\\x7e]+$',
    examples: [example],
  }) as const

const KEPT = {
  name: nameLike('Lakeside Entra ID'),
  issuer: visible(500, EXAMPLE),
  clientId: visible(200, '0f6a2c1e-7d7b-4f0e-9a57-5d2b1c1b8a10'),
  scopes: {
    type: 'string',
    maxLength: 200,
    pattern: '^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$',
    examples: ['openid email profile'],
  },
  authorizeParams,
  required: { type: 'boolean', examples: [false] },
} as const

const REQUIRED = ['name', 'issuer', 'clientId'] as const

/** The record after a change has these fields; the secret is apart, because no record shows it. */
export const PROVIDER_FIELDS = {
  type: 'object',
  additionalProperties: false,
  required: REQUIRED,
  properties: KEPT,
} as const

export const PROVIDER_BODY = {
  ...PROVIDER_FIELDS,
  properties: {
    ...KEPT,
    clientSecret: {
      ...visible(500, 'a-secret-of-the-provider'),
      // RFC 6749 A.2, without the spaces around it that come from copying.
      pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
      description: 'Stored sealed. Without one the provider must take a public client with PKCE.',
    },
  },
} as const

export const PROVIDER_PATCH = buildPatchSchema(PROVIDER_BODY)

export const PROVIDER_CHECK = titled(
  'IdentityProviderCheck',
  closed(
    {
      code: { type: 'string', enum: PROVIDER_FINDINGS },
      cause: like('The document names another issuer: https://login.example'),
      checkedAt: time,
    },
    { fix: like('Enter exactly this issuer, if it is yours. A slash at the end counts.') },
  ),
)
