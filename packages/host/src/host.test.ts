// A host from launch to end, without a browser. test/browser/handshake.browser.ts shows what needs
// a real one. Contract §5.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APP, openReady, SEED, settle, startHost } from './host-fixture.ts'

test('brings an app from its Launch URL to a verified token', async (t) => {
  const fixture = startHost(t)
  const { frame, app } = await openReady(fixture)
  assert.equal(frame.element.src, `${APP}/launch?launch_id=lnch_1`)
  assert.equal(app.origin, APP)
  assert.ok(app.answer?.type === 'chartside:welcome')
  assert.deepEqual(app.answer.seed, SEED)
  assert.equal(app.answer.launchId, 'lnch_1')
  assert.deepEqual(app.received, [{ type: 'ready', tokenExpiresAt: 1_000_000 + 3_600_000 }])
  assert.deepEqual(fixture.listEventTypes(), ['opened', 'handshake', 'context'])
})

test('emits no launch_id and no token in an event', async (t) => {
  const fixture = startHost(t)
  await openReady(fixture)
  const emitted = JSON.stringify(fixture.events.map((event) => ({ ...event, frame: null })))
  assert.doesNotMatch(emitted, /lnch_|at_1|st_1/)
})

test('warns a minute before the token expires, then launches again in the same place', async (t) => {
  const fixture = startHost(t)
  const { frame, app } = await openReady(fixture)
  await fixture.advance(3_540_000)
  assert.deepEqual(app.received.at(-1), { type: 'expiring', inSeconds: 60 })
  await fixture.advance(60_000)
  assert.deepEqual(app.received.at(-1), { type: 'ended', reason: 'expired' })
  assert.equal(frame.launch.id, 'lau_2')
  assert.equal(frame.element.src, `${APP}/launch?launch_id=lnch_2`)
  assert.deepEqual(fixture.listEventTypes().slice(-3), ['expiring', 'opened', 'relaunched'])
})

test('tries to launch again until the service is back', async (t) => {
  let isOffline = false
  const fixture = startHost(t, {}, () => isOffline)
  const { frame } = await openReady(fixture)
  isOffline = true
  await fixture.advance(3_600_000)
  assert.equal(frame.launch.id, 'lau_1')
  isOffline = false
  await fixture.advance(10_000)
  assert.equal(frame.launch.id, 'lau_2')
})

test('drops a hello of a document that the next launch replaced [X09]', async (t) => {
  const fixture = startHost(t)
  const frame = await fixture.open()
  const before = frame.element
  await frame.reload()
  assert.notEqual(frame.element, before)
  fixture.sendHello(before.contentWindow, 'nonce_of_the_old_document')
  assert.deepEqual(fixture.listEventTypes(), ['opened', 'opened', 'relaunched', 'ignored'])
  await fixture.advance(10_000)
  assert.equal(fixture.listEventTypes().at(-1), 'hello_timeout')
})

test('launches once when asked to reload twice at the same time', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openReady(fixture)
  await Promise.all([frame.reload(), frame.reload()])
  assert.equal(frame.launch.id, 'lau_2')
})

test('sends the end to the app and closes the channel when its launch ends', async (t) => {
  const fixture = startHost(t)
  const { frame, app } = await openReady(fixture)
  await fixture.sendStreamEvent('launch', { id: 'lau_of_another', state: 'ended', steps: [] })
  assert.equal(app.received.length, 1)
  await fixture.sendStreamEvent('launch', { id: 'lau_1', state: 'ended', steps: [] })
  assert.deepEqual(app.received.at(-1), { type: 'ended', reason: 'revoked' })
  const again = fixture.sendHello(frame.element.contentWindow, 'nonce_after')
  assert.ok(again.answer?.type === 'chartside:refusal')
  assert.equal(again.answer.code, 'LAUNCH_ENDED')
})

test('ends every frame with the session, and opens nothing afterwards', async (t) => {
  const fixture = startHost(t)
  const { frame, app } = await openReady(fixture)
  await fixture.sendStreamEvent('ended', { reason: 'signed_out' })
  assert.deepEqual(app.received.at(-1), { type: 'ended', reason: 'signed_out' })
  await assert.rejects(fixture.open(), { code: 'session_ended' })
  await assert.rejects(frame.reload(), { code: 'session_ended' })
  assert.equal(fixture.calls.filter(({ route }) => route === 'launches').length, 1)
})

test('does not relaunch an app that never presented a token', async (t) => {
  const fixture = startHost(t)
  const frame = await fixture.open()
  await fixture.sendStreamEvent('launch', { id: 'lau_1', state: 'expired', steps: [] })
  assert.equal(frame.launch.id, 'lau_1')
  assert.deepEqual(fixture.events.at(-1), {
    type: 'ended',
    reason: 'expired',
    frame,
    launch: 'lau_1',
  })
})

const ok = (step: string) => ({ step, outcome: 'ok', at: '' })

test('reports a missing hello with advice by the state of the launch', async (t) => {
  for (const [state, step, passed, advice] of [
    ['opened', 'authorize', [], /app is running/],
    ['authorized', 'exchange', ['authorize', 'code'], /could not exchange it.*redirect URI/],
    ['exchanged', 'handshake', ['authorize', 'code', 'exchange'], /script-src/],
  ] as const) {
    const fixture = startHost(t)
    await fixture.open()
    await fixture.sendStreamEvent('launch', { id: 'lau_1', state, steps: passed.map(ok) })
    await fixture.advance(10_000)
    const timeout = fixture.events.at(-1)
    assert.ok(timeout?.type === 'hello_timeout')
    assert.equal(timeout.step, step, 'the first that did not happen')
    assert.partialDeepStrictEqual(fixture.host.findState('lau_1'), { kind: 'failed', step })
    assert.match(`${timeout.message} ${timeout.fix}`, advice)
  }
})

test('reports a missing hello after a failed exchange by the failed step', async (t) => {
  const fixture = startHost(t)
  await fixture.open()
  const steps = [
    { step: 'code', outcome: 'ok' },
    {
      step: 'exchange',
      outcome: 'failed',
      code: 'invalid_client',
      cause: 'The secret is wrong.',
      fix: 'Use a live one.',
    },
    { step: 'opened', outcome: 'ok' },
  ]
  await fixture.sendStreamEvent('launch', { id: 'lau_1', state: 'authorized', steps })
  await fixture.advance(10_000)
  const timeout = fixture.events.at(-1)
  assert.ok(timeout?.type === 'hello_timeout')
  assert.match(
    `${timeout.message} ${timeout.fix}`,
    /"exchange" failed \(invalid_client\)\. The secret is wrong\. Use a/,
  )
  assert.doesNotMatch(timeout.message, /Check/)
  assert.equal(timeout.fix, 'Use a live one.')
})

test('cuts a long failure of the app to the length that the service accepts', async (t) => {
  const fixture = startHost(t)
  const frame = await fixture.open()
  const app = fixture.sendHello(frame.element.contentWindow, 'nonce_1')
  const message = 'x'.repeat(1_000)
  app.port?.postMessage({ type: 'failed', code: 'TOKEN_FETCH_ERROR', message })
  await settle()
  const refused = fixture.events.at(-1)
  assert.equal(refused?.type === 'refused' && refused.message, message)
  const report = fixture.calls.findLast(({ route }) => route === 'steps')?.body ?? ''
  assert.equal(JSON.parse(report).detail, message.slice(0, 500))
})

test('retries the verification of a token during a short outage of the service', async (t) => {
  let failures = 2
  const fixture = startHost(t, {
    introspect: () => {
      failures -= 1
      return failures >= 0 ? 0 : { active: true, launch_id: 'lnch_1' }
    },
  })
  const { app } = await openReady(fixture)
  await fixture.advance(2_000)
  assert.deepEqual(app.received, [{ type: 'ready' }])
})

test('refuses a token that the service could not verify, and says so', async (t) => {
  const fixture = startHost(t, { introspect: () => 503 })
  const { app } = await openReady(fixture)
  await fixture.advance(2_000)
  const [refused] = app.received as { code: string; message: string }[]
  assert.equal(refused?.code, 'TOKEN_REJECTED')
  assert.match(refused?.message ?? '', /could not be verified/)
})

test('accepts one token per channel [X02]', async (t) => {
  const fixture = startHost(t)
  const { app } = await openReady(fixture)
  app.port?.postMessage({ type: 'token', accessToken: 'at_2' })
  await settle()
  const last = fixture.events.at(-1)
  assert.equal(last?.type === 'ignored' && last.reason, 'unexpected')
})

test('rejects a failed launch with the code and the trace id of the service', async (t) => {
  const fixture = startHost(t, { launches: () => 403 })
  await assert.rejects(fixture.open(), {
    name: 'HostError',
    code: 'service_code',
    traceId: 'trace_1',
  })
  assert.equal(fixture.events.at(-1)?.type, 'failed')
})

test('sends the end to open frames when the host is closed', async (t) => {
  const fixture = startHost(t)
  const { app } = await openReady(fixture)
  fixture.host.close()
  await settle()
  assert.deepEqual(app.received.at(-1), { type: 'ended', reason: 'closed' })
  await assert.rejects(fixture.open(), { code: 'closed' })
})

test('reports an error of the listener to the page, and continues', async (t) => {
  const fixture = startHost(t)
  const broken = new Error('of the page')
  fixture.onEvent = () => {
    throw broken
  }
  const { app } = await openReady(fixture)
  await fixture.sendStreamEvent('launch', { id: 'lau_1', state: 'exchanged', steps: [] })
  await fixture.sendStreamEvent('launch', { id: 'lau_1', state: 'ended', steps: [] })
  await fixture.advance(60_000)
  assert.deepEqual(app.received.at(-1), { type: 'ended', reason: 'revoked' })
  assert.deepEqual(fixture.listEventTypes(), [
    ...['opened', 'handshake', 'context', 'launch', 'launch', 'ended'],
  ])
  assert.deepEqual(new Set(fixture.reported), new Set([broken]))
  assert.equal(fixture.reported.length, fixture.events.length)
  assert.equal(fixture.calls.filter(({ route }) => route === 'events').length, 1)
})

test('hands the registered token endpoint to the app with the seed', async (t) => {
  const endpoint = `${APP}/token`
  const launchUrl = `${APP}/launch?launch_id=lnch_1`
  const app = { id: 'app_1', name: 'Visit Notes', origins: [APP], tokenEndpoint: endpoint }
  const launch = { id: 'lau_1', launchId: 'lnch_1', launchUrl, app, seed: SEED }
  const fixture = startHost(t, { launches: () => launch })
  const { element } = await fixture.open()
  const { answer } = fixture.sendHello(element.contentWindow, 'nonce_1')
  assert.ok(answer?.type === 'chartside:welcome')
  assert.equal(answer.tokenEndpoint, endpoint)
})

test('hears no message any more once it is closed', async (t) => {
  const fixture = startHost(t)
  const { element } = await fixture.open()
  fixture.host.close()
  const before = fixture.events.length
  fixture.sendHello(element.contentWindow, 'nonce_late')
  assert.equal(fixture.events.length, before)
})

test('ends an app whose next launch is refused for good, and asks no more', async (t) => {
  let asked = 0
  let isRefused = false
  const launches = () => {
    asked += 1
    return isRefused ? 409 : opened(asked)
  }
  const opened = (number: number) => ({
    ...{ id: `lau_${number}`, launchId: `lnch_${number}`, seed: SEED },
    app: { id: 'app_1', name: 'Visit Notes', origins: [APP] },
    launchUrl: `${APP}/launch?launch_id=lnch_${number}`,
  })
  const fixture = startHost(t, {
    launches,
    introspect: () => ({ active: true, launch_id: `lnch_${asked}`, exp: 4_600 }),
  })
  await openReady(fixture)
  isRefused = true
  await fixture.advance(3_600_000)
  assert.equal(fixture.listEventTypes().at(-1), 'ended')
  const before = asked
  await fixture.advance(600_000)
  assert.equal(asked, before)
})
