// The panel in Chromium with a background that the test plays, a fake service and the real host and SDK:
// keyboard, covers, work that is not saved, announcements, and what a provider never reads.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'
import { SESSION } from './handshake-service.ts'
import { APPS, type PanelFixture, startPanelFixture } from './panel-fixture.ts'
import { openPanelPage, type PanelPage, VIEW_OF_APPS } from './panel-page.ts'

const [NOTES, GAPS, DESK] = APPS
let browser: Browser
let fixture: PanelFixture
let panel: PanelPage
let page: Page

before(async () => {
  fixture = await startPanelFixture()
  browser = await launchChromium()
})
after(async () => {
  await browser.close()
  await fixture.close()
})
beforeEach(async () => {
  fixture.reset()
  panel = await openPanelPage(browser, fixture)
  page = panel.page
})
afterEach(async () => {
  await panel.assertPolicyKept()
  await page.context().close()
})

const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
const countLaunches = () => fixture.service.records.length
const focusedTag = () => page.evaluate(() => document.activeElement?.tagName)

async function startReady(): Promise<void> {
  await panel.startSession()
  await Promise.all([panel.waitUntilReady(NOTES.id), fixture.service.followed])
}

async function type(text: string): Promise<void> {
  await panel.appPage(NOTES.id).locator('textarea').fill(text)
  await page.waitForTimeout(50)
}

const noteText = () => panel.appPage(NOTES.id).locator('textarea').inputValue()

test('launches nothing while arrows pass by, and enters the app on Enter only', async () => {
  await startReady()
  await tab(NOTES.name).focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Home', 'End']) {
    await page.keyboard.press(key)
  }
  assert.equal(countLaunches(), 1)
  await page.keyboard.press('4')
  await panel.waitUntilReady('app_growth')
  await tab('Growth Chart')
    .and(page.getByRole('tab', { selected: true }))
    .waitFor()
  assert.equal(await focusedTag(), 'BUTTON')
  await tab(GAPS.name).press('Enter')
  await panel.waitUntilReady(GAPS.id)
  await page.waitForFunction(() => document.activeElement?.tagName === 'IFRAME')
  assert.equal(countLaunches(), 3)
})

test('covers an app until its hello, and keeps keys out of it', async () => {
  await startReady()
  let open = () => {}
  fixture.gates.set(
    GAPS.id,
    new Promise((resolve) => {
      open = () => resolve()
    }),
  )
  await tab(GAPS.name).click()
  await page.locator('[data-state="loading"]').waitFor()
  const place = page.locator(`.place[data-app="${GAPS.id}"]`)
  assert.equal(await place.evaluate((element) => element.matches('[inert]')), true)
  open()
  await panel.waitUntilReady(GAPS.id)
  await page.locator('[data-state="loading"]').waitFor({ state: 'detached' })
  assert.equal(await place.evaluate((element) => element.matches('[inert]')), false)
  assert.equal(await page.locator(`.place[data-app="${NOTES.id}"]`).isVisible(), false)
})

test('keeps the words of developers from a provider, and has them for support', async () => {
  await startReady()
  await tab(DESK.name).click()
  await page.getByRole('heading', { name: 'Referral Desk could not open' }).waitFor()
  assert.doesNotMatch(await page.locator('body').innerText(), /invalid_client|client_secret|trace/i)
  await page.locator('summary').press('Enter')
  const fold = await page.locator('.support-block').innerText()
  assert.match(fold, /invalid_client/)
  assert.match(fold, /cf58c034575e6470/)
  assert.match(fold, /6:21:24 PM EST \(2026-11-21 23:21:24\.000 UTC\)/)
  assert.doesNotMatch(fold, /st_test|at_secret|lnch_/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Referral Desk could not open' }).waitFor()
  assert.equal(countLaunches(), 3)
})

test('asks before launching again over work that is not saved', async () => {
  await startReady()
  await type('Unsaved words')
  const launchAgain = async () => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Launch Visit Notes again' }).click()
  }
  await launchAgain()
  await page.getByRole('button', { name: 'Keep working' }).click()
  assert.equal(await noteText(), 'Unsaved words')
  assert.equal(countLaunches(), 1)
  await launchAgain()
  await page.getByRole('button', { name: 'Launch again without it' }).click()
  await page.waitForFunction(() => document.querySelectorAll('dialog[open]').length === 0)
  await panel.waitUntilReady(NOTES.id)
  assert.equal(countLaunches(), 2)
})

test('asks before a sign-out that loses work, and then closes every app', async () => {
  await startReady()
  await type('Unsaved words')
  const signOut = async () => {
    await page.getByRole('button', { name: 'More' }).press('ArrowDown')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await signOut()
  assert.deepEqual(await panel.listCommands('signOut'), [])
  await page.getByRole('button', { name: 'Sign out without it' }).click()
  assert.equal((await panel.listCommands('signOut')).length, 1)
  assert.equal(await page.locator('iframe').count(), 0)
})

test('leaves a frame with work that is not saved when its session is over', async () => {
  await startReady()
  await type('Unsaved words')
  fixture.service.endSession('idle')
  await page.getByText('Visit Notes has ended').first().waitFor()
  await panel.send({ type: 'withdraw', sessionId: SESSION.id, reason: 'idle' })
  await panel.show({ kind: 'signed_out', because: 'idle' }, { person: null })
  assert.equal(await noteText(), 'Unsaved words')
  assert.equal(await page.locator(`.place[data-app="${NOTES.id}"]`).isVisible(), true)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  assert.equal(await page.locator('iframe').count(), 0)
})

test('removes frames without unsaved work when their session is over', async () => {
  await startReady()
  await panel.send({ type: 'withdraw', sessionId: SESSION.id, reason: 'closed' })
  await panel.show({ kind: 'ended', reason: 'closed', ehrName: 'Meadow EHR' })
  await page.getByRole('heading', { name: 'Your apps have closed' }).waitFor()
  assert.equal(await page.locator('iframe').count(), 0)
  const lists = await panel.listCommands('launches')
  assert.deepEqual(lists.at(-1)?.launches, [])
})

test('keeps its frames when the background starts again and grants the session again', async () => {
  await startReady()
  await type('Unsaved words')
  await panel.startSession()
  await panel.show(VIEW_OF_APPS(), { isOffline: true })
  await page.getByText('No connection to Chartside').waitFor()
  assert.equal(await noteText(), 'Unsaved words')
  assert.equal(countLaunches(), 1)
})

test('shows an app that an administrator switches off while it is open', async () => {
  await startReady()
  fixture.service.endLaunch('lau_1', 'app_disabled')
  await page.getByRole('heading', { name: 'Visit Notes was switched off' }).waitFor()
  await page.getByText('An administrator stopped it at 6:21 PM.').waitFor()
  await tab(GAPS.name).click()
  await panel.waitUntilReady(GAPS.id)
})

test('announces only what is ready, has failed or has ended, once each', async () => {
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    const region = document.querySelector('[aria-live]')
    if (!region) throw new Error('no live region')
    new MutationObserver(() => said.push(region.textContent ?? '')).observe(region, {
      characterData: true,
      childList: true,
      subtree: true,
    })
  })
  await startReady()
  await tab(DESK.name).click()
  await page.getByRole('heading', { name: 'Referral Desk could not open' }).waitFor()
  await panel.show(VIEW_OF_APPS(), { isOffline: true })
  await panel.show({ kind: 'signed_out', because: 'idle' }, { person: null })
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said)
  // An empty region is silent.
  assert.deepEqual(
    said.filter((text) => text !== ''),
    ['Visit Notes is ready.', 'Referral Desk could not open.', 'You are signed out.'],
  )
  assert.equal(await page.locator('[aria-live]').count(), 1)
})

test('sends what a person does to the background', async () => {
  await panel.show({ kind: 'signed_out', because: null }, { person: null })
  await page.getByRole('button', { name: 'Sign in' }).click()
  assert.equal((await panel.listCommands('signIn')).length, 1)
  assert.ok((await panel.listCommands('activity')).length > 0)
  await startReady()
  await panel.show(VIEW_OF_APPS(), { signsOutAt: Date.UTC(2026, 10, 21, 23, 23, 16) })
  await page.getByRole('button', { name: 'Stay' }).click()
  assert.equal((await panel.listCommands('stay')).length, 1)
})

test('opens the background apps and closes them with Escape', async () => {
  await startReady()
  const button = page.getByRole('button', { name: '1 in background' })
  await button.press('Enter')
  await page.getByText('Coding Watch').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Coding Watch').waitFor({ state: 'detached' })
  assert.equal(await button.evaluate((element) => element === document.activeElement), true)
})

test('shows in a report what support needs and no secret', async () => {
  await startReady()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /Report a problem/ }).click()
  const report = page.getByRole('dialog', { name: 'Report a problem' })
  await report.waitFor()
  const text = await report.innerText()
  assert.match(text, /Visit Notes/)
  assert.match(text, /Meadow EHR/)
  assert.match(text, /Launch/)
  assert.match(text, /Extension.*SDK \d/)
  assert.doesNotMatch(text, /st_test|at_secret|lnch_|Testerly/)
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (copied) => {
      document.body.dataset.copied = copied
    }
  })
  const line = report.getByRole('textbox', { name: 'What happened?' })
  await line.fill('x'.repeat(290))
  await line.pressSequentially(' the end is cut off')
  await report.getByRole('button', { name: /Copy/ }).click()
  await page.waitForSelector('body[data-copied]')
  const copied = await page.evaluate(() => document.body.dataset.copied ?? '')
  assert.match(copied, /^x{290} the end i\nApp: Visit Notes\n/)
  await page.keyboard.press('Escape')
  await report.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /Report a problem/ }).click()
  assert.equal(await line.inputValue(), '')
})

test('sends a report to the administrators, and says why it could not', async () => {
  await startReady()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /Report a problem/ }).click()
  const report = page.getByRole('dialog', { name: 'Report a problem' })
  await report.getByRole('textbox', { name: 'What happened?' }).fill('It closed by itself.')
  const button = report.getByRole('button', { name: 'Send to your administrators' })
  await button.click()
  const [command] = await panel.listCommands('report')
  assert.ok(command?.type === 'report')
  assert.match(command.practiceId, /^acc_/)
  const { message, appId, launchId, versions } = command.problem
  assert.deepEqual([message, appId], ['It closed by itself.', NOTES.id])
  assert.ok(launchId)
  assert.match(versions?.browser ?? '', /^(Chrome|Edge) \d+$/)
  assert.doesNotMatch(JSON.stringify(command), /st_test|at_secret|lnch_|Testerly/)
  await panel.send({ type: 'reported', failure: 'Ten reports an hour are taken.' })
  await report.getByText('Not sent. Ten reports an hour are taken. Try again').waitFor()
  await button.click()
  await panel.send({ type: 'reported', failure: null })
  await report.getByText('Sent. Your administrators see it on their overview.').waitFor()
  assert.equal(await button.count(), 0)
})

test('names for a developer what keeps a page of the app from opening in the panel', async () => {
  await startReady()
  const person = { name: 'Dana', email: 'dana@sample-apps.example', isDeveloper: true as const }
  await panel.show(VIEW_OF_APPS(), { person })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /Diagnostics/ }).click()
  await page.getByRole('button', { name: 'Check the pages of the app' }).click()
  const commands = await panel.listCommands('preflight')
  assert.deepEqual(commands, [{ type: 'preflight', appId: NOTES.id }])
  await page.getByText('The service visits the pages').waitFor()
  const finding = {
    check: 'frame_ancestors',
    code: 'host_not_admitted',
    outcome: 'failed',
    cause: 'frame-ancestors leaves a host origin out.',
    fix: 'Add what is missing to frame-ancestors.',
    missing: 'frame-ancestors chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  } as const
  const url = 'https://notes.example/launch'
  await panel.send({
    type: 'preflight',
    appId: NOTES.id,
    answer: {
      appId: NOTES.id,
      checkedAt: '2026-11-21T23:21:24Z',
      hostOrigins: [],
      outcome: 'failed',
      pages: [{ url, uses: ['launch'], outcome: 'failed', findings: [finding] }],
      notChecked: [],
    },
  })
  await page.getByText(`Missing: ${finding.missing}`).waitFor()
  await page.getByText(finding.fix).waitFor()
})

const openChart = (chart: string) => panel.send({ type: 'chart', chart })
const coverOf = (state: string) => page.locator(`.cover[data-state="${state}"]`)
const isFrameSeen = () =>
  page.evaluate((appId) => {
    const frame = document.querySelector<HTMLElement>(`.place[data-app="${appId}"] iframe`)
    return frame !== null && frame.style.opacity !== '0' && !frame.inert
  }, NOTES.id)

async function startBeside(chart: string): Promise<void> {
  await panel.startSession({ chart })
  await Promise.all([panel.waitUntilReady(NOTES.id), fixture.service.followed])
}

test('covers what is not saved beside another chart, and lets the person decide', async () => {
  await startBeside('A')
  await type('Note of A')
  await openChart('B')
  assert.equal(await isFrameSeen(), false)
  await coverOf('other-chart').getByText('Visit Notes was opened in the one before.').waitFor()
  assert.equal(countLaunches(), 1)
  await page.getByRole('button', { name: 'Go on with the earlier chart' }).click()
  await page.getByText('Visit Notes belongs to the earlier chart').waitFor()
  assert.deepEqual([await isFrameSeen(), await noteText()], [true, 'Note of A'])
  await openChart('C')
  assert.equal(await isFrameSeen(), false)
  await page.getByRole('button', { name: 'Open for this chart' }).click()
  const dialog = page.getByRole('dialog', { name: 'Visit Notes has work that is not saved' })
  await dialog.getByRole('button', { name: 'Launch again without it' }).click()
  await page.waitForFunction(() => !document.querySelector('.cover'))
  await panel.waitUntilReady(NOTES.id)
  assert.deepEqual([await isFrameSeen(), countLaunches()], [true, 2])
  assert.notEqual(await noteText(), 'Note of A')
})

test('uncovers what is not saved by itself when its chart is back', async () => {
  await startBeside('A')
  await type('Note of A')
  await openChart('B')
  await coverOf('other-chart').waitFor()
  await openChart('A')
  await page.waitForFunction(() => !document.querySelector('.cover'))
  assert.deepEqual([await isFrameSeen(), await noteText()], [true, 'Note of A'])
})

test('opens an app with nothing to save again for the next chart, unasked', async () => {
  await startBeside('A')
  await openChart('B')
  assert.equal(await isFrameSeen(), false)
  await page.waitForFunction(() => !document.querySelector('.cover'))
  await panel.waitUntilReady(NOTES.id)
  assert.deepEqual([await isFrameSeen(), countLaunches()], [true, 2])
  await openChart('C')
  await openChart('B')
  await page.waitForTimeout(600)
  assert.deepEqual([await isFrameSeen(), countLaunches()], [true, 2], 'it was back at once')
})

test('covers what an ended session left when another chart is opened [V40]', async () => {
  await startBeside('A')
  await type('Note of A')
  await panel.send({ type: 'withdraw', sessionId: SESSION.id, reason: 'idle' })
  await panel.show({ kind: 'signed_out', because: 'idle' }, { person: null })
  assert.equal(await isFrameSeen(), true)
  await openChart('B')
  assert.equal(await isFrameSeen(), false)
  await coverOf('other-chart').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Open for this chart' }).count(), 0)
  await page.getByRole('button', { name: 'Go on with the earlier chart' }).click()
  assert.equal(await noteText(), 'Note of A')
})
