// Windows that pose as the other end of the handshake, in a real Chromium, one test each: frames
// beside the app, another extension, the EHR's own page around and under the panel, a second host.
// Contract §5; security X01, X02, X05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame } from 'playwright-core'
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
  startHost,
  tokenOf,
  useStage,
  welcomeFor,
} from './host-page.ts'

useStage()

const QUICK = { accessToken: 'at_1', handshakeTimeoutMs: 600 }

test('drops a hello from a frame it did not open, of the very origin of the app [X02]', async () => {
  await openHost()
  await openApp('manual')
  const sibling = await embed(`${stage.origins.app}/manual`)
  await listen(sibling)
  await sayHello(sibling, 'nonce_of_the_sibling')
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'unknown_source')
  assert.deepEqual(await heardBy(sibling), [])
})

for (const [impostor, origin] of [
  ["a sibling frame of the host's own origin", 'host'],
  ["a sibling frame of the app's own origin", 'app'],
  ['a frame that another extension put beside the app', 'stranger'],
] as const) {
  test(`takes no answer from ${impostor}, even with the right nonce [X02]`, async () => {
    await page.goto(stage.origins.host)
    await listen(page)
    const app = await embed(`${stage.origins.app}/manual`)
    const sibling = await embed(`${stage.origins[origin]}/panel`)
    const outcome = initialize(app, QUICK)
    const forged = welcomeFor(await nonceHeard())
    await forge(sibling, [0], forged)
    assert.equal((await outcome).code, 'HANDSHAKE_TIMEOUT')
  })
}

test('takes no answer from another extension that frames the app, and names its origin [X02]', async () => {
  await page.goto(stage.origins.stranger)
  await listen(page)
  const app = await embed(`${stage.origins.app}/manual`)
  const outcome = initialize(app, QUICK)
  const forged = welcomeFor(await nonceHeard())
  await forge(page, [0], forged)
  const { code, message } = await outcome
  assert.equal(code, 'HANDSHAKE_TIMEOUT')
  assert.ok(message?.includes(stage.origins.stranger), message)
})

/** The EHR's page with the panel in it, as a content script would put it there. */
async function openEhrWithPanel(origin: 'stranger' | 'host' = 'stranger'): Promise<Frame> {
  await page.goto(stage.origins[origin])
  await listen(page)
  return embed(`${stage.origins.host}/panel`)
}

async function embedIn(panel: Frame, url: string): Promise<Frame> {
  await panel.evaluate((url) => {
    document.body.append(Object.assign(document.createElement('iframe'), { src: url }))
  }, url)
  await eventually(() => panel.childFrames().length === 1)
  const frame = panel.childFrames()[0] ?? assert.fail()
  await frame.waitForURL(url)
  return frame
}

test("the EHR's page around the panel hears nothing of a handshake and holds no port [X05]", async () => {
  const panel = await openEhrWithPanel()
  await startHost(panel)
  await panel.evaluate(async () => {
    window.open_.push(
      await window.host.open({ appId: 'exchange', kind: 'worker', mount: document.body }),
    )
  })
  await eventually(() => stage.service.introspections === 1)
  const app = panel.childFrames()[0] ?? assert.fail()
  assert.equal(await app.evaluate(async () => (await window.ready).version), '1.0.0')
  assert.deepEqual(await heardBy(page), [])
})

for (const [whose, origin] of [
  ["the EHR's page around the panel", 'stranger'],
  ["a page of the host's own origin around the panel", 'host'],
] as const) {
  test(`takes no answer from ${whose}, even with the right nonce [X05]`, async () => {
    const panel = await openEhrWithPanel(origin)
    await listen(panel)
    const app = await embedIn(panel, `${stage.origins.app}/manual`)
    const outcome = initialize(app, QUICK)
    await eventually(async () => (await heardBy(panel)).length === 1)
    await forge(page, [0, 0], welcomeFor((await heardBy(panel))[0]?.data.nonce))
    assert.equal((await outcome).code, 'HANDSHAKE_TIMEOUT')
  })
}

test("gives nothing to the EHR's page that says hello to the panel [X05]", async () => {
  const panel = await openEhrWithPanel()
  await startHost(panel)
  await page.evaluate(() => {
    const hello = { type: 'chartside:hello', versions: [1], nonce: 'n', sdkVersion: '1.0.0' }
    window.frames[0]?.postMessage(hello, '*')
  })
  await eventually(() => panel.evaluate(() => window.events.length === 1))
  const [ignored] = await panel.evaluate(() => window.events)
  assert.equal(ignored?.reason, 'unknown_source')
  assert.deepEqual(await heardBy(page), [])
})

for (const first of ['one', 'other'] as const) {
  test(`of two genuine hosts that race for a frame the first wins: ${first} [X02]`, async () => {
    const warnings: string[] = []
    page.on('console', (message) => warnings.push(message.text()))
    await page.goto(stage.origins.host)
    await page.evaluate(
      ({ welcome, order }) => {
        window.heard = []
        window.addEventListener('message', ({ data: { nonce }, source, origin }) => {
          for (const deviceId of order) {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = ({ data }) => {
              window.heard.push({ data: { ...data, at: deviceId }, ports: [] })
              port1.postMessage({ type: 'ready' })
            }
            const answer = { ...welcome, nonce, seed: { ...welcome.seed, deviceId } }
            source?.postMessage(answer, { targetOrigin: origin, transfer: [port2] })
          }
        })
      },
      { welcome: welcomeFor(''), order: first === 'one' ? ['one', 'other'] : ['other', 'one'] },
    )
    const app = await embed(`${stage.origins.app}/manual`)
    const { context } = await initialize(app, { accessToken: 'at_1' })
    assert.equal(context?.deviceId, first)
    await eventually(() => warnings.length > 0)
    assert.match(warnings.join(), new RegExp(`${stage.origins.host}: a second host`))
    const tokens = (await heardBy(page)).map(({ data }) => data.at)
    assert.deepEqual(tokens, [first], 'the second host gets no token')
  })
}

test('two hosts in one page answer their own frames only, and name the hellos of the other [X02]', async () => {
  await openHost()
  const own = await openApp('manual')
  await startHost(page)
  const other = await page.evaluate(async () => {
    const mount = document.body
    window.open_.push(await window.host.open({ appId: 'manual', kind: 'ui', mount }))
    return document.querySelectorAll('iframe').length
  })
  assert.equal(other, 2)
  const theirs = page.frames().at(-1) ?? assert.fail()
  await theirs.waitForURL(/\/manual/)
  const outcomes = await Promise.all(
    [own, theirs].map((app, index) => initialize(app, { accessToken: tokenOf(index) })),
  )
  assert.deepEqual(
    outcomes.map(({ context }) => context?.deviceId),
    ['dev_of_lau_1', 'dev_of_lau_2'],
  )
  // Each of them hears both hellos.
  assert.deepEqual(
    (await eventsOf('ignored')).map(({ reason, frame }) => [reason, frame]),
    Array.from({ length: 2 }, () => ['unknown_source', null]),
  )
  assert.equal((await eventsOf('context')).length, 2)
})
