// What the SDK does, in a real Chromium, by tag and by import of the npm package: one list of
// behaviours, run both ways, under the policy that the specification asks of apps. No behaviour may
// break the policy, or leave anything in storage. Spec §4.5, §5.5; security H05, H06, X08.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  eventsOf,
  eventually,
  fixture,
  frameAt,
  initialize,
  openApp,
  openHost,
  type PageWithSDK,
  page,
  tokenOf,
  useFixture,
} from './handshake-pages.ts'

useFixture()

const idTokenOf = (index: number) => fixture.service.records[index]?.idToken

const BEHAVIOURS: Readonly<Record<string, () => Promise<void>>> = {
  'gives an app of option 1 context and ID token': async () => {
    const app = await openApp('exchange')
    const { context, idToken, version } = await app.evaluate(async () => {
      const sdk = await window.ready
      const context = JSON.parse(JSON.stringify(sdk.sessionContext))
      return { context, version: sdk.version, ...(await sdk.sessionContext?.getIdToken()) }
    })
    assert.deepEqual(context, fixture.service.records[0]?.opened.seed)
    assert.equal(idToken, idTokenOf(0))
    assert.equal(version, '1.0.0')
  },

  'gives a Worker app of option 2 its tokens from the token endpoint': async () => {
    const app = await openApp('token-endpoint')
    assert.deepEqual(await app.evaluate(idToken), { idToken: idTokenOf(0) })
  },

  'uses the code that the page removed from its address before init': async () => {
    const app = await openApp('cleaned')
    assert.deepEqual(await app.evaluate(idToken), { idToken: idTokenOf(0) })
    assert.equal(new URL(app.url()).search, '')
  },

  'returns one promise for two calls': async () => {
    const app = await openApp('manual')
    const isOne = await app.evaluate(async (accessToken) => {
      const { Imported, Chartside } = window as unknown as PageWithSDK
      const { initServiceSDK, initWorkerServiceSDK } = Imported ?? Chartside
      const first = initServiceSDK({ accessToken })
      const second = initWorkerServiceSDK({ accessToken })
      const sdk = await first
      return first === second && initServiceSDK() === first && (await second) === sdk
    }, tokenOf(0))
    assert.ok(isOne)
    assert.equal((await eventsOf('handshake')).length, 1)
    assert.equal(fixture.service.introspections, 1)
  },

  'rejects getIdToken with ID_TOKEN_UNAVAILABLE without one': async () => {
    const app = await openApp('manual')
    await initialize(app, { accessToken: tokenOf(0) })
    const code = await app.evaluate(() =>
      window.sdk.sessionContext?.getIdToken().catch(({ code }) => code),
    )
    assert.equal(code, 'ID_TOKEN_UNAVAILABLE')
  },

  'rejects with a ServiceSDKError, and tries again after it': async () => {
    const app = await openApp('manual')
    const isOfClass = await app.evaluate(async () => {
      const { Imported, Chartside } = window as unknown as PageWithSDK
      const { initServiceSDK, ServiceSDKError } = Imported ?? Chartside
      const error = await initServiceSDK({ accessToken: 'at_dead' }).catch((error) => error)
      return error instanceof ServiceSDKError && error.code === 'TOKEN_REJECTED'
    })
    assert.ok(isOfClass)
    assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
  },

  'rejects an app without a token endpoint and a token': async () => {
    const { code } = await initialize(await openApp('manual'))
    assert.equal(code, 'TOKEN_FETCH_ERROR')
  },

  'rejects a page of its own, which has no host [X08]': async () => {
    await page.goto(`${fixture.origins.app}/manual`)
    const { code, message } = await initialize(page)
    assert.equal(code, 'HOST_NOT_FOUND')
    assert.match(message ?? '', /not framed/)
  },

  'stops init on a signal with its reason, and starts again at once': async () => {
    const app = await openApp('manual')
    const outcome = await app.evaluate(async (accessToken) => {
      const { Imported, Chartside } = window as unknown as PageWithSDK
      const { initServiceSDK } = Imported ?? Chartside
      const controller = new AbortController()
      const first = initServiceSDK({ accessToken, signal: controller.signal })
      controller.abort(new Error('effect cleaned up'))
      const second = initServiceSDK({ accessToken })
      const { message } = await first.catch((error) => error)
      return [message, (await second).sessionContext?.deviceId]
    }, tokenOf(0))
    assert.deepEqual(outcome, ['effect cleaned up', 'dev_of_lau_1'])
  },

  'sends the end of the session to the app': async () => {
    const app = await openApp('manual')
    await initialize(app, { accessToken: tokenOf(0) })
    const ended = app.evaluate(
      () => new Promise((resolve) => window.sdk.on('ended', ({ reason }) => resolve(reason))),
    )
    await app.evaluate(() => 'the listener is there')
    fixture.service.endSession('signed_out')
    assert.equal(await ended, 'signed_out')
  },

  'repeats the handshake after a reload': async () => {
    const app = await openApp('manual')
    await initialize(app, { accessToken: tokenOf(0) })
    await app.goto(app.url())
    assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
  },

  'gives the next launch in a frame its own context': async () => {
    await openApp('exchange')
    await eventually(async () => (await eventsOf('context')).length === 1)
    await page.evaluate(() => window.openFrames[0]?.reload())
    const app = await frameAt(0)
    const device = await app.evaluate(async () => (await window.ready).sessionContext?.deviceId)
    assert.equal(device, 'dev_of_lau_2')
  },
}

const idToken = async () => (await window.ready).sessionContext?.getIdToken()

for (const sdkSource of ['tag', 'import'] as const) {
  for (const [title, run] of Object.entries(BEHAVIOURS)) {
    test(`by ${sdkSource}: ${title}`, async () => {
      fixture.sdkSource = sdkSource
      await openHost()
      await run()
      for (const frame of page.frames()) await assertClean(frame)
    })
  }
}

/** H05, H06: no policy was broken, and nothing was kept that outlives the page. */
async function assertClean(frame: ReturnType<typeof page.mainFrame>): Promise<void> {
  const traces = await frame.evaluate(async () => ({
    violations: window.violations,
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).length,
    cookie: document.cookie,
  }))
  const none = { violations: [], local: [], session: [], databases: 0, cookie: '' }
  assert.deepEqual(traces, none, frame.url())
}
