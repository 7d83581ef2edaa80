// The extension in Chromium, with the real service and the sample apps: a provider signs in, opens a
// chart, meets the apps, and signs out. Specification §1, §5.5.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Api, signInToApi } from './ehr.ts'
import { type ExtensionFixture, type Panel, PROVIDER, startFixture } from './fixture.ts'

let fixture: ExtensionFixture
let provider: Api
let chart: Page
let panel: Panel
before(async () => {
  fixture = await startFixture({ isServiceBuilt: false })
  await storeService(fixture.sandbox.places.service.url)
  provider = await signInToApi(fixture.sandbox.places.service.url, PROVIDER.email)
})
after(() => fixture.stop())

/** Launches of the provider that are not over, newest first, as `kind app state`. */
async function listLive(): Promise<{ id: string; kind: string; state: string; app: string }[]> {
  const { items } = await provider.call('GET', '/api/launches?limit=50')
  return items
    .filter(({ state }: { state: string }) => !['ended', 'expired'].includes(state))
    .map((item: { id: string; kind: string; state: string; app: { name: string } }) => ({
      ...item,
      app: item.app.name,
    }))
}

test('signs in through a tab, with the same match code in panel and page', async () => {
  chart = await fixture.context.newPage()
  await chart.goto(fixture.panelUrl(999_999))
  await chart.locator('[data-state="signed-out"]').waitFor()
  await fixture.signIn(chart)
  await chart.locator('[data-state="no-ehr"]').waitFor()
  const worker = await fixture.worker()
  const stored = await worker.evaluate(async () =>
    JSON.stringify(await chrome.storage.local.get(null)),
  )
  assert.doesNotMatch(stored, /st_|lnch_/, 'no bearer value outlives the browser')
})

test('launches the Worker app at once, without a panel', async () => {
  await chart.goto(fixture.ehr.url('meadow'))
  await fixture.until(async () => {
    const live = await listLive()
    return live.length === 1 && live[0]?.kind === 'worker' && live[0].state === 'exchanged'
  })
  assert.equal((await fixture.contexts('OFFSCREEN_DOCUMENT')).length, 1)
  assert.equal((await fixture.contexts('SIDE_PANEL')).length, 0)
})

const readIcon = async (page: Page) => {
  const tabId = await fixture.tabId(page)
  const worker = await fixture.worker()
  return worker.evaluate(
    async (id) => ({
      text: await chrome.action.getBadgeText({ tabId: id }),
      title: await chrome.action.getTitle({ tabId: id }),
    }),
    tabId,
  )
}

test('says in the icon of the toolbar what the apps of the tab are doing', async () => {
  await fixture.until(async () => (await readIcon(chart)).text === '✓')
  assert.match((await readIcon(chart)).title, /: connected to Meadow EHR$/)
  const other = await fixture.context.newPage()
  assert.deepEqual((await readIcon(other)).text, '')
  assert.match((await readIcon(other)).title, /: signed in$/)
  await other.close()
})

test('keeps the browser from unloading a tab with apps, and its handle out of print', async () => {
  const tabId = await fixture.tabId(chart)
  const worker = await fixture.worker()
  const isDiscardable = () =>
    worker.evaluate(async (id) => (await chrome.tabs.get(id)).autoDiscardable, tabId)
  await fixture.until(async () => !(await isDiscardable()))
  const handle = chart.locator('chartside-handle')
  assert.ok(await handle.isVisible())
  await chart.emulateMedia({ media: 'print' })
  assert.ok(await handle.isHidden())
  await chart.emulateMedia({ media: null })
  await chart.evaluate(() => history.pushState({}, '', '/login'))
  await fixture.until(isDiscardable)
  await chart.evaluate(() => history.back())
  await fixture.until(async () => !(await isDiscardable()))
})

test('its handle moves by keys and pointer without a panel, and opens one by Enter', async () => {
  await chart.bringToFront()
  const box = async () => {
    const found = await chart.locator('chartside-handle').boundingBox()
    assert.ok(found)
    return found
  }
  const top = async () => Math.round((await box()).y)
  const inSight = await chart.evaluate(() => window.innerHeight)
  assert.ok(Math.abs((await top()) - inSight * 0.4) < 2, 'in sight, however long the page is')
  await chart.getByLabel('Note').press('Tab')
  const first = await top()
  await chart.keyboard.press('ArrowDown')
  await chart.keyboard.press('ArrowDown')
  const lower = await top()
  assert.ok(lower > first, `${lower} below ${first}`)
  await chart.keyboard.press('ArrowUp')
  assert.ok((await top()) < lower)

  const { x, y, width, height } = await box()
  await chart.mouse.move(x + width / 2, y + height / 2)
  await chart.mouse.down()
  await chart.mouse.move(x - 100, y + height / 2 + 120, { steps: 3 })
  await chart.mouse.up()
  assert.ok(Math.abs((await top()) - y - 120) < 5, 'it follows the pointer along the edge')
  const dragged = await top()
  await chart.mouse.move(x, y)
  assert.equal(await top(), dragged, 'and no longer than the button is held')
  assert.equal((await fixture.contexts('SIDE_PANEL')).length, 0)
  await chart.keyboard.press('Enter')
  panel = await fixture.findPanelOf(chart)
})

test('shows the UI app in the side panel that the handle opens', async () => {
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
  assert.deepEqual(
    (await listLive()).map(({ kind }) => kind),
    ['ui', 'worker'],
  )
})

test('counts the background apps in the foot of the panel, and names them', async () => {
  await panel.getByRole('button', { name: '1 in background' }).click()
  await panel.getByText('Coding Watch').waitFor()
  await panel.getByText('Working', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Back to Visit Notes' }).click()
})

test('keeps the launches over a reload, another tab and an address without a load', async () => {
  const before = (await listLive()).map(({ id }) => id)
  await chart.reload()
  await chart.evaluate(() => history.pushState({}, '', '/chart/2'))
  const other = await fixture.context.newPage()
  await other.goto('about:blank')
  await chart.bringToFront()
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.deepEqual(
    (await listLive()).map(({ id }) => id),
    before,
  )
  await other.close()
})

test('says beside a tab without a chart that there is none, and shows the next chart', async () => {
  const other = await fixture.context.newPage()
  await other.goto('about:blank')
  const ofWindow = await fixture.findWindowPanel()
  await ofWindow.locator('[data-state="no-ehr"]').waitFor()
  await other.goto(fixture.ehr.url('meadow'))
  const embedded = await fixture.findPanelOf(other)
  await embedded.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
  await ofWindow.locator('[data-state="no-ehr"]').waitFor({ state: 'hidden' })
  // The handle leads to what is there: no second panel of the tab opens.
  await other.locator('chartside-handle').click()
  await new Promise((resolve) => setTimeout(resolve, 500))
  const own = fixture.panelUrl(await fixture.tabId(other))
  const documents = await fixture.contexts('SIDE_PANEL')
  assert.deepEqual([documents.includes(own), documents.includes(`${own}&in=window`)], [false, true])
  assert.equal((await listLive()).length, 4)
  await other.close()
  await ofWindow.locator('iframe').waitFor({ state: 'detached' })
  await fixture.until(async () => (await listLive()).length === 2)
  await chart.bringToFront()
})

test('ends the session when a single-page EHR leaves the chart, and opens the next', async () => {
  const before = (await listLive()).map(({ id }) => id)
  await chart.evaluate(() => history.pushState({}, '', '/login'))
  await fixture.until(async () => (await listLive()).length === 0)
  await panel.locator('[data-state="no-ehr"]').waitFor()
  await chart.evaluate(() => history.pushState({}, '', '/chart/3'))
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
  await fixture.until(async () => (await listLive()).length === 2)
  assert.ok((await listLive()).every(({ id }) => !before.includes(id)))
})

test('ends the launch of the UI app when the panel closes, and not that of the Worker', async () => {
  const worker = await fixture.worker()
  await worker.evaluate(async () => {
    const [tab] = await chrome.tabs.query({ active: true })
    await chrome.sidePanel.setOptions({ tabId: tab?.id ?? -1, enabled: false })
  })
  await fixture.until(async () => (await listLive()).length === 1)
  assert.deepEqual(
    (await listLive()).map(({ kind }) => kind),
    ['worker'],
  )
  panel = await fixture.openPanel(chart)
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
})

const storeService = async (service: string) => {
  const worker = await fixture.worker()
  await worker.evaluate(
    (address) => chrome.storage.local.set({ settings: { service: address } }),
    service,
  )
}

const readToken = async () => {
  const worker = await fixture.worker()
  return worker.evaluate(async () => {
    const { state } = await chrome.storage.session.get<{ state: { signIn: { token: string } } }>()
    return state.signIn.token
  })
}

test('shows the end within a second when the service ends the sign-in', async () => {
  const token = await readToken()
  const startedAt = performance.now()
  const answer = await fetch(`${fixture.sandbox.places.service.url}/auth/sign-out`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(answer.status, 204)
  await panel.locator('[data-state="signed-out"]').waitFor()
  assert.ok(performance.now() - startedAt < 1_000, `${performance.now() - startedAt} ms`)
  await panel.locator('iframe').first().waitFor({ state: 'detached' })
  await fixture.until(async () => (await fixture.listHosted()).length === 0)
})

test('signs out from the panel: launches end, and nothing is left in memory', async () => {
  await fixture.signIn(panel)
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
  await chart.bringToFront()
  await panel.getByRole('button', { name: 'More' }).click()
  await panel.getByText('Sign out', { exact: true }).click()
  await panel.locator('[data-state="signed-out"]').waitFor()
  await fixture.until(async () => (await listLive()).length === 0)
  const worker = await fixture.worker()
  const stored = await worker.evaluate(async () =>
    JSON.stringify(await chrome.storage.session.get(null)),
  )
  assert.doesNotMatch(stored, /st_|lnch_/)
  const documents = () => fixture.contexts('OFFSCREEN_DOCUMENT')
  await fixture.until(async () => (await documents()).length === 0, 20_000)
})

test('asks the person before another service takes the place of its own [X01, V28]', async (t) => {
  const asked: unknown[] = []
  const next = createServer(({ method, url, headers }, response) => {
    asked.push([method, url, headers.authorization])
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('{}')
  })
  next.listen(0, '127.0.0.1')
  await once(next, 'listening')
  t.after(() => {
    next.close()
    next.closeAllConnections()
  })
  await fixture.signIn(panel)
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
  const { port } = next.address() as AddressInfo
  await storeService(`http://localhost:${port}`)
  await panel.getByText('Nothing changes until you sign out').waitFor()
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
  await panel.getByRole('button', { name: 'More' }).click()
  await panel.getByText('Sign out', { exact: true }).click()
  const page = panel.locator('[data-state="service-change"]')
  await page.getByText(`The new address is http://localhost:${port}.`).waitFor()
  await page.getByRole('button', { name: 'Keep the address' }).click()
  await panel.locator('[data-state="signed-out"]').waitFor()
  assert.deepEqual(asked, [])
  await storeService(`http://localhost:${port}`)
  await page.getByRole('button', { name: 'Change it' }).click()
  await panel.locator('[data-state="signed-out"]').waitFor()
  await panel.getByRole('button', { name: 'Sign in', exact: true }).click()
  await fixture.until(async () => asked.length > 0)
  assert.deepEqual(asked[0], ['GET', '/auth/config', undefined])
})
