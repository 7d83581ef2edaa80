// The exchange as option 1 uses it: its request, and the result of each answer.
// Spec §4.2, §5.1, §7; security R09.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt, generateKeyPair, jwtVerify } from 'jose'
import { createAppKit, ExchangeError } from './index.ts'

const kit = (fetchFrom: typeof fetch) =>
  createAppKit({
    baseUrl: 'https://service.invalid',
    clientId: 'cli_1',
    clientSecret: 'cs_secret',
    fetch: fetchFrom,
  })

const answering = (status: number, body: unknown) =>
  kit(async () => Response.json(body, { status }))

test('sends verifier and redirect URI when given, and follows no redirect', async () => {
  const calls: RequestInit[] = []
  const { exchange } = kit(async (_url, init = {}) => {
    calls.push(init)
    return Response.json({ access_token: 'at_1', id_token: 'jwt', expires_in: 3600 })
  })
  const options = { redirectUri: 'https://app.example/cb', codeVerifier: 'v'.repeat(43) }
  assert.deepEqual(await exchange('code_1', options), {
    accessToken: 'at_1',
    idToken: 'jwt',
    tokenType: 'Bearer',
    expiresIn: 3600,
  })
  assert.equal(calls.length, 1)
  assert.equal(calls[0]?.redirect, 'manual')
  assert.deepEqual(JSON.parse(String(calls[0]?.body)), {
    grant_type: 'authorization_code',
    code: 'code_1',
    client_id: 'cli_1',
    client_secret: 'cs_secret',
    redirect_uri: 'https://app.example/cb',
    code_verifier: 'v'.repeat(43),
  })
})

test('rejects with code, cause, fix and trace id when the service refuses the code', async () => {
  const body = { error: 'invalid_grant', error_description: 'Spent.', trace_id: 'trc_1' }
  await assert.rejects(answering(400, body).exchange('code_1'), (error: unknown) => {
    assert.ok(error instanceof ExchangeError)
    const { code, status, message, description, traceId } = error
    assert.deepEqual(
      { code, status, error: error.error, message, description, traceId },
      {
        code: 'exchange_refused',
        status: 400,
        error: 'invalid_grant',
        message: 'Spent.',
        description: 'Spent.',
        traceId: 'trc_1',
      },
    )
    assert.match(error.fix, /Launch the app again/)
    return true
  })
})

test('keeps the status and sets token_exchange_failed when the answer is not JSON', async () => {
  const { exchange } = kit(async () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  const error = { code: 'exchange_refused', status: 502, error: 'token_exchange_failed' }
  await assert.rejects(exchange('code_1'), error)
})

test('accepts an answer without an ID token, and refuses one without an access token', async () => {
  const { accessToken, idToken } = await answering(200, { access_token: 'at_1' }).exchange('c')
  assert.deepEqual([accessToken, idToken], ['at_1', undefined])
  for (const body of [{}, { access_token: 1 }, { access_token: '' }, { accessToken: 'at_1' }, []]) {
    await assert.rejects(answering(200, body).exchange('c'), {
      code: 'answer_unusable',
      status: 502,
    })
  }
})

test('distinguishes an unreachable service from a redirect, without the secret', async () => {
  const unreachable = kit(() => Promise.reject(new TypeError('fetch failed')))
  await assert.rejects(unreachable.exchange('c'), { code: 'service_unreachable', status: 502 })
  const moved = kit(async () => new Response(null, { status: 308, headers: { location: '/x' } }))
  await assert.rejects(moved.exchange('c'), (error: unknown) => {
    assert.ok(error instanceof ExchangeError)
    assert.equal(error.code, 'redirect_refused')
    assert.doesNotMatch(JSON.stringify(error) + error.message + error.fix, /cs_secret/)
    return true
  })
})

test("aborts with the caller's signal and its reason", async () => {
  const { exchange } = kit(
    (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  )
  const controller = new AbortController()
  const running = exchange('c', { signal: controller.signal })
  controller.abort(new Error('the page is gone'))
  await assert.rejects(running, /the page is gone/)
})

test('times out with its own code and 504 [R09]', async () => {
  const unresponsive = createAppKit({
    baseUrl: 'https://service.invalid',
    clientId: 'cli_1',
    clientSecret: 'cs_secret',
    exchangeTimeoutMs: 20,
    fetch: (_url, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  })
  await assert.rejects(unresponsive.exchange('code_1'), { code: 'exchange_timeout', status: 504 })
})

test('sends nothing and rejects with 400 when the code is no text', async () => {
  const { exchange } = kit(async () => assert.fail('a request was made'))
  for (const code of [undefined, null, '', 7, {}, ['code_1']]) {
    await assert.rejects(exchange(code), {
      name: 'ExchangeError',
      code: 'code_missing',
      status: 400,
      error: 'missing_code',
      fix: /Post \{ code \}/,
    })
  }
})

test('signs with a private key in place of the secret, anew for each exchange [P08]', async () => {
  const bodies: Record<string, string>[] = []
  for (const alg of ['ES256', 'RS256', 'RS256'] as const) {
    const { privateKey, publicKey } = await generateKeyPair(alg)
    const { exchange } = createAppKit({
      ...{ baseUrl: 'https://service.invalid', clientId: 'cli_1' },
      clientKey: { privateKey, kid: 'one' },
      fetch: async (_url, init) => {
        bodies.push(JSON.parse(String(init?.body)))
        return Response.json({ access_token: 'at_1' })
      },
    })
    await exchange('code_1')
    const { client_assertion = '', ...others } = bodies.at(-1) ?? {}
    assert.deepEqual(others, {
      ...{ grant_type: 'authorization_code', code: 'code_1', client_id: 'cli_1' },
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    const audience = 'https://service.invalid/app-auth'
    const who = { issuer: 'cli_1', subject: 'cli_1', audience, algorithms: [alg] }
    const { payload, protectedHeader } = await jwtVerify(client_assertion, publicKey, who)
    assert.equal(Number(payload.exp) - Number(payload.iat), 60)
    assert.equal(protectedHeader.kid, 'one')
  }
  const ids = bodies.map(({ client_assertion = '' }) => decodeJwt(client_assertion).jti)
  assert.equal(new Set(ids).size, 3)
  const { publicKey } = await generateKeyPair('ES256')
  const wrong = { baseUrl: 'https://service.invalid', clientId: 'cli_1' }
  const make = (privateKey: typeof publicKey, kid: string) => () =>
    createAppKit({ ...wrong, clientKey: { privateKey, kid } })
  assert.throws(make(publicKey, 'one'), /not a private CryptoKey/)
  assert.throws(make(publicKey, ''), /kid is missing/)
})

test('reads no answer of more than 64 KB', async () => {
  const padding = 'x'.repeat(65_536)
  const { exchange } = answering(200, { access_token: 'at_1', padding })
  await assert.rejects(exchange('code_1'), { code: 'answer_unusable', status: 502 })
})
