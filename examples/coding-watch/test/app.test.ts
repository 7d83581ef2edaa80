// The worker while the service is away: it reports that, and never a wrong token or secret.
// Spec §4.3, §5.4.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '../src/app.ts'

const lines: string[] = []
const settings = {
  clientId: 'cli_1',
  clientSecret: 'cs_secret',
  // Nothing listens on port 1.
  baseUrl: 'http://127.0.0.1:1',
  tokenUrl: 'http://127.0.0.1:1/app-auth/token',
  ...{ host: '127.0.0.1', port: 4703, publicUrl: 'http://coding-watch.localhost:4703' },
  frameAncestors: [],
}
const app = createApp(settings, (line) => lines.push(line))

const send = (method: string, path: string, body?: unknown): Promise<Response> =>
  app(
    new Request(`http://coding-watch.localhost:4703${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = `${part({ alg: 'RS256', kid: 'key-1' })}.${part({ sub: 'usr_1' })}.AAAA`

test('answers 503, not 401, to an ID token while the service is away', async () => {
  const response = await send('POST', '/presence', { id_token: signed })
  assert.equal(response.status, 503)
  assert.match(await response.text(), /"error":"keys_unavailable"/)
})

test('answers 401 to a text that is not an ID token, also without the service', async () => {
  assert.equal((await send('POST', '/presence', { id_token: 'a.b.c' })).status, 401)
})

test('answers 400 to a body without a text for the ID token, and never 500', async () => {
  const odd = [{}, { id_token: 7 }, { id_token: { toString: 1 } }, [], 'text', null, undefined]
  for (const body of odd) {
    const response = await send('POST', '/presence', body)
    assert.equal(response.status, 400)
    assert.ok(response.headers.has('content-security-policy'))
    const { error, cause, fix } = (await response.json()) as Record<string, string>
    assert.ok(error === 'invalid_request' && cause && fix)
  }
})

test('answers 503 to a callback without an SDK script, and 200 to the status page', async () => {
  assert.equal((await send('GET', '/callback?code=code_1')).status, 503)
  assert.equal((await send('GET', '/')).status, 200)
})

test('sends no exchange without a code, and keeps its secret out of a failure', async () => {
  assert.equal((await send('POST', '/token', {})).status, 400)
  const failed = await send('POST', '/token', { code: 'code_1' })
  assert.deepEqual([failed.status, await failed.json()], [500, { error: 'internal_server_error' }])
  assert.doesNotMatch(lines.join('\n'), /cs_secret|code_1/)
})
