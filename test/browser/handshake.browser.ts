// The handshake in a real Chromium: the built SDK and the host package, on distinct origins, under
// the CSP that the specification asks of apps: launch, reload, timeout, expiry, end.
// Contract §5; security X07, X08, H06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  embed,
  eventsOf,
  eventually,
  fixture,
  frameAt,
  initialize,
  openApp,
  openHost,
  page,
  tokenOf,
  useFixture,
} from './handshake-pages.ts'

useFixture()

test('gives an app of option 1 its session context under a strict CSP [H06]', async () => {
  await openHost()
  const app = await openApp('exchange')
  const outcome = await app.evaluate(async () => {
    const sdk = await window.ready
    const { idToken } = (await sdk.sessionContext?.getIdToken()) ?? {}
    return {
      context: JSON.parse(JSON.stringify(sdk.sessionContext)),
      version: sdk.version,
      idToken,
    }
  })
  const [record] = fixture.service.records
  assert.deepEqual(outcome.context, record?.opened.seed)
  assert.equal(outcome.idToken, record?.idToken)
  assert.equal(outcome.version, '1.0.0')
  await eventually(() => fixture.service.steps.length === 3)
  assert.deepEqual(
    fixture.service.steps.map(({ step, outcome }) => [step, outcome]),
    [
      ['opened', 'ok'],
      ['handshake', 'ok'],
      ['context', 'ok'],
    ],
  )
})

test('gives an app of option 2 its tokens from the registered token endpoint', async () => {
  await openHost()
  const app = await openApp('token-endpoint')
  const idToken = await app.evaluate(async () => {
    const sdk = await window.ready
    return (await sdk.sessionContext?.getIdToken())?.idToken
  })
  assert.equal(idToken, fixture.service.records[0]?.idToken)
})

test('repeats the handshake after a reload of the frame', async () => {
  await openHost()
  const app = await openApp('manual')
  assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
  await app.evaluate(() => location.reload())
  await app.waitForFunction(() => 'Chartside' in window && !('sdk' in window))
  assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
})

test('rejects with HANDSHAKE_TIMEOUT without an answer [X08]', async () => {
  await page.goto(fixture.origins.host)
  const app = await embed(`${fixture.origins.app}/manual`)
  const { code, message } = await initialize(app, { handshakeTimeoutMs: 300 })
  assert.equal(code, 'HANDSHAKE_TIMEOUT')
  assert.ok(message?.includes(fixture.origins.app), message)
})

for (const reason of ['signed_out', 'idle'] as const) {
  test(`sends the end of the session to the app within a second: ${reason}`, async () => {
    await openHost()
    const app = await openApp('manual')
    await initialize(app, { accessToken: tokenOf(0) })
    const ended = app.evaluate(
      () =>
        new Promise<string>((resolve) => window.sdk.on('ended', ({ reason }) => resolve(reason))),
    )
    await app.evaluate(() => 'the listener is there')
    const started = Date.now()
    fixture.service.endSession(reason)
    assert.equal(await ended, reason)
    assert.ok(Date.now() - started < 1_000)
  })
}

test('sends no seed to a frame whose launch has ended', async () => {
  await openHost()
  const app = await openApp('manual')
  fixture.service.endLaunch('lau_1')
  await eventually(async () => (await eventsOf('ended')).length === 1)
  assert.equal((await initialize(app, { accessToken: tokenOf(0) })).code, 'LAUNCH_ENDED')
})

test('launches the app again in the same frame when its token expires', async () => {
  await openHost()
  fixture.service.tokenLifetimeSeconds = 2
  const app = await openApp('exchange')
  await app.evaluate(() => window.ready)
  fixture.service.tokenLifetimeSeconds = 3600
  await eventually(async () => (await eventsOf('context')).length === 2)
  const [relaunched] = await eventsOf('relaunched')
  assert.equal(relaunched?.because, 'expired')
  assert.deepEqual([relaunched?.previous, relaunched?.launch], ['lau_1', 'lau_2'])
  assert.equal(await page.locator('iframe').count(), 1)
  const again = await frameAt(0)
  const context = await again.evaluate(async () => (await window.ready).sessionContext?.deviceId)
  assert.equal(context, 'dev_of_lau_2')
})

test('adds nothing to the history of the host when it launches again', async () => {
  await openHost()
  await openApp('manual')
  const length = await page.evaluate(() => history.length)
  await page.evaluate(() => window.openFrames[0]?.reload())
  const app = await frameAt(0)
  assert.ok((await initialize(app, { accessToken: tokenOf(1) })).context)
  assert.equal(await page.evaluate(() => history.length), length)
})

test('names what to check when a page never sends a hello', async () => {
  // Long enough for a busy machine to load the app's page, which asks for authorization.
  await openHost(2_000)
  await openApp('without-sdk')
  await eventually(async () => (await eventsOf('hello_timeout')).length === 1)
  const [timeout] = await eventsOf('hello_timeout')
  assert.match(`${timeout?.message} ${timeout?.fix}`, /frame-ancestors/)
})
