// Hostile and careless input to the token endpoint: a clear error in OAuth's words, nothing lost,
// never a 500. Security T01, T14; issue text "each parameter missing, empty, doubled, oversized".
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { exchange, freshCode, type Story, startStory } from './story.ts'

let story: Story
let code: string
before(async () => {
  story = await startStory()
})
after(() => story.close())
beforeEach(async () => {
  code = await freshCode(story)
})

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

const post = (payload: string | Buffer, contentType?: string, url = '/app-auth/token') =>
  story.request({
    method: 'POST',
    url,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    payload,
  })

const good = () => ({
  grant_type: 'authorization_code',
  code,
  client_id: story.app.clientId,
  client_secret: story.app.secret,
})

function assertClear(
  answer: LightMyRequestResponse,
  what: string,
  error = 'invalid_request',
  status = error === 'invalid_client' ? 401 : 400,
) {
  assert.equal(answer.statusCode, status, `${what}: ${answer.body}`)
  const body = answer.json()
  assert.equal(body.error, error, `${what}: ${answer.body}`)
  assert.ok(body.error_description.length > 10, what)
  assert.doesNotMatch(answer.body, /\bat .*\.ts|node:|stack/, what)
}

/** What was tried before named no code, or no client of it. */
async function assertCodeStillGood() {
  assert.equal((await exchange(story, code)).statusCode, 200)
}

/** One that was tried before named the code and its client. Spec §7, security V38. */
async function assertCodeSpent() {
  const again = await exchange(story, code)
  assert.deepEqual([again.statusCode, again.json().error], [400, 'invalid_grant'])
}

const NAMES = ['grant_type', 'code', 'client_id', 'client_secret'] as const
const ERROR_OF: Partial<Record<string, string>> = {
  client_id: 'invalid_client',
  client_secret: 'invalid_client',
}

test('each parameter missing or empty gets its own error, and spends the code [V38]', async () => {
  for (const name of NAMES) {
    for (const value of [undefined, '', null]) {
      const answer = await post(JSON.stringify({ ...good(), [name]: value }), JSON_TYPE)
      assertClear(answer, name, ERROR_OF[name])
      assert.ok(answer.json().error_description.includes(name), answer.body)
    }
  }
  await assertCodeSpent()
})

test('each parameter of the wrong type gets an error, and spends the code [V38]', async () => {
  for (const name of [...NAMES, 'redirect_uri', 'code_verifier']) {
    for (const value of [1, true, [], {}, [code], { toString: 'x' }]) {
      const answer = await post(JSON.stringify({ ...good(), [name]: value }), JSON_TYPE)
      assertClear(answer, `${name} ${JSON.stringify(value)}`)
      assert.ok(answer.json().error_description.includes(name), answer.body)
    }
  }
  await assertCodeSpent()
})

test('each parameter doubled is refused, in a form and in JSON', async () => {
  for (const name of NAMES) {
    const form = new URLSearchParams(good())
    form.append(name, form.get(name) ?? '')
    assertClear(await post(form.toString(), FORM_TYPE), name)
    const json = JSON.stringify(good())
    const twice = `${json.slice(0, -1)},"${name}":${JSON.stringify(good()[name])}}`
    assertClear(await post(twice, JSON_TYPE), name)
    const escaped = twice.replace(
      `,"${name}"`,
      `,"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`,
    )
    assertClear(await post(escaped, JSON_TYPE), `${name}, escaped`)
  }
  await assertCodeSpent()
})

test('each parameter oversized gets a clear error', async () => {
  for (const name of NAMES) {
    const answer = await post(JSON.stringify({ ...good(), [name]: 'a'.repeat(2500) }), JSON_TYPE)
    assertClear(answer, name)
    assert.match(answer.json().error_description, /longer than/)
  }
  await assertCodeSpent()
})

test('malformed JSON and JSON that is no object are refused [T14]', async () => {
  const bodies = [
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '1',
    '{"code":}',
    '{"a":1,}',
    '\u0000',
    '{"a":"\u0001"}',
  ]
  for (const body of [...bodies, '['.repeat(4000), `{"__proto__":{"code":"${code}"}}`]) {
    assertClear(await post(body, JSON_TYPE), body.slice(0, 20))
  }
  await assertCodeStillGood()
})

test('a missing or foreign content type is refused with the two that work', async () => {
  const body = JSON.stringify(good())
  for (const type of [
    undefined,
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'x',
  ]) {
    const answer = await post(body, type)
    assertClear(answer, String(type))
    assert.match(answer.json().error_description, /application\/json/)
  }
  await assertCodeSpent()
  const fresh = { ...good(), code: await freshCode(story) }
  const right = await post(JSON.stringify(fresh), 'Application/JSON; charset=utf-8')
  assert.equal(right.statusCode, 200)
})

test('a body of a megabyte is refused quickly [T14]', async () => {
  const started = performance.now()
  for (const type of [JSON_TYPE, FORM_TYPE]) {
    const answer = await post(JSON.stringify({ ...good(), extra: 'x'.repeat(1_000_000) }), type)
    assertClear(answer, type, 'invalid_request', 413)
    assert.match(answer.json().error_description, /larger/)
  }
  assert.ok(performance.now() - started < 5000)
  await assertCodeStillGood()
})

test('answers invalid UTF-8, headers and codes with OAuth errors', async () => {
  assertClear(await post(JSON.stringify({ ...good(), code: `${code}\0` }), JSON_TYPE), 'NUL')
  for (const odd of ['ÿþ', '💊'.repeat(20), '../../etc/passwd', "' OR 1=1 --", '%00']) {
    const answer = await post(JSON.stringify({ ...good(), code: odd }), JSON_TYPE)
    assertClear(answer, odd, 'invalid_grant')
  }
  assertClear(await post(Buffer.from([0xff, 0xfe, 0x00, 0x7b]), JSON_TYPE), 'not UTF-8')
  for (const value of [
    'Basic',
    'Basic ###',
    'Basic YTpiAA==',
    'Basic JTAwOiUwMA==',
    'Basic Og==',
    `Basic ${'A'.repeat(4000)}`,
  ]) {
    const answer = await story.request({
      method: 'POST',
      url: '/app-auth/token',
      headers: { authorization: value, 'content-type': FORM_TYPE },
      payload: `grant_type=authorization_code&code=${code}`,
    })
    assert.equal(answer.statusCode, 401, value)
    assert.equal(answer.json().error, 'invalid_client')
  }
  await assertCodeSpent()
})

test('takes POST only, and no secret in the URL [T01]', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'] as const) {
    const answer = await story.request({ method, url: '/app-auth/token' })
    assert.equal(answer.statusCode, 405)
    assert.equal(answer.headers.allow, 'POST')
    assert.equal(answer.json().error, 'invalid_request')
  }
  const { client_secret: secret, ...rest } = good()
  const url = `/app-auth/token?client_secret=${secret}`
  assertClear(await post(JSON.stringify(rest), JSON_TYPE, url), 'secret in the URL')
  assert.equal(story.service.logText().includes(secret), false)
  for (const name of ['code', 'code_verifier', 'token', 'access_token']) {
    const named = `/app-auth/token?${name}=x`
    assertClear(await post(JSON.stringify(good()), JSON_TYPE, named), `${name} in the URL`)
  }
})
