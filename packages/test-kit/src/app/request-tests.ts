// Error responses with cause and fix, under the policy, for any malformed or foreign request. Spec
// §5.5, §7.
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { type ErrorBody, json } from './browser-client.ts'
import { collectTests } from './collect-tests.ts'
import type { AppFixture } from './fixture.ts'

async function readError(response: Response) {
  const { error, cause, fix } = await json<ErrorBody>(response)
  assert.ok(cause && fix, error)
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  return { status: response.status, error }
}

export const { test, register: testRequests } = collectTests<AppFixture>()

test('answers 404 with a cause and a fix', async (t, startFixture) => {
  const { port, send } = await startFixture(t)
  const missing = { status: 404, error: 'not_found' }
  assert.deepEqual(await readError(await send('/nothing')), missing)
  // fetch() cannot send this path.
  const status = await new Promise<number | undefined>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '//' }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
  assert.ok(status && status < 500, `${status}`)
})

test('answers 400 to a body without the needed text, and never 500', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const values = { toString: 1 }
  const jsonType = 'application/json'
  for (const [body, type = jsonType] of [
    ['null'],
    ['[]'],
    ['7'],
    ['"text"'],
    ['{'],
    [''],
    ['{}'],
    [JSON.stringify({ code: values, code_verifier: 'v', id_token: values, ticket: values })],
    ['{}', `${jsonType}; charset=utf-99`],
    ['{}', `${jsonType}; charset=utf-16`],
    ['code', 'text/plain'],
    [JSON.stringify({ code: 'x'.repeat(40_000) })],
  ] as const) {
    for (const path of ['/api/session', '/api/exchange']) {
      const response = await send(path, body, { 'content-type': type })
      const refused = { status: 400, error: 'invalid_request' }
      // Option 2 has the token endpoint in place of the exchange.
      if (response.status === 404) continue
      assert.deepEqual(await readError(response), refused, `${type} ${body.slice(0, 40)}`)
    }
  }
  const paths = issuer.requests.map(({ path }) => path)
  assert.ok(
    paths.every((path) => path.includes('/.well-known/')),
    paths.join(),
  )
})

test('renews no session for a page of another origin', async (t, startFixture) => {
  const { send } = await startFixture(t)
  for (const origin of ['https://evil.example', '']) {
    assert.equal((await send('/api/session/renew', {}, { origin })).status, 403)
  }
})
