// The day of a provider, in clicks and fields: signing in, the next chart, back after the idle time, a new
// working day, telling the administrators. In Chromium, with the real service and a sample app; every
// press and every field goes through a counter.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { SAMPLE_PASSWORD } from '@chartside/server/sample-data'
import type { Locator, Page } from 'playwright-core'
import { type ExtensionFixture, type Panel, PROVIDER, startFixture } from './fixture.ts'

const APP = 'Visit Notes'
/** What each task took before, and what it takes at most now. */
const TASKS = {
  'first sign-in and app': { before: { clicks: 6, fields: 2 }, now: { clicks: 6, fields: 2 } },
  'app beside the next chart': { before: { clicks: 2, fields: 0 }, now: { clicks: 0, fields: 0 } },
  'back after 30 idle minutes': { before: { clicks: 4, fields: 2 }, now: { clicks: 1, fields: 1 } },
} as const

let fixture: ExtensionFixture
before(async () => {
  fixture = await startFixture({ only: ['visit-notes'], chosen: [APP] })
})
after(() => fixture?.stop())

class Counter {
  clicks = 0
  fields = 0

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }

  async fill(target: Locator, text: string): Promise<void> {
    this.fields += 1
    await target.fill(text)
  }

  assertAtMost(task: keyof typeof TASKS): void {
    const { clicks, fields } = this
    assert.deepEqual({ clicks, fields }, TASKS[task].now, task)
  }
}

const button = (place: Panel, name: string) => place.getByRole('button', { name, exact: true })
const appIn = (panel: Panel) => panel.frameLocator(`iframe[title="${APP}"]`).locator('#provider')

/** A press that opens the sign-in tab. */
async function beginSignIn(count: Counter, panel: Panel): Promise<Page> {
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
  const count = new Counter()
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
  const count = new Counter()
  const next = await fixture.context.newPage()
  await next.goto(fixture.ehr.url('meadow', '/chart/2'))
  await appIn(await fixture.findPanelOf(next)).waitFor()
  count.assertAtMost('app beside the next chart')
  await next.close()
  await chart.bringToFront()
})

/** The default of CHARTSIDE_SESSION_IDLE_SECONDS, and a second. */
const IDLE_MS = 1_801_000

test('back after 30 idle minutes, with the app that was open', async () => {
  const database = new DatabaseSync(fixture.databaseFile)
  for (const table of ['sign_ins', 'ehr_sessions']) {
    database.exec(`UPDATE ${table} SET last_seen_at = last_seen_at - ${IDLE_MS}`)
  }
  database.close()
  await panel.locator('[data-state="signed-out"]').waitFor()
  const count = new Counter()
  const tab = await beginSignIn(count, panel)
  assert.equal(await tab.locator('input[name="email"]').inputValue(), PROVIDER.email)
  await count.fill(tab.locator('input[name="password"]'), SAMPLE_PASSWORD)
  await tab.keyboard.press('Enter')
  await appIn(panel).waitFor()
  count.assertAtMost('back after 30 idle minutes')
  assert.equal(await fixture.tabId(chart), await fixture.activeTabId())
})
