// The collection for Postman and Bruno: every operation of the OpenAPI document is a request of it, and its requests
// are answered by a service as the collection says.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildOpenApi } from '../packages/server/src/meta/openapi.ts'
import { ROUTES } from '../packages/server/src/routes.ts'
import { ADMIN, startTestService, type TestService } from '../packages/server/test/test-service.ts'
import { type ApiDocument, buildCollection } from '../scripts/docs-site/api-collection.ts'

interface Pair {
  readonly key: string
  readonly value: string
  readonly disabled?: boolean
}

interface Item {
  readonly name: string
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[]
  readonly request: {
    readonly method: string
    readonly auth: { readonly type: string; readonly bearer?: readonly Pair[] }
    readonly header: readonly Pair[]
    readonly url: { readonly raw: string; readonly query: Pair[]; readonly variable: Pair[] }
    readonly body?: { readonly raw?: string }
  }
}

const document = buildOpenApi(ROUTES, '') as unknown as ApiDocument
const collection = buildCollection(document) as {
  readonly variable: readonly Pair[]
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[]
}
const items = collection.item.flatMap(({ item }) => item)

let node: TestService
before(async () => {
  node = await startTestService()
})
after(() => node.close())

test('every operation is one request, with its path variables and declared variables', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const requests = items.map(({ request: { method, url } }) => {
    const path = url.raw.replace('{{baseUrl}}', '').replace(/:(\w+)/g, '{$1}')
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(url.variable.map(({ key }) => key).sort(), named.sort(), path)
    return `${method} ${path}`
  })
  assert.deepEqual(requests.sort(), operations.sort())
  const used = JSON.stringify(collection).matchAll(/\{\{(\w+)\}\}/g)
  const declared = collection.variable.map(({ key }) => key)
  assert.deepEqual(new Set([...used].map(([, name]) => name)), new Set(declared))
})

/** Sends a request as a client of the collection does. */
async function send(name: string, values: Record<string, string>, body?: object) {
  const item = items.find((one) => one.name === name)
  assert.ok(item, name)
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, key) => values[key] ?? '')
  const { method, url, auth, header, body: example } = item.request
  const path = url.variable.reduce(
    (text, { key, value }) => text.replace(`:${key}`, values[key] ?? value),
    fill(url.raw),
  )
  const query = url.query.filter(({ disabled }) => !disabled)
  const headers = Object.fromEntries(
    header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value]),
  )
  for (const { value } of auth.bearer ?? []) headers.authorization = `Bearer ${fill(value)}`
  const sent = body ? JSON.stringify(body) : example?.raw
  const answer = await node.server.inject({
    method: method as 'GET',
    url: `${path}?${new URLSearchParams(query.map(({ key, value }): [string, string] => [key, value]))}`,
    headers,
    ...(sent === undefined ? {} : { payload: fill(sent) }),
  })
  return { item, answer }
}

test('signs in, keeps the token, and sends an example body with it', async () => {
  const { item, answer } = await send('Sign in with a password', {}, ADMIN)
  assert.equal(answer.statusCode, 200, answer.body)
  // The script runs as Postman runs it.
  const values: Record<string, string> = {}
  const pm = {
    response: { code: answer.statusCode, json: () => answer.json() },
    collectionVariables: {
      set: (key: string, value: string) => Object.assign(values, { [key]: value }),
    },
  }
  for (const line of item.event?.[0]?.script.exec ?? []) new Function('pm', line)(pm)
  const account = await send('Create an account', values, { name: 'Lakeside' })
  assert.equal(account.answer.statusCode, 201, account.answer.body)
  const { id } = account.answer.json()
  const made = await send('Make a token for the directory of an account, shown once', {
    ...values,
    id,
  })
  assert.equal(made.answer.statusCode, 201, made.answer.body)
  assert.match(made.answer.json().token, /^scim_/)
})
