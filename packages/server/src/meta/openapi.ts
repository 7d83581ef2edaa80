// Builds the OpenAPI 3.1 document from the route table, so that it always matches the service: every
// route with its permission, its payloads with examples, and its errors. Pure.
// Contract §4. What the answers refuse with is openapi-errors.ts.
import type { JSONSchema } from 'json-schema-to-ts'
import { PERMISSIONS } from '../kernel/access.ts'
import type { ApiRoute, OAuthRoute, Route } from '../route.ts'
import {
  buildExample,
  buildOAuthExample,
  buildParameterExample,
  buildPathExample,
} from './example.ts'
import { buildErrorAnswers, ERROR_SCHEMAS, listErrorRefs } from './openapi-errors.ts'
import { SECTIONS, sectionOf } from './sections.ts'

export function buildOpenApi(
  routes: readonly Route[],
  baseUrl: string,
): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}').replace('*', '{rest}')
    const operations = paths[path] ?? {}
    paths[path] = operations
    for (const method of route.surface === 'oauth' ? route.methods : [route.method]) {
      operations[method.toLowerCase()] = buildOperation(route, method, routes)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chartside API',
      version: '1.0.0',
      description:
        'App launches and app authentication for electronic health records, and the administration of both. ' +
        'JSON in camelCase, times in RFC 3339. Sign in with POST /auth/sign-in and send the token as a Bearer token. ' +
        'Lists take limit and cursor. Records have an ETag; PATCH is a JSON Merge Patch (RFC 7396) and honours If-Match. ' +
        'Errors are problem details (RFC 9457) with a stable code; a record that the caller may not see is 404.',
    },
    servers: [{ url: baseUrl }],
    tags: SECTIONS.map(({ title, about }) => ({ name: title, description: about })),
    paths,
    components: {
      schemas: { ...namedSchemas(routes), ...ERROR_SCHEMAS },
      responses: { ...buildErrorAnswers(routes), not_modified: { description: 'You have it.' } },
      headers: {
        etag: { description: 'Strong entity tag of the record.', schema: { type: 'string' } },
        location: { description: 'Where the record is.', schema: { type: 'string' } },
      },
      parameters: {
        if_match: {
          name: 'If-Match',
          in: 'header',
          description: 'ETag of the record that you read; 412 when the record has changed since.',
          schema: { type: 'string' },
        },
        if_none_match: {
          name: 'If-None-Match',
          in: 'header',
          description: 'ETag of the copy that you have; 304 when it is current.',
          schema: { type: 'string' },
        },
      },
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'Session token (st_…).' },
        developerKey: { type: 'http', scheme: 'bearer', description: 'Developer key (dk_…).' },
        accessToken: { type: 'http', scheme: 'bearer', description: 'Access token (at_…).' },
        client: { type: 'http', scheme: 'basic', description: 'Client ID and secret.' },
        identityProvider: {
          type: 'http',
          scheme: 'bearer',
          description: 'JWT that the identity provider has signed with a key of its ID tokens.',
        },
      },
    },
  }
}

/** Every schema of the table that has a title, once, by its title. */
export function listTitledSchemas(routes: readonly Route[]): Readonly<Record<string, object>> {
  const found = new Map<string, object>()
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const title = titleOf(part)
    if (title !== undefined) found.set(title, part)
    for (const member of Object.values(part)) visit(member)
  }
  for (const route of routes) {
    visit(route.answers)
    if (route.surface !== 'api') continue
    visit(route.body)
    visit(route.events)
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}

const titleOf = (part: object): string | undefined =>
  'title' in part && typeof part.title === 'string' ? part.title : undefined

const namedSchemas = (routes: readonly Route[]) =>
  Object.fromEntries(
    Object.entries(listTitledSchemas(routes)).map(([name, schema]) => [
      name,
      mapParts(schema, withNames),
    ]),
  )

/** The schema with a reference for each part that has a title. */
function withNames(part: unknown): unknown {
  const name = typeof part === 'object' && part !== null ? titleOf(part) : undefined
  return name === undefined ? mapParts(part, withNames) : { $ref: `#/components/schemas/${name}` }
}

function mapParts(value: unknown, map: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part)]))
}

const SECURITY = {
  anyone: [],
  person: [{ session: [] }],
  client: [{ client: [] }],
  client_or_person: [{ client: [] }, { session: [] }],
  access_token: [{ accessToken: [] }],
  identity_provider: [{ identityProvider: [] }],
} as const satisfies Record<Route['caller'], readonly object[]>

function buildOperation(route: Route, method: string, routes: readonly Route[]): object {
  const isOAuth = route.surface === 'oauth'
  const asQuery = isOAuth ? (method === 'GET' ? route.parameters : undefined) : route.query
  const asBody = isOAuth ? (method === 'POST' ? route.parameters : undefined) : route.body
  const permission = route.surface === 'api' ? route.permission : undefined
  return {
    operationId: operationIdOf(route, method),
    summary: route.summary,
    ...(permission
      ? {
          description: `For ${PERMISSIONS[permission]}.${describeRecentAuth(route)}`,
          'x-permission': permission,
        }
      : {}),
    tags: [sectionOf(route.path)],
    security: [
      ...SECURITY[route.caller],
      ...(route.surface === 'api' && route.takesDeveloperKey ? [{ developerKey: [] }] : []),
    ],
    parameters: [
      ...buildPathParameters(route.path),
      ...buildQuery(asQuery),
      ...preconditions(route),
    ],
    ...(asBody ? { requestBody: buildBody(asBody, typesOf(route, method)) } : {}),
    responses: {
      ...listErrorRefs(route),
      ...Object.fromEntries(
        answersOf(route, method).map(([status, answer]) => [
          status,
          {
            ...buildAnswer(answer, headersOf(route, status, routes)),
            ...buildEvents(route, status),
          },
        ]),
      ),
      ...(isTagged(route) ? { 304: { $ref: '#/components/responses/not_modified' } } : {}),
    },
  }
}

const isForm = (route: Route, method: string) =>
  route.surface === 'oauth' && route.isForm === true && method === 'POST'

export const answersOf = (route: Route, method: string) =>
  Object.entries(route.answers).map(
    ([status, answer]) =>
      [status === '302' && isForm(route, method) ? '303' : status, answer] as const,
  )

/** Returns the operationId, such as `authorizeByPost`: an address of OAuth takes the same by two methods. */
export function operationIdOf(route: Route, method: string): string {
  if (route.surface !== 'oauth' || route.methods.length === 1) return route.operation
  return `${route.operation}By${method[0]}${method.slice(1).toLowerCase()}`
}

const buildPathParameters = (path: string) =>
  [...path.replace('*', ':rest').matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: buildPathExample(path, name),
  }))

function buildQuery(schema: JSONSchema | undefined): object[] {
  if (typeof schema !== 'object') return []
  const required: readonly string[] = schema.required ?? []
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: property,
    example: buildParameterExample(property, name),
  }))
}

/** Returns true for a GET of a record or a list, which can answer 304. */
const isTagged = (route: Route) =>
  route.surface === 'api' &&
  route.caller === 'person' &&
  route.method === 'GET' &&
  typeof route.answers[200] === 'object'

const isConditional = (route: Route) =>
  route.surface === 'api' && route.errors?.includes('precondition_failed') === true

/** Returns sentences, each with a space before it, about the sign-in that a route takes; else nothing. */
export function describeRecentAuth(route: Route): string {
  if (route.surface !== 'api') return ''
  const whole = route.wholePerson ? ' Not with a sign-in at the provider of an account.' : ''
  const { recentAuth } = route
  if (recentAuth === undefined) return whole
  const members =
    recentAuth === 'always'
      ? []
      : Object.entries(recentAuth).map(([name, value]) =>
          value === 'any' ? name : `${name}: ${value}`,
        )
  const when = members.length > 0 ? ` when the body has ${members.join(', ')}` : ''
  return `${whole} Takes a sign-in of the last ten minutes${when}.`
}

const preconditions = (route: Route) => [
  ...(isConditional(route) ? [{ $ref: '#/components/parameters/if_match' }] : []),
  ...(isTagged(route) ? [{ $ref: '#/components/parameters/if_none_match' }] : []),
]

function headersOf(route: Route, status: string, routes: readonly Route[]): object | undefined {
  const etag = { $ref: '#/components/headers/etag' }
  const location = { $ref: '#/components/headers/location' }
  if (status === '200' && (isTagged(route) || isConditional(route))) return { ETag: etag }
  const isShown = routes.some(
    (other) =>
      other.surface === 'api' &&
      other.method === 'GET' &&
      /^\/:\w+$/.test(other.path.slice(route.path.length)) &&
      other.path.startsWith(route.path),
  )
  return status === '201' && isShown ? { ETag: etag, Location: location } : undefined
}

const FORM = 'application/x-www-form-urlencoded'

function typesOf(route: ApiRoute | OAuthRoute | Route, method: string): readonly string[] {
  if (isForm(route, method)) return [FORM]
  if (route.surface === 'oauth') return ['application/json', FORM]
  return method === 'PATCH'
    ? ['application/merge-patch+json', 'application/json']
    : ['application/json']
}

function buildBody(schema: JSONSchema, types: readonly string[]): object {
  const isRequired = typeof schema === 'object' && (schema.required?.length ?? 0) > 0
  const build = types.includes(FORM) ? buildOAuthExample : buildExample
  const content = { schema: withNames(schema), example: build(schema) }
  return {
    required: isRequired,
    content: Object.fromEntries(types.map((type) => [type, content])),
  }
}

/** The table describes answers that are not JSON by text. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  HTML: 'text/html',
  JavaScript: 'text/javascript',
  'Event stream': 'text/event-stream',
}

/** OpenAPI 3.1 cannot describe the events of a stream. */
const buildEvents = (route: Route, status: string) =>
  route.surface === 'api' && route.events && status === '200'
    ? { 'x-events': withNames(route.events) }
    : {}

function buildAnswer(answer: JSONSchema | string, headers: object | undefined): object {
  if (typeof answer !== 'object') {
    const type = MEDIA_TYPES[String(answer)]
    const content = { ...(type ? { content: { [type]: { schema: { type: 'string' } } } } : {}) }
    return { description: String(answer), ...content }
  }
  return {
    description: 'Success',
    ...(headers ? { headers } : {}),
    content: {
      'application/json': { schema: withNames(answer), example: buildExample(answer) },
    },
  }
}
