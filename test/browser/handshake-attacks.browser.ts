// Attacks on the handshake in a real Chromium, one test each: forged, replayed, misdirected and
// hostile messages, mixed-up launches, stray tokens.
// Contract §5; security X01-X06, X09, L05, H05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  embed,
  eventsOf,
  eventually,
  forge,
  heardBy,
  initialize,
  listen,
  nonceHeard,
  openApp,
  openHost,
  page,
  sayHello,
  stage,
  tokenOf,
  useStage,
  welcomeFor,
} from './host-page.ts'

useStage()

test('no token is in storage, in the URL or in the page after a full launch [H05]', async () => {
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

test('drops a hello with a nonce it has seen [X02]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  await sayHello(app, 'nonce_1')
  await eventually(async () => (await heardBy(app)).length === 1)
  await sayHello(app, 'nonce_1')
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'replayed_nonce')
  assert.equal((await heardBy(app)).length, 1)
})

test('takes no answer of an earlier hello, replayed to the next document [X02]', async () => {
  await page.goto(stage.origins.host)
  await listen(page)
  const app = await embed(`${stage.origins.app}/manual`)
  const quick = { accessToken: 'at_1', handshakeTimeoutMs: 400 }
  const before = initialize(app, quick)
  const recorded = welcomeFor(await nonceHeard())
  assert.equal((await before).code, 'HANDSHAKE_TIMEOUT')
  await app.goto(`${stage.origins.app}/manual?reloaded`)
  const outcome = initialize(app, quick)
  await eventually(async () => (await heardBy(page)).length === 2)
  await forge(page, [0], recorded)
  assert.equal((await outcome).code, 'HANDSHAKE_TIMEOUT')
})

test('hears nothing on a channel that a later hello has closed [X02]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  await sayHello(app, 'nonce_1')
  await eventually(async () => (await heardBy(app)).length === 1)
  await sayHello(app, 'nonce_2')
  await eventually(async () => (await heardBy(app)).length === 2)
  const present = (index: number) =>
    app.evaluate(
      ({ index, accessToken }) =>
        window.heard[index]?.ports[0]?.postMessage({ type: 'token', accessToken }),
      { index, accessToken: tokenOf(0) },
    )
  await present(0)
  await present(1)
  await eventually(async () => (await eventsOf('context')).length === 1)
  assert.equal(stage.service.introspections, 1)
})

test('verifies no token on a port that was used after its launch ended [X02]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  await sayHello(app, 'nonce_1')
  await eventually(async () => (await heardBy(app)).length === 1)
  stage.service.endLaunch('lau_1')
  await eventually(async () => (await eventsOf('ended')).length === 1)
  await app.evaluate(
    (accessToken) => window.heard[0]?.ports[0]?.postMessage({ type: 'token', accessToken }),
    tokenOf(0),
  )
  // Whatever came over the port came before the refusal that this hello gets.
  await sayHello(app, 'nonce_2')
  await eventually(async () => (await heardBy(app)).length === 2)
  assert.equal((await heardBy(app))[1]?.data.code, 'LAUNCH_ENDED')
  assert.equal(stage.service.introspections, 0)
  assert.deepEqual(await eventsOf('context'), [])
})

test('an app hears nothing on its port after the end it was told of [X02]', async () => {
  await page.goto(stage.origins.host)
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
  const app = await embed(`${stage.origins.app}/manual`)
  await initialize(app, { accessToken: 'at_1' })
  const told = await app.evaluate(async () => {
    const told: string[] = []
    window.sdk.on('ended', ({ reason }) => told.push(reason))
    window.sdk.on('expiring', () => told.push('expiring'))
    await new Promise((resolve) => setTimeout(resolve, 200))
    return told
  })
  assert.deepEqual(told, ['signed_out'])
})

test('gives nothing to another origin that took the frame over [X04]', async () => {
  await openHost()
  const app = await openApp('manual')
  assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
  await app.goto(stage.origins.stranger)
  await listen(app)
  await sayHello(app, 'nonce_of_the_stranger')
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'wrong_origin')
  stage.service.endLaunch('lau_1')
  await eventually(async () => (await eventsOf('ended')).length === 1)
  assert.deepEqual(await heardBy(app), [])
})

test('refuses a token of another launch [L05]', async () => {
  await openHost()
  const app = await openApp('manual')
  await openApp('manual')
  const outcome = await initialize(app, { accessToken: tokenOf(1) })
  assert.equal(outcome.code, 'LAUNCH_MISMATCH')
})

test('refuses an ID token of another launch before the access token leaves the page [L05]', async () => {
  await openHost()
  const app = await openApp('manual')
  await openApp('manual')
  const { idToken = '' } = stage.service.records[1] ?? {}
  const outcome = await initialize(app, { accessToken: tokenOf(0), idToken })
  assert.equal(outcome.code, 'LAUNCH_MISMATCH')
  assert.equal(stage.service.introspections, 0)
  await eventually(async () => (await eventsOf('refused')).length === 1)
  assert.equal((await eventsOf('refused'))[0]?.by, 'sdk')
})

test('refuses a dead token', async () => {
  await openHost()
  const app = await openApp('manual')
  assert.equal((await initialize(app, { accessToken: 'at_dead' })).code, 'TOKEN_REJECTED')
})

test('hostile payloads break neither end [X06]', async () => {
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
