// The registered token endpoint against every shape of spec §4.3: what it answers, what it sends
// upstream, and what it must never do. The upstream is a function; no socket is opened.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type RelayOptions, relayExchange } from '../src/relay.ts'

const SECRET = 'cs_secret'
const TOKEN_URL = 'http://service.invalid/app-auth/token'

interface Call {
  readonly url: string
  readonly init: RequestInit
}

function upstream(respond: () => Response | Promise<Response>) {
  const calls: Call[] = []
  const lines: string[] = []
  const options: RelayOptions = {
    tokenUrl: TOKEN_URL,
    clientId: 'cli_1',
    clientSecret: SECRET,
    fetch: async (url, init = {}) => {
      calls.push({ url: String(url), init })
      return respond()
    },
    log: (line) => lines.push(line),
  }
  return { calls, lines, options }
}

const post = (body: unknown): Request =>
  new Request('http://app.invalid/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Every answer, good or bad, is uncached JSON without the secret [R08]. */
async function read(response: Response): Promise<Record<string, unknown>> {
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  const text = await response.text()
  assert.ok(!text.includes(SECRET))
  return JSON.parse(text)
}

test('answers 400 with an error when the code is missing, and asks nobody [R08]', async () => {
  const { calls, options } = upstream(() => Response.json({}))
  for (const body of [{}, { code: '' }, { code: 7 }, { code: null }, [], '', 'not json', 'null']) {
    const response = await relayExchange(post(body), options)
    assert.equal(response.status, 400)
    assert.equal(typeof (await read(response)).error, 'string')
  }
  assert.equal(calls.length, 0)
})

test('exchanges the code with the client credentials as JSON [R08]', async () => {
  const { calls, options } = upstream(() => Response.json({ access_token: 'at_1' }))
  await relayExchange(post({ code: 'code_1', client_id: 'cli_evil' }), options)
  assert.equal(calls[0]?.url, TOKEN_URL)
  assert.equal(new Headers(calls[0]?.init.headers).get('content-type'), 'application/json')
  assert.deepEqual(JSON.parse(String(calls[0]?.init.body)), {
    grant_type: 'authorization_code',
    code: 'code_1',
    client_id: 'cli_1',
    client_secret: SECRET,
  })
})

test('passes the tokens on and leaves out what it does not know', async () => {
  const { options } = upstream(() =>
    Response.json({
      access_token: 'at_1',
      id_token: 'jwt',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'launch openid',
      client_secret: SECRET,
    }),
  )
  const response = await relayExchange(post({ code: 'code_1' }), options)
  assert.equal(response.status, 200)
  assert.deepEqual(await read(response), {
    access_token: 'at_1',
    id_token: 'jwt',
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'launch openid',
  })
})

test('defaults the token type to Bearer and goes without an ID token', async () => {
  const { options } = upstream(() => Response.json({ access_token: 'at_1' }))
  const response = await relayExchange(post({ code: 'code_1' }), options)
  assert.deepEqual(await read(response), { access_token: 'at_1', token_type: 'Bearer' })
})

test('passes on the status and the error of a refused exchange [R08]', async () => {
  for (const [status, error] of [
    [400, 'invalid_grant'],
    [401, 'invalid_client'],
    [429, 'too_many_requests'],
    [503, 'temporarily_unavailable'],
  ] as const) {
    const { options, lines } = upstream(() =>
      Response.json({ error, error_description: SECRET, trace_id: 'trc_1' }, { status }),
    )
    const response = await relayExchange(post({ code: 'code_1' }), options)
    assert.equal(response.status, status)
    assert.deepEqual(await read(response), { error })
    assert.match(lines.join(), new RegExp(`${status} ${error} \\(trace trc_1\\)`))
  }
})

test('says token_exchange_failed when the refusal carries no error string [R08]', async () => {
  for (const body of ['', '<h1>502</h1>', '{}', '{"error":7}', '{"error":""}', '[]', 'null']) {
    const { options } = upstream(() => new Response(body, { status: 502 }))
    const response = await relayExchange(post({ code: 'code_1' }), options)
    assert.equal(response.status, 502)
    assert.deepEqual(await read(response), { error: 'token_exchange_failed' })
  }
})

test('answers 500 internal_server_error when the service cannot be reached [R08]', async () => {
  const { options } = upstream(() => Promise.reject(new TypeError('fetch failed')))
  const response = await relayExchange(post({ code: 'code_1' }), options)
  assert.equal(response.status, 500)
  assert.deepEqual(await read(response), { error: 'internal_server_error' })
})

test('answers 500 when a success carries no access token string', async () => {
  for (const body of ['{}', '{"access_token":7}', '{"accessToken":"at_1"}', 'not json']) {
    const { options } = upstream(() => new Response(body))
    const response = await relayExchange(post({ code: 'code_1' }), options)
    assert.equal(response.status, 500)
    assert.deepEqual(await read(response), { error: 'internal_server_error' })
  }
})

test('tries a code once, whatever comes back [R09]', async () => {
  for (const status of [400, 401, 429, 500, 503]) {
    const { calls, options } = upstream(() => new Response('', { status }))
    await relayExchange(post({ code: 'code_1' }), options)
    assert.equal(calls.length, 1)
  }
})

test('writes neither code nor token nor secret into its log [R08]', async () => {
  const { lines, options } = upstream(() =>
    Response.json(
      { error: 'invalid_grant', error_description: 'code_1 cs_secret' },
      { status: 400 },
    ),
  )
  await relayExchange(post({ code: 'code_1' }), options)
  assert.equal(lines.length, 1)
  assert.doesNotMatch(lines.join(), /code_1|cs_secret/)
})

test('follows no redirect of the service, so the secret stays where it was sent [R09]', async () => {
  const reached: string[] = []
  const server = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.writeHead(307, { location: '/elsewhere' }).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const { options } = upstream(() => new Response())
  const response = await relayExchange(post({ code: 'code_1' }), {
    ...options,
    tokenUrl: `http://127.0.0.1:${port}/token`,
    fetch,
  })
  server.close()
  server.closeAllConnections()
  assert.equal(response.status, 500)
  assert.deepEqual(reached, ['/token'])
})

test('gives up on a service that does not answer in time [R09]', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const { options } = upstream(() => new Response())
  const response = await relayExchange(post({ code: 'code_1' }), {
    ...options,
    tokenUrl: `http://127.0.0.1:${port}/token`,
    fetch,
    timeoutMs: 50,
  })
  server.close()
  server.closeAllConnections()
  assert.equal(response.status, 500)
  assert.deepEqual(await read(response), { error: 'internal_server_error' })
})
