// Values that fit a JSON schema of the route table, with the identifiers and secrets of the fuzzed
// service as placeholders, such as `{{own.app}}`: world.ts puts the present ones in. So a case is plain
// data that can be printed, shrunk and repeated.
import fc from 'fast-check'
import { ASSERTION_TYPE, KEY_SETS, VARIANTS } from './assertion-values.ts'
import { MARK } from './hostile-values.ts'

export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly pattern?: string
}

/** Mostly of the own account, sometimes of the other tenant, sometimes of none. */
export const idOf = (kind: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(`{{own.${kind}}}`) },
    { weight: 3, arbitrary: fc.constant(`{{foreign.${kind}}}`) },
    { weight: 1, arbitrary: fc.constant(`{{no.${kind}}}`) },
  )

const PKCE = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** What a field of this name means, whichever payload has it. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  accountId: idOf('account'),
  appId: idOf('app'),
  sessionId: idOf('session'),
  q: fc.constantFrom('lake', 'NOTES', '%', '_', '!', "' OR 1=1 --", 'é', '\u0000', ' '),
  cursor: fc.constantFrom('{{own.account}}', '{{own.app}}', '{{foreign.launch}}', 'zzz'),
  limit: fc.constantFrom('1', '2', '50', '200', '201', '0', '000', '999'),
  from: fc.constantFrom('2026-01-01T00:00:00Z', '2026-13-01T00:00:00Z', '+262143-01-01T00:00:00Z'),
  to: fc.constantFrom('2026-12-01T00:00:00Z', '0000-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z'),
  expiresAt: fc.constantFrom(
    '2099-01-01T00:00:00Z',
    '2000-01-01T00:00:00Z',
    '9999-99-99',
    '10000-01-01T00:00:00Z',
  ),
  ehrType: fc.constantFrom('meadow', 'meadow', 'unknown-ehr'),
  email: fc.constantFrom(
    `${MARK}@fuzz.example`,
    '{{own.email}}',
    `${MARK.toUpperCase()}@FUZZ.EXAMPLE`,
  ),
  response_type: fc.constantFrom('code', 'code', 'code', 'token', 'code id_token'),
  client_id: fc.constantFrom('{{own.clientId}}', '{{own.clientId}}', '{{foreign.clientId}}'),
  client_secret: fc.constantFrom('{{own.clientSecret}}', '{{own.clientSecret}}', `cs_${MARK}`),
  client_assertion: fc.constantFrom(
    '{{assertion.right}}',
    ...Object.keys(VARIANTS).map((name) => `{{assertion.${name}}}`),
    `${MARK}.${MARK}.${MARK}`,
    '..',
  ),
  client_assertion_type: fc.constantFrom(ASSERTION_TYPE, ASSERTION_TYPE, MARK),
  keys: fc.constantFrom(...KEY_SETS),
  launch: fc.constantFrom(
    '{{own.launchId}}',
    '{{own.launchId}}',
    `lnch_${MARK}`,
    '{{own.spentLaunchId}}',
  ),
  launch_id: fc.constantFrom('{{own.launchId}}', `lnch_${MARK}`),
  scope: fc.constantFrom(
    'launch openid',
    'openid launch profile email',
    'launch',
    'openid launch admin',
  ),
  redirect_uri: fc.constantFrom(
    '{{own.redirectUri}}',
    '{{own.redirectUri}}',
    `https://${MARK}.example/`,
  ),
  state: fc.constantFrom('{{own.launchId}}:csrf', `${MARK}:+%/ü`, MARK.repeat(300)),
  grant_type: fc.constantFrom(
    'authorization_code',
    'authorization_code',
    'refresh_token',
    'password',
  ),
  code: fc.constantFrom(
    '{{own.code}}',
    '{{own.code}}',
    '{{own.spentCode}}',
    `code_${MARK}`,
    '{{own.totp}}',
    '123456',
  ),
  code_verifier: fc.constantFrom(PKCE, MARK, `${PKCE}é`),
  code_challenge: fc.constantFrom('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', MARK),
  code_challenge_method: fc.constantFrom('S256', 'plain', MARK),
  response_mode: fc.constantFrom('query', 'fragment', 'form_post'),
  prompt: fc.constantFrom('none', 'login', 'consent', 'none login'),
  max_age: fc.constantFrom('0', '1', '10000', '-1', '1e3'),
  token: fc.constantFrom(
    '{{own.accessToken}}',
    '{{own.accessToken}}',
    '{{own.session_token}}',
    `at_${MARK}`,
  ),
  token_type_hint: fc.constantFrom('access_token', 'refresh_token', MARK),
}

/** Identifiers are texts of 64 characters in requests; their examples say of which kind. */
const KIND_OF: Readonly<Record<string, string>> = { acc: 'account', app: 'app', col: 'collection' }

function textOf(schema: Schema): fc.Arbitrary<unknown> {
  const [example] = schema.examples ?? []
  const [, prefix = ''] = /^([a-z]{3})_01jnye/.exec(String(example)) ?? []
  if (KIND_OF[prefix]) return idOf(KIND_OF[prefix])
  const { maxLength = 60, minLength = 0 } = schema
  const plain = [
    `${MARK} text`.slice(0, maxLength).padEnd(minLength, 'x'),
    MARK.repeat(Math.ceil(maxLength / MARK.length)).slice(0, maxLength),
  ]
  const fitting = plain.filter((text) => !schema.pattern || new RegExp(schema.pattern).test(text))
  const all = [...fitting, ...(example === undefined ? [] : [example])]
  return fc.constantFrom(...(all.length > 0 ? all : ['text']))
}

/** A value of this schema, for a field of this name. */
export function fittingValue(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const named = BY_NAME[name]
  if (named && schema.type !== 'object') return named
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => fittingValue(choice)))
  const types = [schema.type ?? 'null'].flat()
  return fc.oneof(...types.map((type) => ofType(schema, String(type))))
}

function ofType(schema: Schema, type: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(fittingValue(schema.items ?? {}), {
        maxLength: Math.min(3, schema.maxItems ?? 3),
      })
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 2 ** 31 } = schema
      return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }))
    }
    case 'boolean':
      return fc.boolean()
    case 'string':
      return textOf(schema)
    default:
      return fc.constant(null)
  }
}

export function objectOf({ properties = {}, required }: Schema): fc.Arbitrary<object> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, fittingValue(part, name)]),
  )
  const requiredKeys = (required ?? []).filter((name) => name in fields)
  const bodies = fc.record(fields, { requiredKeys, noNullPrototype: true })
  return 'client_assertion' in fields ? withOneMethod(bodies) : bodies
}

const METHODS = ['secret', 'secret', 'secret', 'assertion', 'assertion', 'both'] as const

/** Two ways to authenticate are refused before anything else is looked at, so most bodies have one. */
const withOneMethod = (bodies: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<object> =>
  fc.tuple(bodies, fc.constantFrom(...METHODS)).map(([body, method]) => {
    const { client_secret, client_assertion, client_assertion_type, ...others } = body
    if (method === 'both') return body
    return method === 'secret'
      ? { ...others, ...(client_secret === undefined ? {} : { client_secret }) }
      : {
          ...others,
          client_assertion: client_assertion ?? '{{assertion.right}}',
          client_assertion_type: client_assertion_type ?? ASSERTION_TYPE,
        }
  })
