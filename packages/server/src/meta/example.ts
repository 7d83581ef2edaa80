// Builds one example of a payload from its schema, from the examples of its parts and from default
// values. Pure. A test validates every example with its schema, and the authorization tests send
// them.
import type { JSONSchema } from 'json-schema-to-ts'

/** A field of this name holds this, where its schema has no example. The last page has no next. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  response_type: 'code',
  grant_type: 'authorization_code',
  client_id: 'cli_5f0c2d7e9b1a4c68d3e2f1a0b9c8d7e6',
  client_secret: 'cs_01jnye6xw8q2v5n0m4r7taZm9yLXRoaXMtZXhhbXBsZS1vbmx5',
  launch: 'lnch_01jnye6xw8q2v5n0m4r7taZm9yLXRoaXMtZXhhbXBsZS1vbmx5',
  scope: 'launch openid',
  redirect_uri: 'https://notes.example/callback',
  state: 'lnch_01jnye6xw8q2v5n0m4r7taZm9y:csrf',
  nonce: 'n-0S6_WzA2Mj',
  code: 'code_01jnye6xw8q2v5n0m4r7taZm9yLXRoaXMtZXhhbXBsZS1vbmx5',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeKE8EAWxpvCkFRSQVA4',
  code_challenge_method: 'S256',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  token: 'at_01jnye6xw8q2v5n0m4r7taZm9yLXRoaXMtZXhhbXBsZS1vbmx5',
  token_type_hint: 'access_token',
  prompt: 'none',
  password: 'a few words, well chosen',
  totp: '123456',
  nextCursor: null,
  launchId: 'lau_01jnye6xw8q2v5n0m4r7ta',
  kid: '2026-03-01-5f0c2d7e',
  n: 'uGbXWiK3dQTyCbX5xdE4yCuYp0AF2d15Qq1JSXT_lx8CEcXb9RbDddl8jGDv…',
  e: 'AQAB',
  id: 'mth_01jnye6xw8q2v5n0m4r7ta',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Chartside:amara.okafor@lakeside.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  qrCode: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
}

/** A query parameter of this name holds this. */
const OF_QUERY: Readonly<Record<string, string>> = {
  limit: '50',
  cursor: 'lau_01jnye6xw8q2v5n0m4r7ta',
  accountId: 'acc_01jnye6xw8q2v5n0m4r7ta',
  appId: 'app_01jnye6xw8q2v5n0m4r7ta',
  ids: 'app_01jnye6xw8q2v5n0m4r7ta',
  userId: 'usr_01jnye6xw8q2v5n0m4r7ta',
  collectionId: 'col_01jnye6xw8q2v5n0m4r7ta',
  practiceId: 'acc_01jnye6xw8q2v5n0m4r7ta',
  sessionId: 'ses_01jnye6xw8q2v5n0m4r7ta',
  launch_id: 'lnch_01jnye6xw8q2v5n0m4r7taZm9yLXRoaXMtZXhhbXBsZS1vbmx5',
  traceId: '4bf92f3577b34da65f0c2d7e9b1a4c68',
  reason: 'secret_wrong',
  from: '2026-03-01T12:00:00Z',
  to: '2026-03-02T12:00:00Z',
  email: 'amara.okafor@lakeside.example',
  q: 'okafor',
  about: 'app_01jnye6xw8q2v5n0m4r7ta',
  return_to: '/console',
  clientId: String(BY_NAME.client_id),
  response_mode: 'query',
  max_age: '3600',
  aud: 'https://chartside.example/app-auth',
  login_hint: 'amara.okafor@lakeside.example',
  request: 'eyJhbGciOiJub25lIn0.e30.',
  request_uri: 'https://notes.example/request.jwt',
}

/** A query is text, whatever its schema says of the text. */
export function buildParameterExample(schema: JSONSchema, name: string): unknown {
  const isFixed = typeof schema === 'object' && (schema.examples ?? schema.enum) !== undefined
  return isFixed ? buildExample(schema, name) : (OF_QUERY[name] ?? buildExample(schema, name))
}

/** The identifier that stands behind each word of an address. */
const OF_PATH: Readonly<Record<string, string>> = {
  accounts: 'acc_01jnye6xw8q2v5n0m4r7ta',
  apps: 'app_01jnye6xw8q2v5n0m4r7ta',
  'stopped-apps': 'app_01jnye6xw8q2v5n0m4r7ta',
  'stopped-ehrs': 'meadow',
  collections: 'col_01jnye6xw8q2v5n0m4r7ta',
  sessions: 'ses_01jnye6xw8q2v5n0m4r7ta',
  launches: 'lau_01jnye6xw8q2v5n0m4r7ta',
  users: 'usr_01jnye6xw8q2v5n0m4r7ta',
  members: 'usr_01jnye6xw8q2v5n0m4r7ta',
  secrets: 'sec_01jnye6xw8q2v5n0m4r7ta',
  'scim-tokens': 'dir_01jnye6xw8q2v5n0m4r7ta',
  'identity-providers': 'idp_01jnye6xw8q2v5n0m4r7ta',
  domains: 'dom_01jnye6xw8q2v5n0m4r7ta',
  webhooks: 'whk_01jnye6xw8q2v5n0m4r7ta',
  'fault-runs': 'frn_01jnye6xw8q2v5n0m4r7ta',
  versions: '3',
  'developer-keys': 'dky_01jnye6xw8q2v5n0m4r7ta',
  'sign-ins': 'sgn_01jnye6xw8q2v5n0m4r7ta',
  'login-methods': 'mth_01jnye6xw8q2v5n0m4r7ta',
  callback: 'idp_01jnye6xw8q2v5n0m4r7ta',
  revocation: 'idp_01jnye6xw8q2v5n0m4r7ta',
  token: 'a-long-random-session-id',
  sdk: '1.0.0',
  ':version': 'sdk.js',
  console: 'launches',
  docs: 'build/your-app',
  assets: 'console.js',
}

export function buildPathExample(path: string, name: string): string {
  const words = path.replace('*', ':rest').split('/')
  return OF_PATH[words[words.indexOf(`:${name}`) - 1] ?? ''] ?? name
}

export function buildExample(schema: JSONSchema, name = ''): unknown {
  if (typeof schema === 'boolean') return null
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  // A value is a better example than null, which comes first by convention.
  const choice = (schema.anyOf ?? schema.oneOf)?.at(-1)
  if (choice !== undefined) return buildExample(choice)
  if (Object.hasOwn(BY_NAME, name) && isText(schema)) return BY_NAME[name]
  const [type] = [schema.type ?? 'null'].flat()
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .map(([key, part]) => [key, buildExample(part, key)])
          // An empty list of examples: no value fits beside those of the other fields.
          .filter(([, value]) => value !== undefined),
      )
    case 'array':
      return schema.items === undefined
        ? []
        : [schema.items].flat().map((item) => buildExample(item))
    case 'string':
      return schema.format === 'date-time' ? '2026-03-01T12:00:00.000Z' : 'text'
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    default:
      return null
  }
}

/** Builds an OAuth example without parameters that have no example: a client leaves many parameters out. */
export function buildOAuthExample(schema: JSONSchema): unknown {
  const example = buildExample(schema)
  if (typeof example !== 'object' || example === null) return example
  return Object.fromEntries(Object.entries(example).filter(([, value]) => value !== 'text'))
}

const isText = ({ type }: Exclude<JSONSchema, boolean>) => [type].flat().includes('string')
