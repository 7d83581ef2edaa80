// Failures that a page reports to its host, in a real Chromium: before init, of the loader, after
// the hello, and from a page that is not the app's. Contract §5; security X01, X02.
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

const FAILURE = {
  code: 'csrf_validation_failed',
  message: 'The state is not the one of this tab.',
  traceId: '4bf92f3577b34da65f0c2d7e9b1a4c68',
}

for (const source of ['tag', 'import'] as const) {
  test(`shows a failure before init on the launch within 500 ms, by ${source}`, async () => {
    fixture.sdkSource = source
    await openHost()
    const app = await openApp('manual')
    const started = Date.now()
    await app.evaluate((failure) => {
      const { Imported, Chartside } = window as unknown as PageWithSDK
      const report = (Imported ?? Chartside).reportLaunchFailure
      report(failure)
    }, FAILURE)
    await eventually(() => fixture.service.steps.some(({ outcome }) => outcome === 'failed'))
    assert.ok(Date.now() - started < 500, `${Date.now() - started} ms`)
    const [refused] = await eventsOf('refused')
    assert.partialDeepStrictEqual(refused, { ...FAILURE, by: 'page', step: 'handshake' })
    const failed = fixture.service.steps.find(({ outcome }) => outcome === 'failed')
    assert.partialDeepStrictEqual(failed, { step: 'handshake', code: 'CSRF_VALIDATION_FAILED' })
    assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context, 'a later init succeeds')
  })
}

test('shows a script that the policy blocks, with the fix for it', async () => {
  await openHost()
  fixture.sdkSource = 'import'
  const app = await openApp('manual')
  const { code } = await initialize(app, { src: `${fixture.origins.foreign}/sdk.js` })
  assert.equal(code, 'HOST_NOT_FOUND')
  await eventually(async () => (await eventsOf('refused')).length === 1)
  const [refused] = await eventsOf('refused')
  assert.match(String(refused?.message), /Content-Security-Policy blocked the SDK script/)
  assert.match(String(refused?.fix), /Allow http:\/\/foreign\.localhost:\d+ in script-src/)
})

test('takes a failure after the hello, and no report of a foreign page [X01]', async () => {
  await openHost()
  const app = await openApp('manual')
  await initialize(app, { accessToken: tokenOf(0) })
  await app.evaluate((failure) => {
    const { Chartside } = window as unknown as PageWithSDK
    Chartside.reportLaunchFailure(failure)
  }, FAILURE)
  await eventually(async () => (await eventsOf('refused')).length === 1)
  assert.equal((await eventsOf('refused'))[0]?.step, 'context')

  await app.goto(`${fixture.origins.foreign}/panel`)
  const foreign = await frameAt(0)
  await foreign.evaluate((failure) => {
    window.parent.postMessage({ type: 'chartside:failure', ...failure, code: 'forged' }, '*')
  }, FAILURE)
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'wrong_origin')
  assert.equal((await eventsOf('refused')).length, 1)
})

test('keeps the host quick under 20,000 reports, and counts ten [X02]', async () => {
  await openHost()
  const app = await openApp('manual')
  await app.evaluate(() => {
    for (let time = 0; time < 20_000; time += 1) {
      const code = `code_${String.fromCharCode(97 + (time % 26))}`
      window.parent.postMessage({ type: 'chartside:failure', code, message: 'x'.repeat(500) }, '*')
    }
  })
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('refused')).length, 10)
  const started = Date.now()
  assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
  assert.ok(Date.now() - started < 2_000)
  assert.equal(await page.evaluate(() => window.events.length < 20), true)
})
