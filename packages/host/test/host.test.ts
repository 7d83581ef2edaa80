// The stories of a host from launch to end, without a browser. What only a browser can show is in
// test/browser/handshake.browser.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APP, openReady, SEED, setStage, settle } from './host-stage.ts'

test('brings an app from its Launch URL to a verified token', async () => {
  const stage = setStage()
  const { frame, app } = await openReady(stage)
  assert.equal(frame.element.src, `${APP}/launch?launch_id=lnch_1`)
  assert.equal(app.origin, APP)
  assert.ok(app.answer?.type === 'chartside:welcome')
  assert.deepEqual(app.answer.seed, SEED)
  assert.equal(app.answer.launchId, 'lnch_1')
  assert.deepEqual(app.heard, [{ type: 'ready', tokenExpiresAt: 1_000_000 + 3_600_000 }])
  assert.deepEqual(stage.typesOf(), ['opened', 'handshake', 'context'])
  stage.host.close()
})

test('tells no event a launch_id or a token', async () => {
  const stage = setStage()
  await openReady(stage)
  const told = JSON.stringify(stage.events.map((event) => ({ ...event, frame: null })))
  assert.doesNotMatch(told, /lnch_|at_1|st_1/)
  stage.host.close()
})

test('warns a minute before the token ends, then launches again in the same place', async () => {
  const stage = setStage()
  const { frame, app } = await openReady(stage)
  await stage.pass(3_540_000)
  assert.deepEqual(app.heard.at(-1), { type: 'expiring', inSeconds: 60 })
  await stage.pass(60_000)
  assert.deepEqual(app.heard.at(-1), { type: 'ended', reason: 'expired' })
  assert.equal(frame.launch.id, 'lau_2')
  assert.equal(frame.element.src, `${APP}/launch?launch_id=lnch_2`)
  assert.deepEqual(stage.typesOf().slice(-3), ['expiring', 'opened', 'relaunched'])
  stage.host.close()
})

test('tries to launch again until the service is back', async () => {
  let away = false
  const stage = setStage({}, () => away)
  const { frame } = await openReady(stage)
  away = true
  await stage.pass(3_600_000)
  assert.equal(frame.launch.id, 'lau_1')
  away = false
  await stage.pass(10_000)
  assert.equal(frame.launch.id, 'lau_2')
  stage.host.close()
})

test('drops a hello of the document that the next launch replaced [X09]', async () => {
  const stage = setStage()
  const frame = await stage.open()
  const before = frame.element
  await frame.reload()
  assert.notEqual(frame.element, before)
  stage.hello(before.contentWindow, 'nonce_of_the_old_document')
  assert.deepEqual(stage.typesOf(), ['opened', 'opened', 'relaunched', 'ignored'])
  await stage.pass(10_000)
  assert.equal(stage.typesOf().at(-1), 'hello_timeout')
  stage.host.close()
})

test('launches once when asked to reload twice at the same time', async () => {
  const stage = setStage()
  const { frame } = await openReady(stage)
  await Promise.all([frame.reload(), frame.reload()])
  assert.equal(frame.launch.id, 'lau_2')
  stage.host.close()
})

test('tells the app and closes the channel when its launch ends', async () => {
  const stage = setStage()
  const { frame, app } = await openReady(stage)
  await stage.stream('launch', { id: 'lau_of_another', state: 'ended' })
  assert.equal(app.heard.length, 1)
  await stage.stream('launch', { id: 'lau_1', state: 'ended' })
  assert.deepEqual(app.heard.at(-1), { type: 'ended', reason: 'launch_ended' })
  const again = stage.hello(frame.element.contentWindow, 'nonce_after')
  assert.ok(again.answer?.type === 'chartside:refusal')
  assert.equal(again.answer.code, 'LAUNCH_ENDED')
  stage.host.close()
})

test('ends every frame with the session, and opens nothing afterwards', async () => {
  const stage = setStage()
  const { frame, app } = await openReady(stage)
  await stage.stream('ended', { reason: 'signed_out' })
  assert.deepEqual(app.heard.at(-1), { type: 'ended', reason: 'signed_out' })
  await assert.rejects(stage.open(), { code: 'session_ended' })
  await assert.rejects(frame.reload(), { code: 'session_ended' })
  assert.equal(stage.calls.filter(({ route }) => route === 'launches').length, 1)
  stage.host.close()
})

test('does not launch an app again that never held a token', async () => {
  const stage = setStage()
  const frame = await stage.open()
  await stage.stream('launch', { id: 'lau_1', state: 'expired' })
  assert.equal(frame.launch.id, 'lau_1')
  assert.deepEqual(stage.events.at(-1), {
    type: 'ended',
    reason: 'expired',
    frame,
    launch: 'lau_1',
  })
  stage.host.close()
})

test('reports silence, with advice that fits how far the launch came', async () => {
  for (const [state, advice] of [
    ['opened', /app is running/],
    ['authorized', /could not exchange it.*redirect URI/],
    ['exchanged', /script-src/],
  ] as const) {
    const stage = setStage()
    await stage.open()
    await stage.stream('launch', { id: 'lau_1', state, steps: [] })
    await stage.pass(10_000)
    const timeout = stage.events.at(-1)
    assert.ok(timeout?.type === 'hello_timeout')
    assert.match(timeout.message, advice)
    stage.host.close()
  }
})

test('reports silence after a failed exchange by the step that failed', async () => {
  const stage = setStage()
  await stage.open()
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
  await stage.stream('launch', { id: 'lau_1', state: 'authorized', steps })
  await stage.pass(10_000)
  const timeout = stage.events.at(-1)
  assert.ok(timeout?.type === 'hello_timeout')
  assert.match(
    timeout.message,
    /"exchange" failed \(invalid_client\)\. The secret is wrong\. Use a/,
  )
  assert.doesNotMatch(timeout.message, /Check/)
  stage.host.close()
})

test('reports a long failure of the app shortened, as the service takes it', async () => {
  const stage = setStage()
  const frame = await stage.open()
  const app = stage.hello(frame.element.contentWindow, 'nonce_1')
  const message = 'x'.repeat(1_000)
  app.port?.postMessage({ type: 'failed', code: 'TOKEN_FETCH_ERROR', message })
  await settle()
  const refused = stage.events.at(-1)
  assert.equal(refused?.type === 'refused' && refused.message, message)
  const report = stage.calls.findLast(({ route }) => route === 'steps')?.body ?? ''
  assert.equal(JSON.parse(report).detail, message.slice(0, 500))
  stage.host.close()
})

test('is patient with a service that is briefly away while a token is verified', async () => {
  let failures = 2
  const stage = setStage({
    introspect: () => {
      failures -= 1
      return failures >= 0 ? 0 : { active: true, launch_id: 'lnch_1' }
    },
  })
  const { app } = await openReady(stage)
  await stage.pass(2_000)
  assert.deepEqual(app.heard, [{ type: 'ready' }])
  stage.host.close()
})

test('judges no token when the service stays away, and says so', async () => {
  const stage = setStage({ introspect: () => 503 })
  const { app } = await openReady(stage)
  await stage.pass(2_000)
  const [refused] = app.heard as { code: string; message: string }[]
  assert.equal(refused?.code, 'TOKEN_REJECTED')
  assert.match(refused?.message ?? '', /could not be verified/)
  stage.host.close()
})

test('takes one token per channel [X02]', async () => {
  const stage = setStage()
  const { app } = await openReady(stage)
  app.port?.postMessage({ type: 'token', accessToken: 'at_2' })
  await settle()
  const last = stage.events.at(-1)
  assert.equal(last?.type === 'ignored' && last.reason, 'unexpected')
  stage.host.close()
})

test('names a failed launch by the code and the trace of the service', async () => {
  const stage = setStage({ launches: () => 403 })
  await assert.rejects(stage.open(), { name: 'HostError', code: 'told_code', traceId: 'trace_1' })
  assert.equal(stage.events.at(-1)?.type, 'failed')
  stage.host.close()
})

test('tells open frames that the host was closed', async () => {
  const stage = setStage()
  const { app } = await openReady(stage)
  stage.host.close()
  await settle()
  assert.deepEqual(app.heard.at(-1), { type: 'ended', reason: 'closed' })
  await assert.rejects(stage.open(), { code: 'closed' })
})

test('an error in the listener of the page reaches its error handler and disturbs nothing', async () => {
  const stage = setStage()
  const broken = new Error('of the page')
  stage.onEvent = () => {
    throw broken
  }
  const { app } = await openReady(stage)
  await stage.stream('launch', { id: 'lau_1', state: 'exchanged' })
  await stage.stream('launch', { id: 'lau_1', state: 'ended' })
  await stage.pass(60_000)
  assert.deepEqual(app.heard.at(-1), { type: 'ended', reason: 'launch_ended' })
  assert.deepEqual(stage.typesOf(), [
    ...['opened', 'handshake', 'context', 'launch', 'launch', 'ended'],
  ])
  assert.deepEqual(new Set(stage.reported), new Set([broken]))
  assert.equal(stage.reported.length, stage.events.length)
  assert.equal(stage.calls.filter(({ route }) => route === 'events').length, 1)
  stage.host.close()
})
