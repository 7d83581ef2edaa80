// The sandbox in a real browser: a provider signs in to the sample EHR, both sample apps open and
// sign in by themselves, the timeline shows each step, and faults show their reason and fix. Starts
// everything that `npm start` starts, on free ports.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { App, LogoutNotices } from '@chartside/protocol/payloads'
import type { Page } from 'playwright-core'
import { formatEntry, type LogEntry, PLAIN } from '../../examples/sandbox/src/log-lines.ts'
import { ServiceApi } from '../../examples/sandbox/src/service-api.ts'
import type { PageWithSDK } from './handshake-pages.ts'
import { readLeftovers, type SandboxFixture, SECRET, startFixture } from './sandbox-fixture.ts'

const lines: string[] = []
const log = (entry: LogEntry) => void lines.push(formatEntry(entry, PLAIN))
let fixture: SandboxFixture
let page: Page
before(async () => {
  fixture = await startFixture({
    only: ['visit-notes', 'coding-watch'],
    log,
    offered: ['Visit Notes'],
  })
})
after(() => fixture?.stop())
beforeEach(async () => {
  await fixture.begin()
  page = fixture.page
})
afterEach(() => fixture.end())

test('leaves no token, code or secret in storage, address or page [H05]', async () => {
  await fixture.offer()
  await fixture.signIn('/summit')
  await fixture.frame('Visit Notes').locator('#provider').waitFor()
  await fixture.waitUntilReady('Coding Watch')
  for (const frame of page.frames().filter((one) => /visit-notes|coding-watch/.test(one.url()))) {
    assert.doesNotMatch(await readLeftovers(frame), SECRET)
    assert.doesNotMatch(frame.url(), /code_/)
  }
  // The sandbox keeps its own session token for a reload, and nothing else.
  await page.evaluate(() => sessionStorage.removeItem('chartside-sandbox-session'))
  assert.doesNotMatch(await readLeftovers(page.mainFrame()), SECRET)
})

const FAULTS: [string, 'exchange', string][] = [
  ['code-used-twice', 'exchange', 'code_replayed'],
  ['wrong-secret', 'exchange', 'secret_wrong'],
]
test('shows reason and fix of each fault in the timeline of its own session', async () => {
  await fixture.offer()
  await fixture.signIn('/meadow')
  await fixture.waitUntilReady('Visit Notes')
  for (const [fault, failed, reason] of FAULTS) {
    await fixture.startFault(fault)
    await fixture.step('Visit Notes', failed, 'failed').waitFor()
    await fixture.card('Visit Notes').filter({ hasText: reason }).waitFor()
    const text = (await fixture.card('Visit Notes').textContent()) ?? ''
    assert.match(text, new RegExp(reason))
    assert.match(text, /Fix/)
    await page.getByText('A fault is on in this session').waitFor()
    await page.getByRole('button', { name: 'Play it again' }).waitFor()
    await page.locator('#fault').selectOption('reload-frame')
    await page.getByText('Switch it off before this one: the apps then open again.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled())
    await assertNoFaultInAnotherSession()

    await page.getByRole('button', { name: 'Switch off', exact: true }).click()
    await fixture.waitUntilReady('Visit Notes')
    await fixture.waitUntilReady('Coding Watch')
  }
})

/** Another EHR session of the same page has no fault, and says nothing of one. */
async function assertNoFaultInAnotherSession(): Promise<void> {
  const other = await fixture.context.newPage()
  await fixture.signIn('/meadow', other)
  await fixture.frame('Visit Notes', other).locator('#provider').waitFor()
  assert.equal(await other.locator('.fault-on').textContent(), '')
  await other.close()
}

test('keeps sign-in and timeline over a reload; a sign-out ends both within a second', async () => {
  await fixture.offer()
  await fixture.signIn('/meadow')
  await fixture.waitUntilReady('Visit Notes')
  await fixture.waitUntilReady('Coding Watch')
  await page.reload()
  await page.locator('.launch[data-app="Visit Notes"]', { hasText: 'Replaced' }).waitFor()
  await fixture.frame('Visit Notes').locator('#provider').waitFor()
  await fixture.card('Visit Notes').locator('.state', { hasText: 'Ready in' }).waitFor()

  await fixture.waitUntilReady('Coding Watch')
  const started = performance.now()
  await page.locator('#sign-out').click()
  await page.locator('#sign-in').waitFor()
  // The open apps are notified of it.
  assert.ok(performance.now() - started < 1000, `${performance.now() - started} ms`)
  assert.equal(await page.locator('#ehr').isVisible(), false)
  assert.equal(await page.locator('#frames iframe').count(), 0)
  await fixture.cover.getByText('Sign in to open the apps of your practice').waitFor()
  await assertServerNotified()
  await page.reload()
  await page.locator('#sign-in').waitFor()
  assert.equal(await page.locator('body').getAttribute('data-state'), 'fresh')
})

/** The server of Visit Notes has taken the logout token: what it keeps of the session is gone. */
async function assertServerNotified(): Promise<void> {
  const { places, administrator } = fixture.sandbox
  const api = await ServiceApi.signIn(places.service.url, administrator)
  const { items: apps } = await api.call<{ items: App[] }>('GET', '/api/apps?q=Visit+Notes')
  const url = `/api/apps/${apps[0]?.id}/logout-notices`
  for (let waited = 0; waited < 5_000; waited += 100) {
    const { items } = await api.call<LogoutNotices>('GET', url)
    if (items.some(({ outcome }) => outcome === 'delivered')) return
    await page.waitForTimeout(100)
  }
  assert.fail('The server of Visit Notes was not notified.')
}

test('shows a failure that the page reports within 500 ms, with its own words', async () => {
  await fixture.signIn('/meadow')
  await fixture.waitUntilReady('Visit Notes')
  const app = page.frames().find((frame) => frame.url().includes('visit-notes'))
  assert.ok(app)
  const started = performance.now()
  await app.evaluate(() => {
    const { Chartside } = window as unknown as PageWithSDK
    const message = 'The server of the app stopped.'
    Chartside.reportLaunchFailure({ code: 'server_unreachable', message, fix: 'Start it.' })
  })
  const failure = fixture.card('Visit Notes').locator('.failure')
  await failure.waitFor()
  assert.ok(performance.now() - started < 500)
  const text = await failure.textContent()
  assert.match(text ?? '', /server_unreachable.*The server of the app stopped\..*Start it\./)
})

test('covers the frame until the hello; tab, panel and card name one state', async () => {
  await page.route(/visit-notes/, (route) => route.abort())
  await fixture.signIn('/meadow')
  const { cover } = fixture
  await cover.getByRole('img', { name: 'Opening Visit Notes' }).waitFor()
  await cover.getByText('Visit Notes is slow').waitFor({ timeout: 5_000 })
  await cover.getByText('Visit Notes could not open').waitFor({ timeout: 15_000 })
  assert.match((await fixture.tab('Visit Notes').textContent()) ?? '', /could not open/)
  await fixture.card('Visit Notes').getByText('Failed at Page load').waitFor()
  await cover.getByText('For support', { exact: true }).click()
  assert.match((await cover.textContent()) ?? '', /nothing in the chart has changed.*Page load/)

  await page.unroute(/visit-notes/)
  await cover.getByRole('button', { name: 'Try again' }).click()
  await fixture.frame('Visit Notes').locator('#provider').waitFor()
  await fixture.waitUntilReady('Visit Notes')
  assert.equal(await cover.isVisible(), false)
})

test('asks before it launches an app with unsaved work again', async () => {
  await fixture.signIn('/meadow')
  await fixture.frame('Visit Notes').locator('#provider').waitFor()
  await fixture.waitUntilReady('Visit Notes')
  const app = page.frames().find((frame) => frame.url().includes('visit-notes'))
  await app?.evaluate(async () => {
    const { Chartside } = window as unknown as PageWithSDK
    const sdk = await Chartside.initServiceSDK()
    sdk.setUnsavedWork(true)
  })
  const dialog = page.getByRole('dialog', { name: 'Visit Notes has work that is not saved' })
  // The message travels over the port; until it arrives the panel would not ask.
  await page.waitForTimeout(200)
  await fixture.launchAgain('Visit Notes')
  await dialog.getByRole('button', { name: 'Keep working' }).click()
  assert.equal(await page.locator('.launch[data-app="Visit Notes"]').count(), 1)
  await fixture.launchAgain('Visit Notes')
  await dialog.getByRole('button', { name: 'Launch again without it' }).click()
  await page.locator('.launch[data-app="Visit Notes"]').nth(1).waitFor()
})

test('shows why authorize refused a reload after the code was used', async () => {
  await fixture.signIn('/meadow?fault=reload-frame')
  await fixture.waitUntilReady('Visit Notes')
  await page.locator('.fault-buttons button').first().click()
  await fixture.step('Visit Notes', 'authorize', 'failed').waitFor()
  await fixture.card('Visit Notes').getByText('launch_used').waitFor()
  await fixture.cover.getByText('Visit Notes could not open').waitFor()
  await page.locator('#sign-out').click()
  await page.locator('#sign-in').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  await page.setViewportSize({ width: 360, height: 740 })
  const over = await page.locator('.front').evaluate((one) => one.scrollWidth - one.clientWidth)
  assert.equal(over, 0, 'the card of the sign-in is as wide as a narrow window')
})

test('shows the steps from an interruption of the event stream afterwards', async () => {
  await fixture.offer()
  let isDown = true
  await page.route('**/api/sessions/*/events', (route) =>
    isDown ? route.abort() : route.continue(),
  )
  await fixture.signIn('/meadow')
  await fixture.frame('Visit Notes').locator('#provider').waitFor()
  assert.equal(await page.locator('.launch').count(), 0)
  isDown = false
  await fixture.waitUntilReady('Visit Notes')
  await fixture.waitUntilReady('Coding Watch')
})

test('prints readable lines of the launches, without a secret', () => {
  const text = lines.join('\n')
  assert.match(text, /Visit Notes: code exchanged/)
  assert.match(text, /fix:/)
  assert.doesNotMatch(text, /(lnch|at|code|cs|st)_[0-9a-z]{22}[A-Za-z0-9_-]{43}/)
})
