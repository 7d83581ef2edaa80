// Attacks on the handshake in a real Chromium, one test each: forged, replayed, misdirected and
// hostile messages, mixed-up launches, stray tokens.
// Contract §5; security X01-X06, X09, L05, H05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  awaitNonce,
  embed,
  eventsOf,
  eventually,
  fixture,
  forge,
  initialize,
  listen,
  messagesOf,
  openApp,
  openHost,
  page,
  sendHello,
  tokenOf,
  useFixture,
  welcomeFor,
} from './handshake-pages.ts'

useFixture()

test('leaves no token in storage, in the URL or in the page after a launch [H05]', async () => {
  await openHost()
  const app = await openApp('exchange')
  await app.evaluate(() => window.ready)
  for (const frame of [app, page.mainFrame()]) {
    const traces = await frame.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        document.documentElement.outerHTML,
        location.href,
        document.querySelector('iframe')?.src,
        window.events,
      ]),
    )
    assert.doesNotMatch(traces, /at_secret|signature_of|st_test/)
  }
})

test('drops a hello with a used nonce [X02]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  await sendHello(app, 'nonce_1')
  await eventually(async () => (await messagesOf(app)).length === 1)
  await sendHello(app, 'nonce_1')
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'replayed_nonce')
  assert.equal((await messagesOf(app)).length, 1)
})

test('ignores the answer to an earlier hello, replayed to the next document [X02]', async () => {
  await page.goto(fixture.origins.host)
  await listen(page)
  const app = await embed(`${fixture.origins.app}/manual`)
  const quick = { accessToken: 'at_1', handshakeTimeoutMs: 400 }
  const before = initialize(app, quick)
  const recorded = welcomeFor(await awaitNonce())
  assert.equal((await before).code, 'HANDSHAKE_TIMEOUT')
  await app.goto(`${fixture.origins.app}/manual?reloaded`)
  const outcome = initialize(app, quick)
  await eventually(async () => (await messagesOf(page)).length === 2)
  await forge(page, [0], recorded)
  assert.equal((await outcome).code, 'HANDSHAKE_TIMEOUT')
})

test('reads no message on a channel that a later hello has closed [X02]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  await sendHello(app, 'nonce_1')
  await eventually(async () => (await messagesOf(app)).length === 1)
  await sendHello(app, 'nonce_2')
  await eventually(async () => (await messagesOf(app)).length === 2)
  const present = (index: number) =>
    app.evaluate(
      ({ index, accessToken }) =>
        window.received[index]?.ports[0]?.postMessage({ type: 'token', accessToken }),
      { index, accessToken: tokenOf(0) },
    )
  await present(0)
  await present(1)
  await eventually(async () => (await eventsOf('context')).length === 1)
  assert.equal(fixture.service.introspections, 1)
})

test('verifies no token that arrives on a port after its launch ended [X02]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  await sendHello(app, 'nonce_1')
  await eventually(async () => (await messagesOf(app)).length === 1)
  fixture.service.endLaunch('lau_1')
  await eventually(async () => (await eventsOf('ended')).length === 1)
  await app.evaluate(
    (accessToken) => window.received[0]?.ports[0]?.postMessage({ type: 'token', accessToken }),
    tokenOf(0),
  )
  // Whatever came over the port came before the refusal that this hello gets.
  await sendHello(app, 'nonce_2')
  await eventually(async () => (await messagesOf(app)).length === 2)
  assert.equal((await messagesOf(app))[1]?.data.code, 'LAUNCH_ENDED')
  assert.equal(fixture.service.introspections, 0)
  assert.deepEqual(await eventsOf('context'), [])
})

test('sends an app nothing on its port after the end [X02]', async () => {
  await page.goto(fixture.origins.host)
  await page.evaluate((welcome) => {
    window.addEventListener('message', ({ data: { nonce }, source, origin }) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.postMessage({ type: 'ready' })
        port1.postMessage({ type: 'ended', reason: 'signed_out' })
        port1.postMessage({ type: 'expiring', inSeconds: 60 })
        port1.postMessage({ type: 'ended', reason: 'expired' })
      }
      const answer = { ...welcome, nonce }
      source?.postMessage(answer, { targetOrigin: origin, transfer: [port2] })
    })
  }, welcomeFor(''))
  const app = await embed(`${fixture.origins.app}/manual`)
  await initialize(app, { accessToken: 'at_1' })
  const events = await app.evaluate(async () => {
    const events: string[] = []
    window.sdk.on('ended', ({ reason }) => events.push(reason))
    window.sdk.on('expiring', () => events.push('expiring'))
    await new Promise((resolve) => setTimeout(resolve, 200))
    return events
  })
  assert.deepEqual(events, ['signed_out'])
})

test('sends nothing to a frame that navigated to another origin [X04]', async () => {
  await openHost()
  const app = await openApp('manual')
  assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
  await app.goto(fixture.origins.foreign)
  await listen(app)
  await sendHello(app, 'nonce_of_the_foreign_page')
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'wrong_origin')
  fixture.service.endLaunch('lau_1')
  await eventually(async () => (await eventsOf('ended')).length === 1)
  assert.deepEqual(await messagesOf(app), [])
})

test('refuses an ID token of another launch before it sends the access token [L05]', async () => {
  await openHost()
  const app = await openApp('manual')
  await openApp('manual')
  const { idToken = '' } = fixture.service.records[1] ?? {}
  const outcome = await initialize(app, { accessToken: tokenOf(0), idToken })
  assert.equal(outcome.code, 'LAUNCH_MISMATCH')
  assert.equal(fixture.service.introspections, 0)
  await eventually(async () => (await eventsOf('refused')).length === 1)
  assert.equal((await eventsOf('refused'))[0]?.by, 'sdk')
})

test('keeps working on hostile payloads, at both ends [X06]', async () => {
  await openHost()
  const app = await openApp('manual')
  const flood = (target: string) => {
    const to = target === 'parent' ? window.parent : window.frames[0]
    for (const type of ['chartside:hello', 'chartside:welcome', 'chartside:refusal']) {
      to?.postMessage({ type, versions: [1], nonce: 'n'.repeat(10_000_000), sdkVersion: '1' }, '*')
      to?.postMessage(JSON.parse(`{"type":"${type}","__proto__":{"nonce":"n","polluted":1}}`), '*')
      to?.postMessage({ type, nonce: new Map(), versions: new Array(2 ** 32 - 1), seed: [] }, '*')
    }
  }
  await app.evaluate(flood, 'parent')
  await page.evaluate(flood, 'frame')
  assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
  for (const end of [app, page]) {
    assert.equal(await end.evaluate(() => 'polluted' in {}), false)
  }
})
