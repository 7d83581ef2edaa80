// The registered token endpoint by spec §4.3: its answers, its requests to the service, and what it
// must never do. The service is a function, or a server where the socket matters.
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { BASE, post, SECRET, upstream } from './token-endpoint-fixture.ts'

/** Every answer, good or bad, is uncached JSON without the secret. */
async function read(response: Response): Promise<Record<string, unknown>> {
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  const text = await response.text()
  assert.ok(!text.includes(SECRET))
  return JSON.parse(text)
}

test('answers 400 without a request when the code is missing [R08]', async () => {
  const { calls, tokenEndpoint } = upstream(() => Response.json({}))
  for (const body of [{}, { code: '' }, { code: 7 }, { code: null }, [], '', 'not json', 'null']) {
    const response = await tokenEndpoint(post(body))
    assert.equal(response.status, 400)
    assert.equal(typeof (await read(response)).error, 'string')
  }
  assert.equal(calls.length, 0)
})

test('exchanges the code with the credentials of this server as JSON [R08]', async () => {
  const { calls, tokenEndpoint } = upstream(() => Response.json({ access_token: 'at_1' }))
  await tokenEndpoint(
    post({ code: 'code_1', client_id: 'cli_evil', redirect_uri: 'https://evil.example' }),
  )
  assert.equal(calls[0]?.url, `${BASE}/app-auth/token`)
  assert.equal(new Headers(calls[0]?.init.headers).get('content-type'), 'application/json')
  assert.deepEqual(JSON.parse(String(calls[0]?.init.body)), {
    grant_type: 'authorization_code',
    code: 'code_1',
    client_id: 'cli_1',
    client_secret: SECRET,
  })
})

test('passes the tokens on and drops unknown fields', async () => {
  const tokens = {
    access_token: 'at_1',
    id_token: 'jwt',
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'launch openid',
  }
  const { tokenEndpoint } = upstream(() =>
    Response.json({ ...tokens, client_secret: SECRET, extra: 1 }),
  )
  const response = await tokenEndpoint(post({ code: 'code_1' }))
  assert.equal(response.status, 200)
  assert.deepEqual(await read(response), tokens)
})

test('defaults the token type to Bearer and omits a missing ID token', async () => {
  const { tokenEndpoint } = upstream(() => Response.json({ access_token: 'at_1' }))
  const answer = await read(await tokenEndpoint(post({ code: 'code_1' })))
  assert.deepEqual(answer, { access_token: 'at_1', token_type: 'Bearer' })
})

test('passes on status and error of a refused exchange, and logs the trace id [R08]', async () => {
  for (const [status, error] of [
    [400, 'invalid_grant'],
    [401, 'invalid_client'],
    [403, 'region_not_allowed'],
    [429, 'slow_down'],
    [503, 'temporarily_unavailable'],
  ] as const) {
    const { tokenEndpoint, lines } = upstream(() =>
      Response.json({ error, error_description: SECRET, trace_id: 'trc_1' }, { status }),
    )
    const response = await tokenEndpoint(post({ code: 'code_1' }))
    assert.equal(response.status, status)
    assert.deepEqual(await read(response), { error })
    assert.deepEqual(lines, [`exchange refused: ${status} ${error} (trace trc_1)`])
    assert.equal(response.headers.get('x-trace-id'), 'trc_1')
  }
})

test('answers token_exchange_failed when the refusal has no error string [R08]', async () => {
  for (const body of ['', '<h1>502</h1>', '{}', '{"error":7}', '{"error":""}', '[]', 'null']) {
    const { tokenEndpoint } = upstream(() => new Response(body, { status: 502 }))
    const response = await tokenEndpoint(post({ code: 'code_1' }))
    assert.equal(response.status, 502)
    assert.deepEqual(await read(response), { error: 'token_exchange_failed' })
  }
})

test('passes on no error that holds the secret or is no error code [R08]', async () => {
  for (const error of [`bad ${SECRET}`, 'line\nbreak', '"quoted"', 'x'.repeat(5000)]) {
    const { tokenEndpoint, lines } = upstream(() => Response.json({ error }, { status: 400 }))
    assert.deepEqual(await read(await tokenEndpoint(post({ code: 'c' }))), {
      error: 'token_exchange_failed',
    })
    assert.ok(!lines.join().includes(SECRET))
  }
})

test('passes Retry-After on', async () => {
  const headers = { 'retry-after': '7' }
  const { tokenEndpoint } = upstream(() =>
    Response.json({ error: 'slow_down' }, { status: 429, headers }),
  )
  assert.equal((await tokenEndpoint(post({ code: 'c' }))).headers.get('retry-after'), '7')
})

test('answers 500 internal_server_error when the service cannot be reached [R08]', async () => {
  const { tokenEndpoint } = upstream(() => Promise.reject(new TypeError(`fetch failed: ${SECRET}`)))
  const response = await tokenEndpoint(post({ code: 'code_1' }))
  assert.equal(response.status, 500)
  assert.deepEqual(await read(response), { error: 'internal_server_error' })
})

test('answers 500 when a success has no access token string', async () => {
  for (const body of ['{}', '{"access_token":7}', '{"accessToken":"at_1"}', 'not json']) {
    const { tokenEndpoint } = upstream(() => new Response(body))
    const response = await tokenEndpoint(post({ code: 'code_1' }))
    assert.equal(response.status, 500)
    assert.deepEqual(await read(response), { error: 'internal_server_error' })
  }
})

test('sends a code once, whatever the answer [R09]', async () => {
  for (const status of [400, 401, 429, 500, 503]) {
    const { calls, tokenEndpoint } = upstream(() => new Response('', { status }))
    await tokenEndpoint(post({ code: 'code_1' }))
    assert.equal(calls.length, 1)
  }
})

test('writes neither code nor token nor secret into its log [R08]', async () => {
  const body = { error: 'invalid_grant', error_description: 'code_1 cs_secret' }
  const refused = upstream(() => Response.json(body, { status: 400 }))
  await refused.tokenEndpoint(post({ code: 'code_1' }))
  const broken = upstream(() => Promise.reject(new Error('code_1 cs_secret')))
  await broken.tokenEndpoint(post({ code: 'code_1' }))
  const fine = upstream(() => Response.json({ access_token: 'at_1' }))
  await fine.tokenEndpoint(post({ code: 'code_1' }))
  assert.deepEqual([refused.lines.length, broken.lines.length, fine.lines.length], [1, 1, 0])
  assert.doesNotMatch([...refused.lines, ...broken.lines].join(), /code_1|cs_secret/)
})

test('answers although the log fails', async () => {
  const failing = [
    () => {
      throw new Error('the disk is full')
    },
    async () => {
      throw new Error('the collector is away')
    },
  ]
  for (const log of failing) {
    const { tokenEndpoint } = upstream(() => new Response('', { status: 400 }), { log })
    assert.equal((await tokenEndpoint(post({ code: 'c' }))).status, 400)
    const broken = upstream(() => Promise.reject(new Error('away')), { log })
    assert.equal((await broken.tokenEndpoint(post({ code: 'c' }))).status, 500)
    const headers = { origin: 'https://evil.example' }
    assert.equal((await tokenEndpoint(post({ code: 'c' }, headers))).status, 403)
  }
})

async function listen(t: TestContext, respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('follows no redirect with the secret [R09]', async (t) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const reached: string[] = []
    const tokenUrl = await listen(t, (request, response) => {
      reached.push(request.url ?? '')
      response.writeHead(status, { location: '/elsewhere' }).end('{"access_token":"at_1"}')
    })
    const { tokenEndpoint, lines } = upstream(() => new Response(), { tokenUrl, fetch })
    const response = await tokenEndpoint(post({ code: 'code_1' }))
    assert.equal(response.status, 500)
    assert.deepEqual(reached, ['/'])
    assert.match(lines.join(), /redirect_refused/)
  }
})

test('answers 502 for a status above 599', async (t) => {
  const tokenUrl = await listen(t, (_request, response) => response.writeHead(999).end())
  const { tokenEndpoint } = upstream(() => new Response(), { tokenUrl, fetch })
  const response = await tokenEndpoint(post({ code: 'code_1' }))
  assert.equal(response.status, 502)
  assert.deepEqual(await read(response), { error: 'token_exchange_failed' })
})

test('times out when the service does not answer [R09]', async (t) => {
  const tokenUrl = await listen(t, () => {})
  const { tokenEndpoint, lines } = upstream(() => new Response(), {
    tokenUrl,
    fetch,
    exchangeTimeoutMs: 50,
  })
  const response = await tokenEndpoint(post({ code: 'code_1' }))
  assert.equal(response.status, 500)
  assert.deepEqual(await read(response), { error: 'internal_server_error' })
  assert.match(lines.join(), /exchange_timeout/)
})

test('times out when the service does not complete its answer [R09]', async (t) => {
  const tokenUrl = await listen(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"access_token":')
  })
  const { tokenEndpoint } = upstream(() => new Response(), {
    tokenUrl,
    fetch,
    exchangeTimeoutMs: 100,
  })
  assert.equal((await tokenEndpoint(post({ code: 'code_1' }))).status, 500)
})

test('refuses a request above the size limit, whatever length it claims', async () => {
  const { calls, tokenEndpoint } = upstream(() => Response.json({}))
  const large = JSON.stringify({ code: 'x'.repeat(20_000) })
  assert.equal((await tokenEndpoint(post(large))).status, 413)
  let pulled = 0
  const endless = new ReadableStream({
    pull: (controller) => {
      pulled += 1
      controller.enqueue(new Uint8Array(4096).fill(32))
    },
  })
  const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit
  assert.equal((await tokenEndpoint(new Request('https://app.invalid/token', init))).status, 413)
  assert.ok(pulled < 20)
  assert.equal(calls.length, 0)
})

test('answers pages of its own origin, and callers that are not pages', async () => {
  for (const headers of [
    {},
    { origin: 'https://app.invalid' },
    { 'sec-fetch-site': 'same-origin' },
  ]) {
    const { tokenEndpoint } = upstream(() => Response.json({ access_token: 'at_1' }))
    const response = await tokenEndpoint(post({ code: 'c' }, headers as Record<string, string>))
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('access-control-allow-origin'), null)
  }
})

test('refuses a page of another origin without a request', async () => {
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://app.invalid', 'sec-fetch-site': 'cross-site' },
  ]) {
    const { calls, lines, tokenEndpoint } = upstream(() => Response.json({ access_token: 'at_1' }))
    const response = await tokenEndpoint(post({ code: 'c' }, headers as Record<string, string>))
    assert.equal(response.status, 403)
    assert.match(lines.join(), /list it in allowedOrigins/)
    assert.equal(response.headers.get('access-control-allow-origin'), null)
    assert.equal(calls.length, 0)
  }
})

test('allows a listed origin, with preflight', async () => {
  const origin = 'https://pages.example'
  const { tokenEndpoint } = upstream(() => Response.json({ access_token: 'at_1' }), {
    allowedOrigins: [origin],
  })
  const preflight = await tokenEndpoint(
    new Request('https://app.invalid/token', { method: 'OPTIONS', headers: { origin } }),
  )
  assert.ok(preflight.ok)
  assert.equal(preflight.headers.get('access-control-allow-origin'), origin)
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'content-type')
  const response = await tokenEndpoint(
    post({ code: 'c' }, { origin, 'sec-fetch-site': 'cross-site' }),
  )
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('access-control-allow-origin'), origin)
  assert.equal(response.headers.get('access-control-allow-credentials'), null)
})

test('accepts POST only', async () => {
  const { calls, tokenEndpoint } = upstream(() => Response.json({}))
  const response = await tokenEndpoint(new Request('https://app.invalid/token?code=code_1'))
  assert.equal(response.status, 405)
  assert.equal(response.headers.get('allow'), 'POST')
  assert.equal(calls.length, 0)
})
