// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.
import { closed, flag, like, textsLike } from '../http/payload.ts'

export const LIVE = closed({ status: { const: 'live' }, ready: flag })

export const READY = closed(
  { status: { const: 'ready' }, ready: { const: true } },
  {
    degraded: {
      ...like('CHARTSIDE_HOST_ORIGINS is empty: no extension can open apps.'),
      description: 'What does not work although the node serves. No reason to take it out.',
    },
  },
)

export const NOT_READY = closed({
  status: { const: 'not ready' },
  ready: { const: false },
  cause: like('The database cannot be reached.'),
})

const KID = like('mvVg9QxKhFgHxYbtEIFpWAEzoIMeGpVi4U8nLHv7HJM')

const RSA_KEY = closed({
  kty: { const: 'RSA' },
  n: like('sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzew…'),
  e: like('AQAB'),
  kid: KID,
  use: { const: 'sig' },
  alg: { const: 'RS256' },
})

/** The key is published once an app has registered ES256. */
const P256_KEY = closed({
  kty: { const: 'EC' },
  crv: { const: 'P-256' },
  x: like('MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4'),
  y: like('4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM'),
  kid: KID,
  use: { const: 'sig' },
  alg: { const: 'ES256' },
})

export const KEY_SET = closed({
  keys: { type: 'array', minItems: 1, items: { anyOf: [RSA_KEY, P256_KEY] } },
})

export const SDK_MANIFEST = closed({
  version: like('1.0.0'),
  url: like('https://chartside.example/sdk/1.0.0-5f0c2d7e9b1a/sdk.js'),
  moduleUrl: like('https://chartside.example/sdk/1.0.0-5f0c2d7e9b1a/sdk.mjs'),
  integrity: like('sha384-…'),
  moduleIntegrity: like('sha384-…'),
  hostOrigins: {
    ...textsLike('chrome-extension://abcdefghijklmnopabcdefghijklmnop'),
    description: 'The origins that may frame an app. The script answers no other.',
  },
})

/** The document is OpenAPI 3.1; its own schema is the standard's. */
export const OPENAPI_DOCUMENT = { type: 'object', description: 'OpenAPI 3.1' } as const
