// The OpenAPI document is valid, complete and shows real examples; the reference page runs under a
// policy without inline script. Contract §4, security U05.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { findSchemaErrors } from '../src/http/input/schema-check.ts'
import { PERMISSIONS } from '../src/kernel/access.ts'
import { API_ERRORS } from '../src/kernel/errors.ts'
import { REASONS } from '../src/kernel/reasons.ts'
import { buildExample } from '../src/meta/example.ts'
import { buildOpenApi } from '../src/meta/openapi.ts'
import { listErrorCodes } from '../src/route-errors.ts'
import { ROUTES } from '../src/routes.ts'
import { startTestService, type TestService } from './test-service.ts'

let node: TestService
before(async () => {
  node = await startTestService()
})
after(() => node.close())

interface Operation {
  operationId: string
  'x-permission'?: string
  parameters: object[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { example?: unknown }> }>
}
const document = buildOpenApi(ROUTES, 'https://chartside.test') as {
  paths: Record<string, Record<string, Operation>>
}
const operationOf = (method: string, path: string) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]

test('openapi.json is valid OpenAPI 3.1 and served as built [U05]', async () => {
  const served = (await node.server.inject('/openapi.json')).json()
  assert.deepEqual(served, document)
  const { valid, errors } = await new Validator().validate(served)
  assert.ok(valid, JSON.stringify(errors, null, 1))
})

test('a form to authorize is the only body that it takes, and is redirected by 303', () => {
  const [byGet, byPost] = [
    operationOf('GET', '/app-auth/authorize'),
    operationOf('POST', '/app-auth/authorize'),
  ]
  assert.deepEqual(Object.keys(byGet?.responses ?? {}), ['302', 'default'])
  assert.deepEqual(Object.keys(byPost?.responses ?? {}), ['303', 'default'])
  assert.deepEqual(Object.keys(byPost?.requestBody?.content ?? {}), [
    'application/x-www-form-urlencoded',
  ])
})

test('every reference in the document resolves, and operation ids are unique', () => {
  const refs = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)
  let count = 0
  for (const [, path = ''] of refs) {
    count += 1
    let at: unknown = document
    for (const part of path.split('/')) at = (at as Record<string, unknown>)?.[part]
    assert.ok(at, path)
  }
  assert.ok(count > 200)
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  assert.equal(new Set(ids).size, ids.length)
})

test('every payload has an example that matches its schema', () => {
  for (const route of ROUTES) {
    const schemas: [string, unknown][] = Object.entries(route.answers)
    if (route.surface === 'api' && route.body) schemas.push(['body', route.body])
    for (const [what, schema] of schemas) {
      if (typeof schema !== 'object' || schema === null) continue
      const example = buildExample(schema)
      const errors = findSchemaErrors(withoutFormats(schema), example)
      assert.equal(errors, undefined, `${route.path} ${what}: ${JSON.stringify([errors, example])}`)
    }
  }
})

test('the example of an OAuth request can be sent: no filler, one way to authenticate', () => {
  let seen = 0
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!path.startsWith('/app-auth/')) continue
    const { content = {} } = (methods.post?.requestBody ?? {}) as {
      content?: Record<string, { example: Record<string, unknown> }>
    }
    for (const { example } of Object.values(content)) {
      seen += 1
      assert.ok(!Object.values(example).includes('text'), `${path} ${JSON.stringify(example)}`)
      assert.ok(!('client_assertion' in example && 'client_secret' in example), path)
    }
  }
  assert.ok(seen >= 6)
})

test('every parameter of the document has an example that matches its schema', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { parameters }] of Object.entries(methods)) {
      for (const parameter of parameters) {
        if ('$ref' in parameter) continue
        const { name, schema, example } = parameter as Record<string, unknown>
        assert.equal(typeof example, 'string', `${method} ${path} ${name}`)
        assert.ok(
          ![name, 'text'].includes(String(example)),
          `${method} ${path} ${name} has an example of its own`,
        )
        const errors = findSchemaErrors(withoutFormats(schema as object), example)
        assert.equal(errors, undefined, `${method} ${path} ${name}: ${JSON.stringify(example)}`)
      }
    }
  }
})

/** Formats are words for people here; the stories check times against a pattern. */
const withoutFormats = (schema: object) =>
  JSON.parse(JSON.stringify(schema, (name, part) => (name === 'format' ? undefined : part)))

test('the document has the examples, the permission and the errors of each route', () => {
  for (const route of ROUTES) {
    if (route.surface !== 'api') continue
    const operation = operationOf(route.method, route.path)
    assert.ok(operation, route.path)
    assert.equal(operation['x-permission'], route.permission)
    for (const code of listErrorCodes(route)) {
      const { $ref = '' } = operation.responses[API_ERRORS[code].status] ?? {}
      assert.ok($ref.includes(code), `${route.operation}: ${code}`)
    }
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      assert.ok(media.example, `${route.operation} has an example of its body`)
    }
    for (const [status, answer] of Object.entries(route.answers)) {
      if (typeof answer !== 'object') continue
      const media = operation.responses[status]?.content?.['application/json']
      assert.ok(media?.example, `${route.operation} ${status} has an example`)
    }
  }
})

test('docs/build/api.md has every route of the backend API with its permission', () => {
  const text = readFileSync(new URL('../../../docs/build/api.md', import.meta.url), 'utf8')
  const documented = [...text.matchAll(/^\| (.+) \| `(\/api[^`]*)` \|$/gm)].flatMap(
    ([, cell = '', path]) =>
      cell.split(', ').flatMap((part) => {
        const [, methods = '', permission] = /^((?:`[A-Z]+` )+)(\w+)$/.exec(part) ?? []
        return [...methods.matchAll(/[A-Z]+/g)].map(([method]) => `${method} ${path} ${permission}`)
      }),
  )
  const routes = ROUTES.flatMap((route) =>
    route.surface === 'api' && route.path.startsWith('/api')
      ? [`${route.method} ${route.path} ${route.permission}`]
      : [],
  )
  assert.deepEqual(documented.sort(), routes.sort())
  for (const [need, who] of Object.entries(PERMISSIONS)) {
    assert.ok(text.includes(`| \`${need}\` | `), `${need}: ${who}`)
  }
})

test('the table has the sixteen routes of the specification with their methods', () => {
  const listed =
    `GET /api/users/me|PATCH /api/users/me|GET /api/users/me/login-methods|GET /api/accounts
GET /api/accounts/:id|POST /api/accounts|PATCH /api/accounts/:id|DELETE /api/accounts/:id
GET /api/collections|GET /api/collections/:id|POST /api/collections|PATCH /api/collections/:id
DELETE /api/collections/:id|POST /api/collections/:id/versions|GET /api/collections/:id/versions
GET /api/collections/:id/versions/:version`.split(/[|\n]/)
  assert.equal(listed.length, 16)
  for (const line of listed) {
    const [method = '', path = ''] = line.split(' ')
    assert.ok(operationOf(method, path), line)
  }
})

test('the reference page runs its own script only, without inline script or eval [U05]', async () => {
  const page = await node.server.inject('/doc')
  const policy = String(page.headers['content-security-policy'])
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src https:\/\/chartside\.test\/doc\/filter\.mjs;/,
  )
  assert.doesNotMatch(policy, /unsafe|\*/)
  assert.doesNotMatch(page.body, /<script(?! type="module" src=")| style="|\son\w+="|<link|<img/)
  const [, path = ''] =
    /src="https:\/\/chartside\.test(\/doc\/filter\.mjs\?v=\w+)"/.exec(page.body) ?? []
  const file = await node.server.inject(path)
  assert.equal(file.statusCode, 200)
  assert.equal(file.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
  for (const gone of [
    '/doc/plain',
    '/doc/0.0.0/doc-page.js',
    '/doc/filter.mjs/..%2fpackage.json',
  ]) {
    assert.equal((await node.server.inject(gone)).statusCode, 404, gone)
  }
})

test('the reference shows examples that say something, and links that lead somewhere', async () => {
  const { body } = await node.server.inject('/doc')
  assert.doesNotMatch(body, /&#34;text&#34;/)
  const ids = new Set([...body.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id))
  const links = [...body.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id)
  assert.ok(links.length > 300)
  assert.deepEqual([...new Set(links.filter((id) => !ids.has(id)))], [])
  for (const reason of Object.keys(REASONS)) assert.ok(ids.has(`reason-${reason}`), reason)
  for (const code of Object.keys(API_ERRORS)) assert.ok(ids.has(`error-${code}`), code)
})
