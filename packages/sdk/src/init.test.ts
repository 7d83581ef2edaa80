// Initialization from hello to session context. For what needs a real browser see
// test/browser/handshake.browser.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildRefusal, type Refusal } from '@chartside/protocol/handshake'
import { createInit } from './init.ts'
import {
  failureOf,
  HOST,
  INVALID_TIMES,
  openPage,
  quick,
  SEED,
  withTokenEndpoint,
} from './sdk-fixture.ts'

test('resolves to the session context once the host has verified the token', async (t) => {
  t.mock.method(console, 'warn', () => assert.fail('nothing to warn about'))
  const { init, received, requests } = openPage()
  const sdk = await init({ accessToken: 'at_1', idToken: 'header.payload.signature' })
  const { getIdToken, ...seed } = sdk.sessionContext ?? assert.fail()
  assert.deepEqual(seed, SEED)
  assert.deepEqual(await getIdToken(), { idToken: 'header.payload.signature' })
  assert.deepEqual(received, [{ type: 'token', accessToken: 'at_1' }])
  assert.deepEqual(requests, [])
})

test('rejects getIdToken with ID_TOKEN_UNAVAILABLE without an ID token', async () => {
  const sdk = await openPage().init({ accessToken: 'at_1' })
  const { code, cause, fix } = await failureOf(
    sdk.sessionContext?.getIdToken() ?? Promise.resolve(),
  )
  assert.equal(code, 'ID_TOKEN_UNAVAILABLE')
  assert.match(cause, /passed to init without idToken/)
  assert.match(fix, /initServiceSDK\(\{ accessToken, idToken \}\).*option 3/)
})

test('names the token endpoint when that returned no ID token', async () => {
  const { init } = openPage(withTokenEndpoint(() => Response.json({ access_token: 'at_1' })))
  const { sessionContext } = await init()
  const { cause, fix } = await failureOf(sessionContext?.getIdToken() ?? Promise.resolve())
  assert.match(cause, /token endpoint returned no id_token/)
  assert.match(fix, /Let the token endpoint pass on id_token/)
})

test('takes cause and fix of a refusal, or the text of an earlier host as its cause', async () => {
  const refused = { type: 'refused', code: 'TOKEN_REJECTED', message: 'It is dead.' }
  for (const [tokenAnswer, message, fix] of [
    [{ ...refused, fix: 'Launch.' }, 'It is dead. Launch.', 'Launch.'],
    [refused, 'It is dead.', 'Launch the app again from the side panel.'],
    [{ ...refused, fix: 5 }, 'It is dead.', 'Launch the app again from the side panel.'],
  ] as const) {
    const error = await failureOf(openPage({ tokenAnswer }).init(quick))
    assert.deepEqual([error.message, error.cause, error.fix], [message, 'It is dead.', fix])
  }
})

test('returns one promise for two calls, and tries again after a failure', async () => {
  const { init, received } = openPage()
  const first = init({ accessToken: 'at_1' })
  assert.equal(init({ accessToken: 'at_2' }), first)
  assert.equal(await init(), await first)
  assert.equal(received.length, 1)

  const page = openPage({
    tokenAnswer: { type: 'refused', code: 'TOKEN_REJECTED', message: 'dead' },
  })
  const failed = page.init(quick)
  assert.equal((await failureOf(failed)).code, 'TOKEN_REJECTED')
  const again = page.init(quick)
  assert.notEqual(again, failed)
  await failureOf(again)
})

test('starts again at once after the first init was aborted', async (t) => {
  // This page's messages arrive at once, before the first init has stopped to listen.
  t.mock.method(console, 'warn', () => {})
  let hellos = 0
  const { init, received, welcome } = openPage({
    onHello: (reply, nonce) => {
      hellos += 1
      if (hellos === 2) reply(welcome(nonce))
    },
  })
  const first = new AbortController()
  const cleanedUp = init({ accessToken: 'at_1', signal: first.signal })
  first.abort(new Error('effect cleaned up'))
  const sdk = await init({ accessToken: 'at_1' })
  await assert.rejects(cleanedUp, /cleaned up/)
  assert.equal(sdk.sessionContext?.userId, 'usr_1')
  assert.equal(received.length, 1)
})

test('keeps its outcome when a signal is aborted after it', async () => {
  const { init } = openPage()
  const controller = new AbortController()
  const sdk = await init({ accessToken: 'at_1', signal: controller.signal })
  controller.abort()
  assert.equal(await init(), sdk)
})

test('refuses an ID token of another launch and sends no access token [L05]', async () => {
  const { init, received } = openPage()
  const payload = Buffer.from('{"launch_id":"lnch_2","name":"Zoë"}').toString('base64url')
  const { code } = await failureOf(init({ accessToken: 'at_1', idToken: `h.${payload}.s` }))
  assert.equal(code, 'LAUNCH_MISMATCH')
  for (let tries = 0; received.length === 0 && tries < 400; tries++) await sleep(5)
  assert.doesNotMatch(JSON.stringify(received), /at_1/)
})

test('rejects with HOST_NOT_FOUND outside a frame and outside a browser [X08]', async () => {
  const { page } = openPage()
  const top = { ...page }
  Object.assign(top, { parent: top })
  const { parent: _, ...server } = page
  for (const alone of [top, server]) {
    assert.equal((await failureOf(createInit(alone, [HOST])())).code, 'HOST_NOT_FOUND')
  }
})

test('rejects with HOST_NOT_FOUND without host origins', async () => {
  const { initServiceSDK } = await import('./served.ts')
  const { page } = openPage({ onHello: () => assert.fail('said hello') })
  for (const init of [initServiceSDK, createInit(page, [])]) {
    const { code, message } = await failureOf(init({ accessToken: 'at_1' }))
    assert.equal(code, 'HOST_NOT_FOUND')
    assert.match(message, /names no hosts.*\/sdk\/manifest\.json/)
  }
})

test('rejects with HANDSHAKE_TIMEOUT without an answer, and removes its listener [X08]', async () => {
  const { init, listeners } = openPage({ onHello: () => {} })
  const { code, message } = await failureOf(init(quick))
  assert.equal(code, 'HANDSHAKE_TIMEOUT')
  assert.match(message, /https:\/\/notes\.example is not an origin/)
  assert.equal(listeners.size, 0)
})

test('rejects with HANDSHAKE_TIMEOUT when the host never verifies the token', async () => {
  const { init } = openPage({ tokenAnswer: { type: 'unknown to the protocol' } })
  const { code, message } = await failureOf(init(quick))
  assert.equal(code, 'HANDSHAKE_TIMEOUT')
  assert.match(message, /did not verify/)
})

for (const [attack, from] of [
  ['another window', { source: {} }],
  ['another extension', { origin: 'chrome-extension://evil' }],
  ['an origin that starts like a host', { origin: `${HOST}.evil` }],
  ['an opaque origin', { origin: 'null' }],
] as const) {
  test(`ignores an answer from ${attack}, and warns [X01] [X02]`, async (t) => {
    const warn = t.mock.method(console, 'warn', () => {})
    const fixture = openPage({ onHello: (reply, nonce) => reply(fixture.welcome(nonce), from) })
    assert.equal((await failureOf(fixture.init(quick))).code, 'HANDSHAKE_TIMEOUT')
    assert.equal(warn.mock.callCount(), 1)
  })
}

test('ignores an answer to another hello [X02]', async (t) => {
  t.mock.method(console, 'warn', () => {})
  const fixture = openPage({ onHello: (reply) => reply(fixture.welcome('nonce_of_another')) })
  assert.equal((await failureOf(fixture.init(quick))).code, 'HANDSHAKE_TIMEOUT')
})

test('accepts the first of two genuine hosts and warns of the second', async (t) => {
  const warn = t.mock.method(console, 'warn', () => {})
  const fixture = openPage({
    onHello: (reply, nonce) => {
      reply(fixture.welcome(nonce))
      reply({ ...fixture.welcome(nonce), seed: { ...SEED, userId: 'usr_2' } })
    },
  })
  const sdk = await fixture.init({ accessToken: 'at_1' })
  assert.equal(sdk.sessionContext?.userId, 'usr_1')
  assert.match(String(warn.mock.calls[0]?.arguments[0]), /second host/)
})

for (const code of ['PROTOCOL_MISMATCH', 'LAUNCH_ENDED'] satisfies Refusal['code'][]) {
  test(`passes on a refusal of the host: ${code} [X07]`, async () => {
    const { init } = openPage({
      onHello: (reply, nonce) => reply(buildRefusal({ nonce, code, message: 'why' })),
    })
    const error = await failureOf(init(quick))
    assert.deepEqual([error.code, error.message], [code, 'why'])
  })
}

test('rejects with PROTOCOL_MISMATCH when the host answers in an unknown version [X07]', async () => {
  const fixture = openPage({
    onHello: (reply, nonce) => reply({ ...fixture.welcome(nonce), version: 9 }),
  })
  assert.equal((await failureOf(fixture.init(quick))).code, 'PROTOCOL_MISMATCH')
})

test("rejects with PROTOCOL_MISMATCH when it cannot parse the host's answer [X07]", async () => {
  const { init } = openPage({
    onHello: (reply, nonce) => reply({ type: 'chartside:welcome', nonce, version: 'two' }),
  })
  assert.equal((await failureOf(init({ accessToken: 'at_1' }))).code, 'PROTOCOL_MISMATCH')
})

test('warns of a late second host, then removes its listener', async (t) => {
  const warn = t.mock.method(console, 'warn', () => {})
  const fixture = openPage()
  await fixture.init({ accessToken: 'at_1', handshakeTimeoutMs: 60 })
  assert.equal(fixture.listeners.size, 1)
  for (let tries = 0; fixture.listeners.size > 0 && tries < 400; tries++) await sleep(5)
  assert.equal(fixture.listeners.size, 0)
  assert.equal(warn.mock.callCount(), 0)
})

test('leaves no timer that keeps a Node process alive', async () => {
  const countTimers = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = countTimers()
  const { init, listeners } = openPage()
  await init({ accessToken: 'at_1' })
  assert.equal(listeners.size, 1, 'it still looks out for a second host')
  assert.equal(countTimers(), before)
})

for (const [given, ms] of INVALID_TIMES) {
  test(`waits ${ms} ms for its host with a handshakeTimeoutMs of ${given} [X08]`, async (t) => {
    const { init } = openPage({ onHello: () => {} })
    const timers = t.mock.method(globalThis, 'setTimeout')
    const controller = new AbortController()
    const { signal } = controller
    const pending = init({ accessToken: 'at_1', handshakeTimeoutMs: given, signal })
    controller.abort(new Error('left'))
    await assert.rejects(pending, /left/)
    assert.deepEqual(
      timers.mock.calls.map(({ arguments: [, delay] }) => delay),
      [ms],
    )
  })
}

test('stops on an abort signal, before and during the handshake', async () => {
  const { init, listeners } = openPage({ onHello: () => {} })
  const aborted = AbortSignal.abort(new Error('left'))
  await assert.rejects(init({ accessToken: 'at_1', signal: aborted }), /left/)
  const controller = new AbortController()
  const pending = init({ accessToken: 'at_1', signal: controller.signal })
  controller.abort(new Error('left later'))
  await assert.rejects(pending, /left later/)
  assert.equal(listeners.size, 0)
})

test('rejects with LAUNCH_ENDED when the launch ends before the token is verified', async () => {
  const { init } = openPage({ tokenAnswer: { type: 'ended', reason: 'idle' } })
  assert.equal((await failureOf(init({ accessToken: 'at_1' }))).code, 'LAUNCH_ENDED')
})

test('writes no token and no code in debug lines and warnings', async (t) => {
  const lines: unknown[] = []
  for (const level of ['info', 'warn'] as const) {
    t.mock.method(console, level, (...line: unknown[]) => lines.push(...line))
  }
  const { init } = openPage({
    ...withTokenEndpoint(() => Response.json({ access_token: 'at_1', id_token: 'h.e30.secret' })),
  })
  await init({ debug: true })
  assert.ok(lines.length >= 3)
  assert.doesNotMatch(lines.join('\n'), /code_1|at_1|secret/)
})

test('sends a nonce of 128 random bits with each hello [X01]', async () => {
  const nonces: string[] = []
  for (let i = 0; i < 2; i++) {
    const fixture = openPage({
      onHello: (reply, nonce) => {
        nonces.push(nonce)
        reply(fixture.welcome(nonce))
      },
    })
    await fixture.init({ accessToken: 'at_1' })
  }
  assert.equal(new Set(nonces).size, 2)
  for (const nonce of nonces) assert.match(nonce, /^\d+(-\d+){3}$/)
})
