// Builds one example of a payload from its schema, from the examples of its parts and from default
// values. Pure. A test validates every example with its schema, and the authorization tests send
// them.
import type { JSONSchema } from 'json-schema-to-ts'

/** What a field of this name holds, where its schema has no example. A page that is the last has no next. */
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
        Object.entries(schema.properties ?? {}).map(([key, part]) => [
          key,
          buildExample(part, key),
        ]),
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

const isText = ({ type }: Exclude<JSONSchema, boolean>) => [type].flat().includes('string')
