// Builds the OpenAPI 3.1 document from the route table, so that it cannot say anything else than
// what runs. Pure. Contract §4.
import type { JSONSchema } from 'json-schema-to-ts'
import type { Route } from '../http/route.ts'

const COUNTRY = {
  type: ['string', 'null'],
  description: 'With region_not_allowed: the country seen, null when it is not known.',
} as const

export const ERROR_SCHEMAS = {
  Problem: {
    type: 'object',
    description: 'RFC 9457 problem details.',
    required: ['type', 'title', 'status', 'detail', 'code', 'traceId'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string' },
      traceId: { type: 'string' },
      country: COUNTRY,
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['field', 'message'],
          properties: { field: { type: 'string' }, message: { type: 'string' } },
        },
      },
    },
  },
  OAuthError: {
    type: 'object',
    description: 'RFC 6749 5.2, with the trace id of the log line.',
    required: ['error', 'error_description', 'trace_id'],
    properties: {
      error: { type: 'string' },
      error_description: { type: 'string' },
      trace_id: { type: 'string' },
      country: COUNTRY,
    },
  },
} as const

export function buildOpenApi(routes: readonly Route[], baseUrl: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const methods = route.surface === 'oauth' ? route.methods : [route.method]
    for (const method of methods) {
      const operations = paths[path] ?? {}
      paths[path] = operations
      operations[method.toLowerCase()] = buildOperation(route, method)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'the backend API', version: '1.0.0' },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas: ERROR_SCHEMAS,
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'Session token (st_…).' },
        accessToken: { type: 'http', scheme: 'bearer', description: 'Access token (at_…).' },
        client: { type: 'http', scheme: 'basic', description: 'Client ID and secret.' },
      },
    },
  }
}

const SECURITY = {
  anyone: [],
  person: [{ session: [] }],
  client: [{ client: [] }],
  client_or_person: [{ client: [] }, { session: [] }],
  access_token: [{ accessToken: [] }],
} as const satisfies Record<Route['caller'], readonly object[]>

function buildOperation(route: Route, method: string): object {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const isOAuth = route.surface === 'oauth'
  const asQuery = isOAuth ? (method === 'GET' ? route.parameters : undefined) : route.query
  const asBody = isOAuth ? (method === 'POST' ? route.parameters : undefined) : route.body
  const bodyTypes = isOAuth
    ? ['application/json', 'application/x-www-form-urlencoded']
    : ['application/json']
  return {
    operationId:
      isOAuth && route.methods.length > 1 ? `${route.operation}${method}` : route.operation,
    summary: route.summary,
    tags: [route.path.split('/')[1] ?? ''],
    security: SECURITY[route.caller],
    parameters: [...inPath, ...buildQuery(asQuery)],
    ...(asBody
      ? {
          requestBody: {
            required: true,
            content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: asBody }])),
          },
        }
      : {}),
    responses: buildResponses(route),
  }
}

function buildQuery(schema: JSONSchema | undefined): object[] {
  if (typeof schema !== 'object') return []
  const required: readonly string[] = schema.required ?? []
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: property,
  }))
}

function buildResponses(route: Route): object {
  const answers = Object.entries(route.answers).map(([status, answer]) => [
    status,
    typeof answer === 'string'
      ? { description: answer }
      : { description: 'Success', content: { 'application/json': { schema: answer } } },
  ])
  const [type, name] =
    route.surface === 'oauth'
      ? (['application/json', 'OAuthError'] as const)
      : (['application/problem+json', 'Problem'] as const)
  const refusal = (description: string) => ({
    description,
    content: { [type]: { schema: { $ref: `#/components/schemas/${name}` } } },
  })
  return {
    ...Object.fromEntries(answers),
    ...(route.regions === 'allowed'
      ? { 403: refusal('Refused; region_not_allowed: the caller is in no allowed region.') }
      : {}),
    default: refusal('Refused; the code says why.'),
  }
}
