// The end of a token in a real Chromium: an app that saves while its token ends keeps its document
// until it has saved, and the host knows of unsaved work. Contract §5 step 6.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  eventsOf,
  eventually,
  fixture,
  initialize,
  openApp,
  openHost,
  page,
  tokenOf,
  useFixture,
} from './handshake-pages.ts'

useFixture()

for (const source of ['tag', 'import'] as const) {
  test(`keeps the launch open until the app has saved, by ${source}`, async () => {
    fixture.sdkSource = source
    fixture.service.tokenLifetimeSeconds = 2
    await openHost()
    const app = await openApp('manual')
    await initialize(app, { accessToken: tokenOf(0) })
    await app.evaluate(() => {
      window.sdk.on('expiring', ({ inSeconds, waitUntil }) => {
        document.title = `ends in ${inSeconds} s`
        waitUntil(new Promise((resolve) => window.addEventListener('saved', resolve)))
      })
    })
    await page.waitForTimeout(3_000)
    assert.match(await app.title(), /ends in [012] s/, 'a late listener gets the event too')
    assert.deepEqual(await eventsOf('relaunched'), [])
    await app.evaluate(() => window.dispatchEvent(new Event('saved')))
    await eventually(async () => (await eventsOf('relaunched')).length === 1)
  })
}

test('launches an app that does not hold the end again at the end', async () => {
  fixture.service.tokenLifetimeSeconds = 2
  await openHost()
  const app = await openApp('manual')
  await initialize(app, { accessToken: tokenOf(0) })
  const started = Date.now()
  await eventually(async () => (await eventsOf('relaunched')).length === 1)
  assert.ok(Date.now() - started < 3_500)
})

test('knows of unsaved work until the app says otherwise', async () => {
  await openHost()
  const app = await openApp('manual')
  await initialize(app, { accessToken: tokenOf(0) })
  const hasUnsavedWork = () => page.evaluate(() => window.openFrames[0]?.hasUnsavedWork ?? false)
  await app.evaluate(() => window.sdk.setUnsavedWork(true))
  await eventually(hasUnsavedWork)
  await app.evaluate(() => window.sdk.setUnsavedWork(false))
  await eventually(async () => !(await hasUnsavedWork()))
})
