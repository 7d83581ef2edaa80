// Checks every answer that a story gets against what the route table says of it: the status is one
// of the route's own or an error, the body fits its schema, errors have the shape of their surface.
// So the OpenAPI document, which is made from the same table, cannot promise anything else.
import assert from 'node:assert/strict'
import { Ajv, type ValidateFunction } from 'ajv'
import type { LightMyRequestResponse } from 'fastify'
import { ERROR_SCHEMAS } from '../src/meta/openapi-errors.ts'
import type { Route } from '../src/route.ts'
import { listErrorCodes } from '../src/route-errors.ts'
import { ROUTES } from '../src/routes.ts'
import { oauthAddresses } from '../src/surfaces/unknown-addresses.ts'

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strict: false }).addFormat(
  'name',
  true,
)
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const compiled = new Map<object, ValidateFunction>()

const isOAuthPath = oauthAddresses(ROUTES)

function assertFits(schema: object, body: unknown, what: string): void {
  const check = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, check)
  assert.ok(check(body), `${what}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(body)}`)
}

const patterns = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
}))

function findRoute(method: string, url: string): Route | undefined {
  const path = url.split('?')[0] ?? ''
  const matching = patterns.filter(
    ({ route, pattern }) =>
      pattern.test(path) &&
      (route.surface === 'oauth'
        ? (route.methods as readonly string[]).includes(method)
        : route.method === method),
  )
  // As the router does: the path without a parameter wins.
  return (matching.find(({ route }) => route.path === path) ?? matching[0])?.route
}

export function checkAnswer(method: string, url: string, answer: LightMyRequestResponse): void {
  if (method === 'HEAD') return
  const route = findRoute(method, url)
  const { statusCode: status } = answer
  const what = `${method} ${url.slice(0, 80)} ${status}`
  if (status >= 400) {
    const type = String(answer.headers['content-type'])
    if (type.startsWith('text/')) return
    const isOAuth = isOAuthPath(url)
    const declared = route?.answers[status]
    if (typeof declared === 'object') {
      assertFits(declared, answer.json(), what)
      return
    }
    assert.match(type, isOAuth ? /^application\/json/ : /^application\/problem\+json/, what)
    assertFits(isOAuth ? ERROR_SCHEMAS.OAuthError : ERROR_SCHEMAS.Problem, answer.json(), what)
    if (route?.surface === 'api') {
      const { code } = answer.json()
      assert.ok(listErrorCodes(route).includes(code), `${what}: the route does not tell of ${code}`)
    }
    return
  }
  if (!route || status === 303 || status === 304) return
  const promised = route.answers[status]
  assert.ok(promised !== undefined, `${what}: the route table does not know this status`)
  if (typeof promised === 'object') assertFits(promised, answer.json(), what)
}
