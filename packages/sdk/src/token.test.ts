// The sources of the tokens, and the errors when there are none.
// Spec §5.1, §5.2 and §7.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InitOptions } from './init.ts'
import { ENDPOINT, failureOf, openPage, type Setting, withTokenEndpoint } from './sdk-fixture.ts'

test('posts the code of the URL to the registered token endpoint without redirects', async () => {
  const { init, received, requests } = openPage({
    search: '?code=code_1&state=lnch_1%3Acsrf',
    tokenEndpoint: ENDPOINT,
    answerToken: () => Response.json({ access_token: 'at_1', id_token: 'h.e30.s' }),
  })
  const sdk = await init()
  assert.deepEqual(await sdk.sessionContext?.getIdToken(), { idToken: 'h.e30.s' })
  assert.deepEqual(received, [{ type: 'token', accessToken: 'at_1' }])
  const [request] = requests
  assert.equal(request?.url, ENDPOINT)
  assert.equal(request?.init.body, '{"code":"code_1"}')
  assert.equal(request?.init.redirect, 'error')
})

test('posts a code once for several calls of init', async () => {
  const fixture = openPage({
    ...withTokenEndpoint(() => Response.json({ access_token: 'at_1' })),
    tokenAnswer: { type: 'refused', code: 'TOKEN_REJECTED', message: 'dead' },
  })
  await failureOf(fixture.init({ handshakeTimeoutMs: 40 }))
  await failureOf(fixture.init({ handshakeTimeoutMs: 40 }))
  assert.equal(fixture.requests.length, 1)
})

test('prefers a passed code to the one of the URL', async () => {
  const fixture = openPage({
    ...withTokenEndpoint(() => Response.json({ access_token: 'at_1' })),
    search: '?code=code_of_another_provider',
  })
  await fixture.init({ code: 'code_1' })
  assert.equal(fixture.requests[0]?.init.body, '{"code":"code_1"}')
})

test('treats an idToken of null as absent', async () => {
  const sdk = await openPage().init({ accessToken: 'at_1', idToken: null as never })
  const { code } = await failureOf(sdk.sessionContext?.getIdToken() ?? Promise.resolve())
  assert.equal(code, 'ID_TOKEN_UNAVAILABLE')
})

for (const [given, warnings] of [
  [{ id_token: 'h.e30.s' }, 1],
  ['', 1],
  [null, 0],
] as const) {
  test(`accepts id_token ${JSON.stringify(given)} and warns ${warnings} times`, async (t) => {
    const warn = t.mock.method(console, 'warn', () => {})
    const answer = { access_token: 'at_1', id_token: given }
    const sdk = await openPage(withTokenEndpoint(() => Response.json(answer))).init()
    const { code } = await failureOf(sdk.sessionContext?.getIdToken() ?? Promise.resolve())
    assert.equal(code, 'ID_TOKEN_UNAVAILABLE')
    const lines = warn.mock.calls.map(({ arguments: [line] }) => String(line))
    assert.equal(lines.length, warnings)
    for (const line of lines) assert.match(line, /https:\/\/notes\.example\/token.* id_token/)
    assert.doesNotMatch(lines.join(), /h\.e30|at_1/)
  })
}

test('uses the code that the URL had when it loaded', async () => {
  const fixture = openPage({
    search: '?code=code_1',
    tokenEndpoint: ENDPOINT,
    answerToken: () => Response.json({ access_token: 'at_1' }),
  })
  Object.assign(fixture.page, { location: { search: '' } })
  await fixture.init()
  assert.equal(fixture.requests[0]?.init.body, '{"code":"code_1"}')
})

for (const [fault, setting, options, cause] of [
  [
    'accessToken is the whole response',
    {},
    { accessToken: { access_token: 'at_1' } as never },
    /not a string/,
  ],
  ['accessToken is empty', {}, { accessToken: '' }, /empty/],
  [
    'idToken is not a string',
    {},
    { accessToken: 'at_1', idToken: { id_token: 'h.e30.s' } as never },
    /idToken passed to init is not a string \(object\)/,
  ],
  ['idToken is empty', {}, { accessToken: 'at_1', idToken: '' }, /idToken .* is empty/],
  [
    'no token endpoint is registered',
    { search: '?code=code_1' },
    {},
    /no token endpoint registered/,
  ],
  ['the URL has no code', { tokenEndpoint: ENDPOINT }, {}, /no code parameter/],
  [
    'the token endpoint is unreachable',
    withTokenEndpoint(() => Promise.reject(new TypeError('x'))),
    {},
    /could not be reached/,
  ],
  [
    'the token endpoint refuses the code',
    withTokenEndpoint(() => {
      const headers = { 'x-trace-id': 'trc_1' }
      return Response.json({ error: 'invalid_grant' }, { status: 400, headers })
    }),
    {},
    /400 and error "invalid_grant" \(trace trc_1\)/,
  ],
  [
    'the token endpoint answers 502',
    withTokenEndpoint(() => new Response('oops', { status: 502 })),
    {},
    /answered 502\./,
  ],
  [
    'the token endpoint answers 503',
    withTokenEndpoint(() => new Response('', { status: 503 })),
    {},
    /answered 503\. A code is posted once, .*launch again/,
  ],
  [
    'the token endpoint answers HTML',
    withTokenEndpoint(() => new Response('<!doctype html>')),
    {},
    /HTML page/,
  ],
  [
    'the token endpoint answers text',
    withTokenEndpoint(() => new Response('ok')),
    {},
    /not a JSON object/,
  ],
  [
    'the token endpoint answers null',
    withTokenEndpoint(() => Response.json(null)),
    {},
    /not a JSON object/,
  ],
  [
    'the token endpoint answers camelCase',
    withTokenEndpoint(() => Response.json({ accessToken: 'at_1' })),
    {},
    /camelCase/,
  ],
  [
    'access_token is missing',
    withTokenEndpoint(() => Response.json({})),
    {},
    /without an access_token/,
  ],
  [
    'access_token is a number',
    withTokenEndpoint(() => Response.json({ access_token: 1 })),
    {},
    /without an access_token/,
  ],
] as const satisfies readonly (readonly [string, Setting, InitOptions, RegExp])[]) {
  test(`rejects with TOKEN_FETCH_ERROR when ${fault}`, async () => {
    const { init, received } = openPage(setting)
    const { code, message, cause: named, fix } = await failureOf(init(options))
    assert.equal(code, 'TOKEN_FETCH_ERROR')
    assert.match(message, cause)
    assert.doesNotMatch(message, /code_1|at_1/)
    // A port delivers in its own time; a slow machine takes longer than a moment.
    for (let tries = 0; received.length === 0 && tries < 400; tries++) await sleep(5)
    assert.deepEqual(received, [{ type: 'failed', code, message: named, fix }])
    assert.equal(message, `${named} ${fix}`)
  })
}

test('lets no cache answer for the token endpoint', async () => {
  const fixture = openPage(withTokenEndpoint(() => Response.json({ access_token: 'at_1' })))
  await fixture.init()
  assert.equal(fixture.requests[0]?.init.cache, 'no-store')
})

test('takes no token from an answer that is no success', async () => {
  const refusal = () => Response.json({ access_token: 'at_1' }, { status: 400 })
  const fixture = openPage(withTokenEndpoint(refusal))
  const { code, cause } = await failureOf(fixture.init())
  assert.equal(code, 'TOKEN_FETCH_ERROR')
  assert.match(cause, /answered 400/)
  await sleep(20)
  assert.deepEqual(
    fixture.received.map((message) => (message as { type: string }).type),
    ['failed'],
  )
})

test('waits twenty seconds for the token endpoint, and no longer [X08]', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const fixture = openPage(withTokenEndpoint(() => new Promise(() => {})))
  const failure = failureOf(fixture.init({ handshakeTimeoutMs: 60_000 }))
  while (fixture.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  t.mock.timers.tick(20_000)
  const { code, cause } = await failure
  assert.equal(code, 'TOKEN_FETCH_ERROR')
  assert.match(cause, /within 20 s/)
})
