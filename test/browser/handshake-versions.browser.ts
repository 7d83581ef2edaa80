// An SDK and a host that are a major version of the handshake apart, in a real Chromium: the real
// code of both, one of them with another list of versions. It works, or it is PROTOCOL_MISMATCH
// within two seconds; the waits are ten, so that only an answer can be that quick. Security X07.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundleHost, bundleSDK } from './handshake-bundles.ts'
import {
  embed,
  eventsOf,
  eventually,
  heardBy,
  initialize,
  listen,
  openApp,
  openHost,
  page,
  stage,
  tokenOf,
  useStage,
} from './host-page.ts'

useStage()

const OTHERS = [
  { name: 'a major older', versions: [0], agree: false },
  { name: 'a major older, and of today', versions: [0, 1], agree: true },
  { name: 'a major newer', versions: [2], agree: false },
  { name: 'a major newer, and of today', versions: [1, 2], agree: true },
] as const

for (const { name, versions, agree } of OTHERS) {
  test(`an SDK ${name} ${agree ? 'works with' : 'is refused by'} this host [X07]`, async () => {
    stage.scripts = { ...stage.scripts, sdk: await bundleSDK(versions) }
    await check(agree)
    if (!agree) assert.equal((await eventsOf('refused'))[0]?.code, 'PROTOCOL_MISMATCH')
  })

  test(`this SDK ${agree ? 'works with' : 'is refused by'} a host ${name} [X07]`, async () => {
    stage.scripts = { ...stage.scripts, host: await bundleHost(versions) }
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
    assert.equal(stage.service.introspections, 0)
  }
}

test('a host refuses a hello of which it can read the nonce only, without a channel [X07]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  const started = Date.now()
  await app.evaluate(() => {
    const hello = { type: 'chartside:hello', nonce: 'nonce_1', speaks: { from: 3, to: 4 } }
    window.parent.postMessage(hello, '*')
  })
  await eventually(async () => (await heardBy(app)).length === 1)
  assert.ok(Date.now() - started < 2_000)
  const [answer] = await heardBy(app)
  assert.equal(answer?.data.code, 'PROTOCOL_MISMATCH')
  assert.equal(answer?.ports, 0)
})

test('an SDK that cannot read the welcome of its host says so at once [X07]', async () => {
  await page.goto(stage.origins.host)
  await page.evaluate(() =>
    window.addEventListener('message', ({ data: { nonce }, source, origin }) => {
      const welcome = { type: 'chartside:welcome', nonce, version: 3, context: { user: 'usr_1' } }
      const transfer = [new MessageChannel().port2]
      source?.postMessage(welcome, { targetOrigin: origin, transfer })
    }),
  )
  const app = await embed(`${stage.origins.app}/manual`)
  const { code, ms } = await initialize(app, { accessToken: 'at_1' })
  assert.equal(code, 'PROTOCOL_MISMATCH')
  assert.ok(ms < 2_000, `${ms} ms`)
})
