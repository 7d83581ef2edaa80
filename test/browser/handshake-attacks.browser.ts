// Attacks on the handshake in a real Chromium, one test each: forged, replayed, misdirected and
// hostile messages, mixed-up launches, stray tokens.
// Contract §5; security X01-X06, X09, L05, H05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  embed,
  eventsOf,
  eventually,
  frameAt,
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

test('drops a hello from a frame it did not open, same origin or not [X02]', async () => {
  await openHost()
  await openApp('manual')
  const sibling = await embed(`${stage.origins.app}/manual`)
  await listen(sibling)
  await sayHello(sibling, 'nonce_of_the_sibling')
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'unknown_source')
  assert.deepEqual(await heardBy(sibling), [])
})

test('takes no answer from a sibling frame, even with the right nonce [X02]', async () => {
  await page.goto(stage.origins.host)
  await listen(page)
  const app = await embed(`${stage.origins.app}/manual`)
  const sibling = await embed(`${stage.origins.app}/manual?sibling`)
  const outcome = initialize(app, { accessToken: 'at_1', handshakeTimeoutMs: 600 })
  const forged = welcomeFor(await nonceHeard())
  await sibling.evaluate((forged) => {
    window.parent.frames[0]?.postMessage(forged, '*', [new MessageChannel().port2])
  }, forged)
  assert.equal((await outcome).code, 'HANDSHAKE_TIMEOUT')
})

test('takes no answer from a parent page that is not a host, and names its origin [X02]', async () => {
  await page.goto(stage.origins.stranger)
  await listen(page)
  const app = await embed(`${stage.origins.app}/manual`)
  const outcome = initialize(app, { accessToken: 'at_1', handshakeTimeoutMs: 600 })
  const forged = welcomeFor(await nonceHeard())
  await page.evaluate((forged) => {
    window.frames[0]?.postMessage(forged, '*', [new MessageChannel().port2])
  }, forged)
  const { code, message } = await outcome
  assert.equal(code, 'HANDSHAKE_TIMEOUT')
  assert.ok(message?.includes(stage.origins.stranger), message)
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

test('two launches of one app, reloaded in any order, never cross [X09]', async () => {
  await openHost()
  const apps = [await openApp('manual'), await openApp('manual')] as const
  for (const order of [[0], [1], [1, 0], [0, 1], [0, 0, 1]] as const) {
    for (const index of order) await apps[index].goto(`${stage.origins.app}/manual?reload`)
    const outcomes = await Promise.all(
      apps.map((app, index) => initialize(app, { accessToken: tokenOf(index) })),
    )
    assert.deepEqual(
      outcomes.map(({ context }) => context?.deviceId),
      ['dev_of_lau_1', 'dev_of_lau_2'],
    )
  }
})

test('welcomes no document of the launch before while the next one is slow to load [X09]', async () => {
  await openHost(500)
  const before = await openApp('manual')
  await before.evaluate(() => {
    let hellos = 0
    setInterval(() => {
      hellos += 1
      const nonce = `nonce_of_the_old_document_${hellos}`
      const hello = { type: 'chartside:hello', versions: [1], nonce, sdkVersion: '1.0.0' }
      window.parent.postMessage(hello, '*')
    }, 5)
  })
  await eventually(async () => (await eventsOf('handshake')).length > 0)
  const hold = Promise.withResolvers<void>()
  stage.held = hold.promise
  await page.evaluate(() => window.open_[0]?.reload())
  await eventually(async () => (await eventsOf('silent')).length === 1)
  const launches = (await eventsOf('handshake')).map(({ launch }) => launch)
  assert.deepEqual([...new Set(launches)], ['lau_1'])
  hold.resolve()
  const app = await frameAt(0)
  assert.ok((await initialize(app, { accessToken: tokenOf(1) })).context)
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
