// Every address that takes a body, and what people send who want to break it: each gets a clear
// problem, never a 500. Generated from the table. Security U02, F08.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ApiRoute } from '../src/http/route.ts'
import { buildExample } from '../src/meta/example.ts'
import { ROUTES } from '../src/routes.ts'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const API = ROUTES.filter((route): route is ApiRoute => route.surface === 'api')
const WITH_BODY = API.filter(({ body }) => body !== undefined)
/** Whoever signs out with a body that fits is gone for the rest of the file. */
const STAYING = WITH_BODY.filter(({ operation }) => operation !== 'signOut')
const nameOf = ({ method, path }: ApiRoute) => `${method} ${path}`

const send = (route: ApiRoute, payload: string | Buffer, type = 'application/json') =>
  story.request({
    method: route.method,
    url: route.path.replace(/:\w+/g, 'x'),
    headers: { authorization: `Bearer ${story.adminToken}`, 'content-type': type },
    payload,
  })

test('only JSON is taken, and a merge patch by PATCH alone: 415 for all else [U02]', async () => {
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

test('fields that nobody may set are refused by name, wherever they are [U02]', async () => {
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

test('bodies that parsers disagree about, or that have no end, are refused [U02, F08]', async () => {
  const hostile: [string | Buffer, number, string][] = [
    ['{', 400, 'invalid_json'],
    ['{"a":1,"a":2}', 400, 'invalid_json'],
    ['{"__proto__":{"role":"admin"}}', 400, 'invalid_json'],
    [`{"name":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, 400, 'invalid_json'],
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
    for (const [body, status, code] of hostile) {
      const answer = await send(route, body)
      const what = `${nameOf(route)} ${body.toString('utf8').slice(0, 30)}: ${answer.body}`
      assert.deepEqual([answer.statusCode, answer.json().code], [status, code], what)
      assert.ok(answer.body.length < 8000, what)
    }
  }
})

test('every value of every field may be of a wrong type: a pointer to it, never a 500 [F08]', async () => {
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

test('identifiers and list parameters may be anything: 400 or 404, never a 500 [F08]', async () => {
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
