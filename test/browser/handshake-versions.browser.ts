// An SDK and a host with different versions of the handshake, in a real Chromium: the real code of
// both, one with another list of versions. They work, or fail with PROTOCOL_MISMATCH within two
// seconds. The timeouts are ten seconds, so that only an answer can be that quick. Security X07.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundleHost, bundleSDK } from './handshake-bundles.ts'
import {
  embed,
  eventsOf,
  eventually,
  fixture,
  initialize,
  listen,
  messagesOf,
  openApp,
  openHost,
  page,
  tokenOf,
  useFixture,
} from './handshake-pages.ts'

useFixture()

const OTHERS = [
  { name: 'a major older', versions: [0], agree: false },
  { name: 'a major older, and of today', versions: [0, 1], agree: true },
  { name: 'a major newer', versions: [2], agree: false },
  { name: 'a major newer, and of today', versions: [1, 2], agree: true },
] as const

for (const { name, versions, agree } of OTHERS) {
  test(`${agree ? 'accepts' : 'refuses'} an SDK ${name} [X07]`, async () => {
    fixture.scripts = { ...fixture.scripts, sdk: await bundleSDK(versions) }
    await check(agree)
    if (!agree) assert.equal((await eventsOf('refused'))[0]?.code, 'PROTOCOL_MISMATCH')
  })

  test(`${agree ? 'works with' : 'is refused by'} a host ${name} [X07]`, async () => {
    fixture.scripts = { ...fixture.scripts, host: await bundleHost(versions) }
    await check(agree)
  })
}

async function check(agree: boolean): Promise<void> {
  await openHost()
  const app = await openApp('manual')
  const { context, code, message, ms } = await initialize(app, { accessToken: tokenOf(0) })
  assert.ok(ms < 2_000, `${ms} ms`)
  if (agree) {
    assert.equal(context?.deviceId, 'dev_of_lau_1')
    assert.equal((await eventsOf('handshake'))[0]?.version, 1)
  } else {
    assert.equal(code, 'PROTOCOL_MISMATCH')
    assert.match(message ?? '', /Update the extension, or load the current SDK script/)
    assert.deepEqual(await eventsOf('handshake'), [], 'no seed and no port went out')
    assert.equal(fixture.service.introspections, 0)
  }
}

test('refuses a hello without a channel when it can parse the nonce only [X07]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  const started = Date.now()
  await app.evaluate(() => {
    const hello = { type: 'chartside:hello', nonce: 'nonce_1', speaks: { from: 3, to: 4 } }
    window.parent.postMessage(hello, '*')
  })
  await eventually(async () => (await messagesOf(app)).length === 1)
  assert.ok(Date.now() - started < 2_000)
  const [answer] = await messagesOf(app)
  assert.equal(answer?.data.code, 'PROTOCOL_MISMATCH')
  assert.equal(answer?.ports, 0)
})

test('rejects at once when the SDK cannot parse the welcome of its host [X07]', async () => {
  await page.goto(fixture.origins.host)
  await page.evaluate(() =>
    window.addEventListener('message', ({ data: { nonce }, source, origin }) => {
      const welcome = { type: 'chartside:welcome', nonce, version: 3, context: { user: 'usr_1' } }
      const transfer = [new MessageChannel().port2]
      source?.postMessage(welcome, { targetOrigin: origin, transfer })
    }),
  )
  const app = await embed(`${fixture.origins.app}/manual`)
  const { code, ms } = await initialize(app, { accessToken: 'at_1' })
  assert.equal(code, 'PROTOCOL_MISMATCH')
  assert.ok(ms < 2_000, `${ms} ms`)
})
