// The server of Visit Notes and what strangers send to it: every answer names cause and fix, under the
// headers of every page. Spec §5.5, §7.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createApp } from '../src/app.ts'

const server = createServer(
  createApp({
    clientId: 'cli_1',
    clientSecret: 'cs_secret',
    // Port 1 answers nobody.
    baseUrl: 'http://127.0.0.1:1',
    tokenUrl: 'http://127.0.0.1:1/app-auth/token',
    publicUrl: 'http://visit-notes.localhost:4702',
    frameAncestors: [],
    log: () => {},
  }),
)
before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
after(() => {
  server.close()
  server.closeAllConnections()
})

async function send(path: string, init: RequestInit = {}) {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  const problem = (await response.json()) as Record<string, string>
  assert.ok(problem.error && problem.cause && problem.fix, JSON.stringify(problem))
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  return { status: response.status, error: problem.error }
}

const JSON_TYPE = 'application/json'

test('says what is wrong with a body, whatever it claims to be, and never 500', async () => {
  for (const [body, type] of [
    ['null', JSON_TYPE],
    ['[]', JSON_TYPE],
    ['{', JSON_TYPE],
    ['', JSON_TYPE],
    ['{"code":{"toString":1},"code_verifier":"v"}', JSON_TYPE],
    ['{}', 'application/json; charset=utf-99'],
    ['{}', 'application/json; charset=utf-16'],
    ['code', 'text/plain'],
    [`{"code":"${'x'.repeat(40_000)}"}`, JSON_TYPE],
  ] as const) {
    const headers = { 'content-type': type }
    const { status, error } = await send('/api/session', { method: 'POST', headers, body })
    assert.deepEqual([status, error], [400, 'invalid_request'], `${type} ${body.slice(0, 40)}`)
  }
})

test('answers everything else that fails under its headers as well', async () => {
  assert.equal((await send('/nowhere')).status, 404)
  assert.equal((await send('/api/me')).status, 401)
})
