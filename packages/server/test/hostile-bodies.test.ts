// Every address that takes a body, and what people send who want to break it: each gets a clear
// problem, never a 500. Generated from the table. Security U02, F08.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildExample } from '../src/meta/example.ts'
import type { ApiRoute } from '../src/route.ts'
import { ROUTES } from '../src/routes.ts'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const API = ROUTES.filter((route) => route.surface === 'api')
const WITH_BODY = API.filter(({ body }) => body !== undefined)
/** A sign-out with a body that fits would end the caller's sign-in for the rest of the file. */
const STAYING = WITH_BODY.filter(({ operation }) => operation !== 'signOut')
const nameOf = ({ method, path }: ApiRoute) => `${method} ${path}`

const send = (route: ApiRoute, payload: string | Buffer, type = 'application/json') =>
  story.request({
    method: route.method,
    url: route.path.replace(/:\w+/g, 'x'),
    headers: { authorization: `Bearer ${story.adminToken}`, 'content-type': type },
    payload,
  })

test('accepts only JSON, and a merge patch on PATCH only; 415 otherwise [U02]', async () => {
  for (const route of WITH_BODY) {
    const body = JSON.stringify(buildExample(route.body ?? {}))
    const foreign = ['text/plain', 'application/xml', 'multipart/form-data; boundary=x']
    const types = [...foreign, 'application/x-www-form-urlencoded', 'application/jsonp', 'nonsense']
    if (route.method !== 'PATCH') types.push('application/merge-patch+json')
    for (const type of types) {
      const answer = await send(route, body, type)
      assert.equal(answer.statusCode, 415, `${nameOf(route)} ${type}: ${answer.body}`)
      assert.equal(answer.json().code, 'unsupported_media_type')
    }
  }
  for (const route of STAYING) {
    const body = JSON.stringify(buildExample(route.body ?? {}))
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON']) {
      assert.notEqual((await send(route, body, type)).statusCode, 415, nameOf(route))
    }
  }
})

test('refuses fields that cannot be set, by name [U02]', async () => {
  const privileged = ['id', 'role2', 'createdAt', 'isAdmin', '$where', 'a/b~c', 'constructor']
  for (const route of WITH_BODY) {
    for (const name of privileged) {
      const example = buildExample(route.body ?? {}) as object
      const answer = await send(route, JSON.stringify({ ...example, [name]: 1 }))
      assert.equal(answer.statusCode, 400, `${nameOf(route)} ${name}: ${answer.body}`)
      const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const fields = answer.json().errors.map(({ field }: { field: string }) => field)
      assert.ok(fields.includes(pointer), `${nameOf(route)}: ${fields}`)
    }
  }
})

test('refuses ambiguous, deeply nested and oversized bodies [U02, F08]', async () => {
  const hostile: [string | Buffer, number, string][] = [
    ['{', 400, 'invalid_json'],
    ['{"a":1,"a":2}', 400, 'invalid_json'],
    ['{"__proto__":{"role":"admin"}}', 400, 'invalid_json'],
    [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22]), 400, 'invalid_json'],
    ['[]', 400, 'invalid_request'],
    ['"text"', 400, 'invalid_request'],
    ['null', 400, 'invalid_request'],
    ['{"name":"a\\u0000b"}', 400, 'invalid_request'],
    ['{"name\\u0000":"a"}', 400, 'invalid_request'],
    ['{"name":"half \\ud83d"}', 400, 'invalid_request'],
    [`{"name":"${'x'.repeat(300_000)}"}`, 413, 'body_too_large'],
  ]
  for (const route of WITH_BODY) {
    const depth = Math.min(60_000, route.maxBodyBytes / 2 - 100)
    const nested = `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`
    for (const [body, status, code] of [...hostile, [nested, 400, 'invalid_json'] as const]) {
      const answer = await send(route, body)
      const what = `${nameOf(route)} ${body.toString('utf8').slice(0, 30)}: ${answer.body}`
      assert.deepEqual([answer.statusCode, answer.json().code], [status, code], what)
      assert.ok(answer.body.length < 8000, what)
    }
  }
})

test('reads bodies up to the bound of the route, and answers 413 beyond [V01, F08]', async () => {
  const bodyOf = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`
  for (const route of WITH_BODY) {
    const { maxBodyBytes } = route
    const largest = await send(route, bodyOf(maxBodyBytes))
    assert.equal(largest.statusCode, 400, `${nameOf(route)}: ${largest.body}`)
    const larger = await send(route, bodyOf(maxBodyBytes + 1))
    assert.equal(larger.statusCode, 413, `${nameOf(route)}: ${larger.body}`)
    assert.equal(larger.json().code, 'body_too_large')
  }
})

test('bounds the body by the kind of route [V01]', () => {
  const KB = 1024
  for (const route of ROUTES) {
    const name = `${route.surface} ${route.path}`
    const bound = route.maxBodyBytes / KB
    if (route.operation === 'addPasskey') assert.equal(bound, 16, name)
    else if (route.surface === 'oauth') assert.equal(bound, 8, name)
    else if (route.caller === 'anyone') assert.equal(bound, 4, name)
    else if (/^((create|patch)Collection|createFaultRun)$/.test(route.operation)) {
      assert.equal(bound, 256, name)
    } else assert.equal(bound, 16, name)
  }
})

test('bounds the forms of pages: 4 KB, and 16 KB for a new passkey [V01]', async () => {
  for (const [url, maxBytes] of [
    ['/auth/sign-in/password', 4096],
    ['/auth/invitation/passkey', 16_384],
  ] as const) {
    const statusOf = async (bytes: number) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const payload = `x=${'x'.repeat(bytes - 2)}`
      return (await story.request({ method: 'POST', url, headers, payload })).statusCode
    }
    assert.notEqual(await statusOf(maxBytes), 413, url)
    assert.equal(await statusOf(maxBytes + 1), 413, url)
  }
})

test('answers a wrong type of any field with a pointer to it, never with 500 [F08]', async () => {
  const wrong = [null, true, -1, 1e308, 'x\ud800', '', [], {}, [[]], { a: null }]
  for (const route of STAYING) {
    const example = buildExample(route.body ?? {}) as Record<string, unknown>
    for (const name of Object.keys(example)) {
      for (const value of wrong) {
        const answer = await send(route, JSON.stringify({ ...example, [name]: value }))
        const what = `${nameOf(route)} ${name}=${JSON.stringify(value)}: ${answer.body}`
        assert.ok(answer.statusCode < 500, what)
        if (answer.statusCode !== 400) continue
        const { errors } = answer.json()
        assert.ok(
          errors?.every(({ field }: { field: string }) => /^(\/|If-|$)/.test(field)),
          what,
        )
      }
    }
  }
})

test('answers arbitrary identifiers and list parameters with 400 or 404 [F08]', async () => {
  const strange = ['%00', '%ff', '%2e%2e%2f', "'", '%22%7b', 'x'.repeat(1500), '\u{1f600}']
  strange.push('9'.repeat(30), '-1', '1e9', 'null', 'acc_', '%20')
  const asAdmin = { authorization: `Bearer ${story.adminToken}` }
  for (const route of API) {
    if (route.caller === 'anyone' || route.path.endsWith('/events')) continue
    for (const value of strange) {
      const encoded = /^[\x21-\x7e]+$/.test(value) ? value : encodeURIComponent(value)
      const url = route.path.replace(/:\w+/g, encoded)
      const query = `limit=${encoded}&cursor=${encoded}&accountId=${encoded}&sessionId=${encoded}`
      const ends = route.method === 'GET' ? ['', `?${query}`, `?cursor=${encoded}`] : ['']
      if (!route.path.includes(':')) ends.shift()
      for (const end of ends) {
        const answer = await story.request({
          method: route.method,
          url: url + end,
          headers: asAdmin,
          ...(route.body ? { payload: buildExample(route.body) as object } : {}),
        })
        assert.ok(answer.statusCode < 500, `${nameOf(route)} ${end} ${value}: ${answer.body}`)
      }
    }
  }
})
