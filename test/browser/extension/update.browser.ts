// An extension that is updated while apps run: what the earlier version leaves in the page of the EHR,
// in the panel and at the service. In Chromium, with the real service and the sample apps.
// Specification §1, §5.5; security X01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Api, signInToApi } from './ehr.ts'
import {
  EXTENSION_ID,
  type ExtensionFixture,
  type Panel,
  PROVIDER,
  startFixture,
} from './fixture.ts'

let fixture: ExtensionFixture
let provider: Api
let chart: Page
let panel: Panel
/** What the page of the EHR would see in its console. */
const lines: string[] = []
before(async () => {
  fixture = await startFixture()
  provider = await signInToApi(fixture.sandbox.places.service.url, PROVIDER.email)
  const page = await fixture.context.newPage()
  await page.goto(fixture.panelUrl(999_999))
  await fixture.signIn(page)
  await page.locator('[data-state="no-ehr"]').waitFor()
  await page.close()
  chart = await fixture.context.newPage()
  chart.on('pageerror', (error) => lines.push(String(error)))
  chart.on('console', (line) => lines.push(line.text()))
  await chart.goto(fixture.ehr.url('meadow'))
})
after(() => fixture?.stop())

interface Listed {
  readonly id: string
  readonly kind: string
  readonly state: string
}

const isOver = ({ state }: Listed) => state === 'ended' || state === 'expired'

async function list(): Promise<Listed[]> {
  const { items } = await provider.call('GET', '/api/launches?limit=50')
  return items
}

async function openApps(): Promise<Listed[]> {
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
  let open: Listed[] = []
  await fixture.until(async () => {
    open = (await list()).filter((launch) => !isOver(launch))
    return open.length === 2 && open.every(({ state }) => state === 'exchanged')
  })
  assert.deepEqual(open.map(({ kind }) => kind).toSorted(), ['ui', 'worker'])
  return open
}

const handles = () => chart.locator('chartside-handle')

test('an update while apps run closes panel and frames, and leaves one handle', async () => {
  panel = await fixture.openPanel(chart)
  await openApps()
  await fixture.updateExtension('1.0.1')
  // The worker may start once more while it is asked.
  await fixture.until(async () => {
    const running = await fixture.worker()
    return (await running.evaluate(() => chrome.runtime.getManifest().version)) === '1.0.1'
  })
  await fixture.until(async () => (await handles().count()) === 1)
  assert.deepEqual(await fixture.contexts('SIDE_PANEL'), [])
  assert.deepEqual(await fixture.contexts('OFFSCREEN_DOCUMENT'), [], 'no Worker app runs on')
  const stored = await (await fixture.worker()).evaluate(async () =>
    JSON.stringify(await chrome.storage.session.get()),
  )
  assert.doesNotMatch(stored, /st_|lnch_/, 'the sign-in went with its memory')
})

test('the handle of the new version opens its panel, which launches apps of its own', async () => {
  const earlier = (await list()).map(({ id }) => id)
  panel = await fixture.openPanel(chart)
  await panel.locator('[data-state="signed-out"]').waitFor()
  await fixture.signIn(panel)
  await chart.bringToFront()
  // What the earlier version had open ends with the sign-in: before, no one could end it.
  const open = await openApps()
  assert.ok(open.every(({ id }) => !earlier.includes(id)))
  assert.equal((await fixture.listHosted()).length, 1)
})

test('scripts of earlier versions throw nothing into the page and report nothing', async () => {
  const before = (await list()).map(({ id }) => id)
  await fixture.updateExtension('1.0.2')
  await fixture.until(async () => (await handles().count()) === 1)
  await chart.getByLabel('Note').press('a')
  await chart.mouse.wheel(0, 10)
  await chart.evaluate(() => history.pushState({}, '', '/login'))
  await handles().waitFor({ state: 'hidden' })
  await chart.evaluate(() => {
    history.pushState({}, '', '/chart/2')
    // As a page that draws itself again, which is when an earlier handle would come back.
    document.replaceChild(document.createElement('html'), document.documentElement)
  })
  await handles().waitFor()
  assert.deepEqual(
    (await list()).map(({ id }) => id),
    before,
    'no version launches anything without a sign-in',
  )
  assert.deepEqual(lines, [])
})

test('the handle goes with an extension that is switched off', async () => {
  const settings = await fixture.context.newPage()
  await settings.goto('chrome://extensions')
  await settings.evaluate((id) => chrome.management.setEnabled(id, false), EXTENSION_ID)
  await settings.close()
  await chart.bringToFront()
  await chart.mouse.wheel(0, 10)
  await handles().waitFor({ state: 'detached' })
  assert.deepEqual(lines, [])
})
