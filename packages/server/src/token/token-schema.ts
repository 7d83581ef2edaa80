// The schemas of the payloads of codes and tokens, requests and responses. The check of requests, the
// types of the handlers and the OpenAPI document come from them.
import {
  atMost,
  bearer,
  closed,
  deviceId,
  ehrType,
  id,
  integer,
  like,
  person,
  practice,
  seconds,
} from '../http/payload.ts'

/** The response of spec §2.3 and RFC 6749 5.1. */
export const TOKENS = closed(
  {
    access_token: bearer('at'),
    token_type: { const: 'Bearer' },
    expires_in: { ...seconds, description: 'Seconds.' },
    scope: like('launch openid'),
  },
  {
    id_token: {
      ...like('eyJhbGciOiJSUzI1NiIsImtpZCI6…'),
      description:
        'JWT signed with RS256, or with ES256 if the app registered it. Only an app of launch style smart can do without it.',
    },
    tenant: { ...id('acc'), description: 'For an app of launch style smart: the account.' },
    need_patient_banner: {
      const: true,
      description: 'For an app of launch style smart: the page shows whose chart it is about.',
    },
  },
)

const LAUNCH_CLAIMS = {
  sid: id('ses'),
  account: practice,
  ehr_type: ehrType,
  device_id: deviceId,
} as const

export const CLAIMS = closed(
  { sub: id('usr'), ...LAUNCH_CLAIMS },
  { launch_id: bearer('lnch'), ...person, email_verified: { type: 'boolean', examples: [false] } },
)

export const TOKEN_STATE = {
  oneOf: [
    closed({ active: { const: false } }),
    closed(
      {
        active: { const: true },
        token_type: { const: 'Bearer' },
        scope: like('launch openid'),
        client_id: like('cli_5f0c2d7e9b1a4c68d3e2f1a0b9c8d7e6'),
        iss: like('https://chartside.example/app-auth'),
        sub: id('usr'),
        iat: integer,
        exp: integer,
        ...LAUNCH_CLAIMS,
      },
      { launch_id: bearer('lnch') },
    ),
  ],
} as const

/** The members of RFC 7521 4.2. An assertion with a key of 4096 bits has about 1,200 characters. */
const ASSERTION = { client_assertion_type: atMost(128), client_assertion: atMost(4096) } as const

export const PRESENTED_TOKEN = {
  type: 'object',
  required: ['token'],
  properties: {
    token: atMost(4096),
    token_type_hint: atMost(64),
    client_id: atMost(128),
    client_secret: atMost(512),
    ...ASSERTION,
  },
} as const

/** The parameters of an exchange; all others are ignored. */
export const TOKEN_PARAMETERS = {
  type: 'object',
  required: ['grant_type', 'code'],
  properties: {
    grant_type: atMost(128),
    code: atMost(256),
    client_id: atMost(128),
    client_secret: atMost(512),
    ...ASSERTION,
    redirect_uri: atMost(2048),
    code_verifier: atMost(2048),
  },
} as const
