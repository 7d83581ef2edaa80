// The backend API as a collection that Postman and Bruno import (Postman Collection 2.1): one request for each
// operation of the OpenAPI document, in its sections, with the example body. Address and keys are variables;
// the request that signs in keeps its token in one. Pure.

/** The part of the OpenAPI document that is used here. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { example: unknown }>> }
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: { readonly description?: string }
  readonly example?: string
}

const VARIABLES = {
  baseUrl: 'https://chartside.example',
  sessionToken: '',
  clientId: '',
  clientSecret: '',
  accessToken: '',
  signedJwt: '',
} as const

const use = (name: keyof typeof VARIABLES) => `{{${name}}}`
const pair = (key: string, value: string) => ({ key, value, type: 'string' })
const bearer = (name: keyof typeof VARIABLES) => ({
  type: 'bearer',
  bearer: [pair('token', use(name))],
})

/** The authentication by the name of the security scheme. */
const AUTH: Readonly<Record<string, object>> = {
  session: bearer('sessionToken'),
  accessToken: bearer('accessToken'),
  identityProvider: bearer('signedJwt'),
  client: {
    type: 'basic',
    basic: [pair('username', use('clientId')), pair('password', use('clientSecret'))],
  },
}

/** A body that authenticates the client takes it from the same variables. */
const IN_BODY = { client_id: use('clientId'), client_secret: use('clientSecret') } as const

const KEEP_TOKEN = [
  'if (pm.response.code === 200) pm.collectionVariables.set("sessionToken", pm.response.json().token)',
]

export function buildCollection(document: ApiDocument): object {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const folders = document.tags.map(({ name, description }) => ({
    name,
    description,
    item: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => buildItem(document, path, method, operation)),
  }))
  const { title, description } = document.info
  return {
    info: {
      name: title,
      description: `${description}\n\nSet baseUrl, then send “Sign in with a password”: it keeps the token for the other requests.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: AUTH.session,
    variable: Object.entries(VARIABLES).map(([key, value]) => pair(key, value)),
    item: folders.filter(({ item }) => item.length > 0),
  }
}

function buildItem(
  { components }: ApiDocument,
  path: string,
  method: string,
  operation: Operation,
): object {
  const parameters = operation.parameters.map((parameter) =>
    '$ref' in parameter ? referenced(components.parameters, parameter.$ref) : parameter,
  )
  const listed = (place: Parameter['in']) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, description, schema, example = '' }) => ({
        key: name,
        value: example,
        description: description ?? schema.description ?? '',
        ...(required ? {} : { disabled: true }),
      }))
  const [scheme] = operation.security.flatMap((one) => Object.keys(one))
  const { header, body } = buildBody(operation)
  const request = {
    method: method.toUpperCase(),
    description: operation.description ?? '',
    auth: scheme ? AUTH[scheme] : { type: 'noauth' },
    header: [...header, ...listed('header')],
    url: buildUrl(path, listed('query'), listed('path')),
    ...body,
  }
  const isSignIn = operation.operationId === 'signIn'
  return {
    name: operation.summary.replace(/\.$/, ''),
    ...(isSignIn ? { event: [{ listen: 'test', script: { exec: KEEP_TOKEN } }] } : {}),
    request,
  }
}

function referenced(all: Readonly<Record<string, Parameter>>, ref: string): Parameter {
  const parameter = all[ref.replace('#/components/parameters/', '')]
  if (!parameter) throw new Error(`${ref} is not in the document.`)
  return parameter
}

/** `/api/apps/{id}` is `/api/apps/:id`, whose value is a path variable. */
function buildUrl(path: string, query: readonly object[], variable: readonly object[]): object {
  const written = path.replace(/\{(\w+)\}/g, ':$1')
  return {
    raw: `${use('baseUrl')}${written}`,
    host: [use('baseUrl')],
    path: written.split('/').slice(1),
    query,
    variable,
  }
}

function buildBody({ requestBody }: Operation) {
  const [found] = Object.entries(requestBody?.content ?? {})
  if (!found) return { header: [], body: {} }
  const [type, { example }] = found
  const header = [{ key: 'content-type', value: type }]
  const fields = { ...(example as object) }
  for (const [name, value] of Object.entries(IN_BODY)) {
    if (name in fields) Object.assign(fields, { [name]: value })
  }
  if (type.endsWith('json')) {
    const raw = JSON.stringify(fields, null, 2)
    return { header, body: { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } } }
  }
  const urlencoded = Object.entries(fields).map(([key, value]) => pair(key, String(value)))
  return { header, body: { body: { mode: 'urlencoded', urlencoded } } }
}
