// The shape of what OAuth endpoints and the SDK's manifest answer, closed as in answers.ts. Field
// names are those of the standards. Spec §2.3, contract §2 and §5.
import {
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
  text,
} from './payload.ts'

/** Spec §2.3, RFC 6749 5.1. */
export const TOKENS = closed({
  access_token: bearer('at'),
  id_token: { ...like('eyJhbGciOiJSUzI1NiIsImtpZCI6…'), description: 'JWT signed with RS256.' },
  token_type: { const: 'Bearer' },
  expires_in: { ...seconds, description: 'Seconds.' },
  scope: like('launch openid'),
})

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
  version: like('1.0.0'),
  url: like('https://chartside.example/sdk/1.0.0-5f0c2d7e9b1a/sdk.js'),
  moduleUrl: like('https://chartside.example/sdk/1.0.0-5f0c2d7e9b1a/sdk.mjs'),
  integrity: like('sha384-…'),
  moduleIntegrity: like('sha384-…'),
})
