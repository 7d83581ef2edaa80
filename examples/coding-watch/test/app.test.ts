// The worker while the service is away: it says so, and never that its token or secret is wrong.
// Spec §4.3, §5.4.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '../src/app.ts'

const lines: string[] = []
const app = createApp({
  clientId: 'cli_1',
  clientSecret: 'cs_secret',
  // Port 1 answers nobody.
  baseUrl: 'http://127.0.0.1:1',
  tokenUrl: 'http://127.0.0.1:1/app-auth/token',
  publicUrl: 'http://coding-watch.localhost:4703',
  frameAncestors: [],
  log: (line) => lines.push(line),
})

const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
  app(
    new Request(`http://coding-watch.localhost:4703${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = `${part({ alg: 'RS256', kid: 'key-1' })}.${part({ sub: 'usr_1' })}.AAAA`

test('answers 503, not 401, to an ID token that it cannot check while the service is away', async () => {
  const response = await ask('POST', '/presence', { id_token: signed })
  assert.equal(response.status, 503)
  assert.match(await response.text(), /"error":"keys_unavailable"/)
})

test('answers 401 to what is no ID token at all, whether the service is there or not', async () => {
  assert.equal((await ask('POST', '/presence', { id_token: 'a.b.c' })).status, 401)
})

test('says what is wrong with a body that holds no text for an ID token, and never 500', async () => {
  const odd = [{}, { id_token: 7 }, { id_token: { toString: 1 } }, [], 'text', null, undefined]
  for (const body of odd) {
    const response = await ask('POST', '/presence', body)
    assert.equal(response.status, 400)
    assert.ok(response.headers.has('content-security-policy'))
    const { error, cause, fix } = (await response.json()) as Record<string, string>
    assert.ok(error === 'invalid_request' && cause && fix)
  }
})

test('answers 503 to a callback whose SDK script cannot be found, and still shows its status page', async () => {
  assert.equal((await ask('GET', '/callback?code=code_1')).status, 503)
  assert.equal((await ask('GET', '/')).status, 200)
})

test('relays no exchange without a code, and says nothing of its secret when one fails', async () => {
  assert.equal((await ask('POST', '/token', {})).status, 400)
  const failed = await ask('POST', '/token', { code: 'code_1' })
  assert.deepEqual([failed.status, await failed.json()], [500, { error: 'internal_server_error' }])
  assert.doesNotMatch(lines.join('\n'), /cs_secret|code_1/)
})
