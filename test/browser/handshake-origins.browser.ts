// Handshake messages from windows of a wrong origin or source, in a real Chromium, one test each:
// frames beside the app, another extension, the EHR's own page around the panel, a second host.
// Contract §5; security X01, X02, X05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame } from 'playwright-core'
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
  startHost,
  tokenOf,
  useFixture,
  welcomeFor,
} from './handshake-pages.ts'

useFixture()

const QUICK = { accessToken: 'at_1', handshakeTimeoutMs: 600 }

test("drops a hello of the app's origin from a frame it did not open [X02]", async () => {
  await openHost()
  await openApp('manual')
  const sibling = await embed(`${fixture.origins.app}/manual`)
  await listen(sibling)
  await sendHello(sibling, 'nonce_of_the_sibling')
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'unknown_source')
  assert.deepEqual(await messagesOf(sibling), [])
})

for (const [source, origin] of [
  ["a sibling frame of the host's own origin", 'host'],
  ["a sibling frame of the app's own origin", 'app'],
  ['a frame that another extension put beside the app', 'foreign'],
] as const) {
  test(`ignores an answer from ${source}, even with the right nonce [X02]`, async () => {
    await page.goto(fixture.origins.host)
    await listen(page)
    const app = await embed(`${fixture.origins.app}/manual`)
    const sibling = await embed(`${fixture.origins[origin]}/panel`)
    const outcome = initialize(app, QUICK)
    const forged = welcomeFor(await awaitNonce())
    await forge(sibling, [0], forged)
    assert.equal((await outcome).code, 'HANDSHAKE_TIMEOUT')
  })
}

test('ignores an answer of another extension that frames the app, and names it [X02]', async () => {
  await page.goto(fixture.origins.foreign)
  await listen(page)
  const app = await embed(`${fixture.origins.app}/manual`)
  const outcome = initialize(app, QUICK)
  const forged = welcomeFor(await awaitNonce())
  await forge(page, [0], forged)
  const { code, message } = await outcome
  assert.equal(code, 'HANDSHAKE_TIMEOUT')
  assert.ok(message?.includes(fixture.origins.foreign), message)
})

/** The EHR's page with the panel in it, as a content script would put it there. */
async function openEhrWithPanel(origin: 'foreign' | 'host' = 'foreign'): Promise<Frame> {
  await page.goto(fixture.origins[origin])
  await listen(page)
  return embed(`${fixture.origins.host}/panel`)
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

test("gives the EHR's page around the panel no message and no port [X05]", async () => {
  const panel = await openEhrWithPanel()
  await startHost(panel)
  await panel.evaluate(async () => {
    window.openFrames.push(
      await window.host.open({ appId: 'exchange', kind: 'worker', mount: document.body }),
    )
  })
  await eventually(() => fixture.service.introspections === 1)
  const app = panel.childFrames()[0] ?? assert.fail()
  assert.equal(await app.evaluate(async () => (await window.ready).version), '1.0.0')
  assert.deepEqual(await messagesOf(page), [])
})

for (const [whose, origin] of [
  ["the EHR's page around the panel", 'foreign'],
  ["a page of the host's own origin around the panel", 'host'],
] as const) {
  test(`ignores an answer from ${whose}, even with the right nonce [X05]`, async () => {
    const panel = await openEhrWithPanel(origin)
    await listen(panel)
    const app = await embedIn(panel, `${fixture.origins.app}/manual`)
    const outcome = initialize(app, QUICK)
    await eventually(async () => (await messagesOf(panel)).length === 1)
    await forge(page, [0, 0], welcomeFor((await messagesOf(panel))[0]?.data.nonce))
    assert.equal((await outcome).code, 'HANDSHAKE_TIMEOUT')
  })
}

test("sends nothing to the EHR's page that says hello to the panel [X05]", async () => {
  const panel = await openEhrWithPanel()
  await startHost(panel)
  await page.evaluate(() => {
    const hello = { type: 'chartside:hello', versions: [1], nonce: 'n', sdkVersion: '1.0.0' }
    window.frames[0]?.postMessage(hello, '*')
  })
  await eventually(() => panel.evaluate(() => window.events.length === 1))
  const [ignored] = await panel.evaluate(() => window.events)
  assert.equal(ignored?.reason, 'unknown_source')
  assert.deepEqual(await messagesOf(page), [])
})

for (const first of ['one', 'other'] as const) {
  test(`accepts the first of two genuine hosts that race for a frame: ${first} [X02]`, async () => {
    const warnings: string[] = []
    page.on('console', (message) => warnings.push(message.text()))
    await page.goto(fixture.origins.host)
    await page.evaluate(
      ({ welcome, order }) => {
        window.received = []
        window.addEventListener('message', ({ data: { nonce }, source, origin }) => {
          for (const deviceId of order) {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = ({ data }) => {
              window.received.push({ data: { ...data, at: deviceId }, ports: [] })
              port1.postMessage({ type: 'ready' })
            }
            const answer = { ...welcome, nonce, seed: { ...welcome.seed, deviceId } }
            source?.postMessage(answer, { targetOrigin: origin, transfer: [port2] })
          }
        })
      },
      { welcome: welcomeFor(''), order: first === 'one' ? ['one', 'other'] : ['other', 'one'] },
    )
    const app = await embed(`${fixture.origins.app}/manual`)
    const { context } = await initialize(app, { accessToken: 'at_1' })
    assert.equal(context?.deviceId, first)
    await eventually(() => warnings.length > 0)
    assert.match(warnings.join(), new RegExp(`${fixture.origins.host}: a second host`))
    const tokens = (await messagesOf(page)).map(({ data }) => data.at)
    assert.deepEqual(tokens, [first], 'the second host gets no token')
  })
}

test('answers only its own frames beside a second host in the page [X02]', async () => {
  await openHost()
  const own = await openApp('manual')
  await startHost(page)
  const other = await page.evaluate(async () => {
    const mount = document.body
    window.openFrames.push(await window.host.open({ appId: 'manual', kind: 'ui', mount }))
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
  // Each host receives both hellos, and one of the other host's frame is no stranger's.
  assert.deepEqual(await eventsOf('ignored'), [])
  assert.equal((await eventsOf('context')).length, 2)
})
