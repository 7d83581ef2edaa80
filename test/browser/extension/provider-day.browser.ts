// The day of a provider, in clicks and fields: signing in, the next chart, back after the idle time, a new
// working day, telling the administrators. In Chromium, with the real service and a sample app; every
// press and every field goes through a counter.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { SAMPLE_PASSWORD, SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import type { CDPSession, Page } from 'playwright-core'
import { Counter } from '../counter.ts'
import { type ExtensionFixture, type Panel, PROVIDER, startFixture } from './fixture.ts'

const APP = 'Visit Notes'
/** What each task took before, and what it takes at most now. */
const TASKS = {
  'first sign-in and app': { before: { clicks: 6, fields: 2 }, now: { clicks: 6, fields: 2 } },
  'app beside the next chart': { before: { clicks: 2, fields: 0 }, now: { clicks: 0, fields: 0 } },
  'back after 30 idle minutes': { before: { clicks: 4, fields: 2 }, now: { clicks: 1, fields: 1 } },
  'back with a passkey': { before: { clicks: 4, fields: 2 }, now: { clicks: 1, fields: 0 } },
  'new working day': { before: { clicks: 4, fields: 2 }, now: { clicks: 2, fields: 2 } },
  // Before, it was copied into a mail of one's own.
  'tell the administrators': { before: { clicks: 3, fields: 0 }, now: { clicks: 3, fields: 1 } },
} as const

let fixture: ExtensionFixture
let practice: string
let invitationUrl: string
before(async () => {
  fixture = await startFixture({ only: ['visit-notes'], chosen: [APP] })
  const { items } = await fixture.admin.call('GET', '/api/accounts?limit=100')
  const [{ name }] = SAMPLE_PRACTICES
  practice = items.find((account: { name: string }) => account.name === name).id
  const invited = { email: 'passkey@lakeside.example', name: 'Dr. Mei Tanaka', role: 'provider' }
  const member = await fixture.admin.call('POST', `/api/accounts/${practice}/members`, invited)
  invitationUrl = member.invitationUrl
})
after(() => fixture?.stop())

class TaskCounter extends Counter {
  assertAtMost(task: keyof typeof TASKS): void {
    const { clicks, fields } = this
    assert.deepEqual({ clicks, fields }, TASKS[task].now, task)
  }
}

const button = (place: Panel, name: string) => place.getByRole('button', { name, exact: true })
const appIn = (panel: Panel) => panel.frameLocator(`iframe[title="${APP}"]`).locator('#provider')

/** A press that opens the sign-in tab. */
async function beginSignIn(count: TaskCounter, panel: Panel): Promise<Page> {
  const [tab] = await Promise.all([
    fixture.context.waitForEvent('page'),
    count.click(button(panel, 'Sign in')),
  ])
  await tab.locator('input[name="password"]').waitFor()
  return tab
}

let chart: Page
let panel: Panel

/** The first time no handle is there: the icon of the toolbar opens the panel. */
async function openFirstPanel(page: Page): Promise<Panel> {
  await fixture.pressIcon(page)
  return fixture.findPanelOf(page)
}

test('first sign-in and app', async () => {
  const count = new TaskCounter()
  chart = await fixture.context.newPage()
  await chart.goto(fixture.ehr.url('meadow', '/chart/1'))
  // The puzzle piece of the browser and the entry there: no protocol presses them.
  count.clicks += 2
  panel = await openFirstPanel(chart)
  const tab = await beginSignIn(count, panel)
  await count.fill(tab.locator('input[name="email"]'), PROVIDER.email)
  await count.fill(tab.locator('input[name="password"]'), SAMPLE_PASSWORD)
  await count.click(button(tab, 'Sign in'))
  await count.click(button(tab, 'Yes, sign me in there'))
  await count.click(button(panel, APP))
  await appIn(panel).waitFor()
  count.assertAtMost('first sign-in and app')
})

test('app beside the next chart, in a new tab', async () => {
  const count = new TaskCounter()
  const next = await fixture.context.newPage()
  await next.goto(fixture.ehr.url('meadow', '/chart/2'))
  await appIn(await fixture.findPanelOf(next)).waitFor()
  count.assertAtMost('app beside the next chart')
  await next.close()
  await chart.bringToFront()
})

/** The default of CHARTSIDE_SESSION_IDLE_SECONDS, and a second. */
const IDLE_MS = 1_801_000
/** The default of CHARTSIDE_SESSION_LIFETIME_SECONDS. */
const DAY_MS = 43_200_000

/** As if this time had passed for the service. */
async function pass(tables: readonly string[], columns: readonly string[], ms: number) {
  const database = new DatabaseSync(fixture.databaseFile)
  for (const table of tables) {
    for (const column of columns) database.exec(`UPDATE ${table} SET ${column} = ${column} - ${ms}`)
  }
  database.close()
}

async function passIdleTime(): Promise<void> {
  await pass(['sign_ins', 'ehr_sessions'], ['last_seen_at'], IDLE_MS)
  await panel.locator('[data-state="signed-out"]').waitFor()
}

test('tell the administrators, who read it on their overview', async () => {
  const count = new TaskCounter()
  await count.click(button(panel, 'More'))
  await count.click(panel.getByRole('menuitem', { name: 'Report a problem' }))
  const dialog = panel.getByRole('dialog', { name: 'Report a problem' })
  await count.fill(dialog.getByRole('textbox'), 'The note closed by itself.')
  await count.click(dialog.getByRole('button', { name: 'Send to your administrators' }))
  await dialog.getByText('Sent. Your administrators see it on their overview.').waitFor()
  count.assertAtMost('tell the administrators')
  await button(panel, 'Close').click()
  const path = `/api/accounts/${practice}/problem-reports`
  const [report] = (await fixture.admin.call('GET', path)).items
  assert.equal(report.message, 'The note closed by itself.')
  assert.equal(report.app.name, APP)
  assert.match(report.launchId, /^lau_/)
  assert.match(report.versions.browser, /^Chrome \d+$/)
})

test('back after 30 idle minutes, with the app that was open', async () => {
  await passIdleTime()
  const count = new TaskCounter()
  const tab = await beginSignIn(count, panel)
  assert.equal(await tab.locator('input[name="email"]').inputValue(), PROVIDER.email)
  await count.fill(tab.locator('input[name="password"]'), SAMPLE_PASSWORD)
  await tab.keyboard.press('Enter')
  await appIn(panel).waitFor()
  count.assertAtMost('back after 30 idle minutes')
  assert.equal(await fixture.tabId(chart), await fixture.activeTabId())
})

test('new working day', async () => {
  await pass(['sign_ins', 'ehr_sessions'], ['created_at', 'last_seen_at', 'expires_at'], DAY_MS)
  await pass(['browser_steps'], ['expires_at'], DAY_MS)
  await panel.locator('[data-state="signed-out"]').waitFor()
  const count = new TaskCounter()
  const tab = await beginSignIn(count, panel)
  await count.fill(tab.locator('input[name="email"]'), PROVIDER.email)
  await count.fill(tab.locator('input[name="password"]'), SAMPLE_PASSWORD)
  await tab.keyboard.press('Enter')
  await count.click(button(tab, 'Yes, sign me in there'))
  await appIn(panel).waitFor()
  count.assertAtMost('new working day')
})

/** Of the one passkey, where an authenticator was plugged in. */
interface PluggedIn {
  readonly cdp: CDPSession
  readonly authenticatorId: string
}

async function plugIn(page: Page): Promise<PluggedIn> {
  const cdp = await fixture.context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const),
    ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  }
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  return { cdp, authenticatorId }
}

/** An authenticator of the test belongs to one tab; the list of the e-mail field offers its passkey. */
async function takePasskey(tab: Page, { cdp, authenticatorId }: PluggedIn): Promise<void> {
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  const [credential] = credentials
  assert.ok(credential)
  const here = await plugIn(tab)
  await here.cdp.send('WebAuthn.addCredential', {
    authenticatorId: here.authenticatorId,
    // A copy with an older counter is refused.
    credential: { ...credential, signCount: Math.floor(performance.now()) },
  })
  await tab.reload()
}

test('back after 30 idle minutes by the passkey that the browser offers', async () => {
  const page = await fixture.context.newPage()
  const created = await plugIn(page)
  await page.goto(invitationUrl)
  await button(page, 'Create a passkey').click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()

  await chart.bringToFront()
  await button(panel, 'More').click()
  await panel.getByRole('menuitem', { name: 'Sign out' }).click()
  const first = await beginSignIn(new TaskCounter(), panel)
  await takePasskey(first, created)
  await button(first, 'Yes, sign me in there').click()
  await appIn(panel).waitFor()

  await passIdleTime()
  const count = new TaskCounter()
  const tab = await beginSignIn(count, panel)
  await takePasskey(tab, created)
  await appIn(panel).waitFor()
  count.assertAtMost('back with a passkey')
})
