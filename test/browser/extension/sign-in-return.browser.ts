// A sign-in returns to the chart from which it began, whichever tabs stand beside it: the browser alone
// would show a neighbour, which is the chart of another patient. In Chromium, with the real service.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ExtensionFixture, type Panel, startFixture } from './fixture.ts'

const PATHS = ['/chart/1', '/chart/2', '/chart/3'] as const
const APP = 'Visit Notes'

let fixture: ExtensionFixture
before(async () => {
  fixture = await startFixture({ only: ['visit-notes'], chosen: [APP] })
  const page = await fixture.context.newPage()
  await page.goto(fixture.panelUrl(999_999))
  await fixture.signIn(page)
  await page.locator('[data-state="no-ehr"]').waitFor()
  // The context ends with its last page.
  const kept = await fixture.context.newPage()
  for (const other of fixture.context.pages()) if (other !== kept) await other.close()
})
after(() => fixture?.stop())

interface Chart {
  readonly page: Page
  readonly panel: Panel
  readonly tabId: number
}

async function openCharts(paths: readonly string[]): Promise<Chart[]> {
  const charts: Chart[] = []
  for (const path of paths) {
    const page = await fixture.context.newPage()
    await page.goto(fixture.ehr.url('meadow', path))
    const panel = await fixture.openPanel(page)
    charts.push({ page, panel, tabId: await fixture.tabId(page) })
  }
  return charts
}

/** By the service, while an EHR session here listens. */
async function signOut(): Promise<void> {
  const worker = await fixture.worker()
  const token = await worker.evaluate(async () => {
    const { state } = await chrome.storage.session.get<{ state: { signIn: { token: string } } }>()
    return state.signIn.token
  })
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${fixture.sandbox.places.service.url}/auth/sign-out`, { method: 'POST', headers })
  await fixture.until(isSignedOut)
}

async function isSignedOut(): Promise<boolean> {
  const worker = await fixture.worker()
  return worker.evaluate(async () => {
    const { state } = await chrome.storage.session.get<{ state: { signIn: { kind: string } } }>()
    return state.signIn.kind === 'out'
  })
}

const listSignInTabs = () =>
  fixture.context.pages().filter((page) => /\/auth\/|signed-in/.test(page.url()))

const listOrders = <Item>(items: readonly Item[]): Item[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        listOrders(items.filter((other) => other !== item)).map((rest) => [...rest, item]),
      )

const appOf = ({ panel }: Chart) =>
  panel.frameLocator(`iframe[title="${APP}"]`).locator('#provider')

/** The tests share these charts: a panel stays as it is beside its tab. */
let charts: readonly Chart[]

test('returns to its chart of three, in each order, and opens its app again', async () => {
  charts = await openCharts(PATHS)
  const withApp = charts.slice(0, 2)
  for (const chart of withApp) {
    await chart.page.bringToFront()
    await chart.panel.getByRole('tab', { name: new RegExp(`^${APP}`) }).click()
    await appOf(chart).waitFor()
  }
  // The last of an order is the chart that signs in.
  for (const order of listOrders(charts)) {
    await signOut()
    for (const { page } of order) await page.bringToFront()
    const origin = order.at(-1)
    assert.ok(origin)
    await fixture.signIn(origin.panel)
    await fixture.until(async () => listSignInTabs().length === 0)
    const name = order.map(({ page }) => new URL(page.url()).pathname).join(' ')
    assert.equal(await fixture.activeTabId(), origin.tabId, name)
    const hasApp = withApp.includes(origin)
    await (hasApp ? appOf(origin) : origin.panel.getByRole('tab', { name: APP })).waitFor()
  }
})

async function beginSignIn(panel: Panel): Promise<Page> {
  const [tab] = await Promise.all([
    fixture.context.waitForEvent('page'),
    panel.getByRole('button', { name: 'Sign in', exact: true }).click(),
  ])
  await tab.locator('input[name="email"]').waitFor()
  return tab
}

test('opens the sign-in beside its chart, and returns when the user cancels it', async () => {
  const [first] = charts
  assert.ok(first)
  await signOut()
  await first.page.bringToFront()
  await beginSignIn(first.panel)
  const worker = await fixture.worker()
  const places = await worker.evaluate(async (originId) => {
    const [tab] = await chrome.tabs.query({ active: true })
    const origin = await chrome.tabs.get(originId)
    return { opener: tab?.openerTabId, places: (tab?.index ?? -1) - origin.index }
  }, first.tabId)
  assert.deepEqual(places, { opener: first.tabId, places: 1 })
  const ofWindow = await fixture.findWindowPanel()
  await ofWindow.getByRole('button', { name: 'Cancel' }).click()
  await fixture.until(async () => listSignInTabs().length === 0)
  assert.equal(await fixture.activeTabId(), first.tabId)
})

test('brings no chart forward when the chart of the sign-in is gone, and says so', async () => {
  const origin = charts[1]
  assert.ok(origin)
  await origin.page.bringToFront()
  const tab = await beginSignIn(origin.panel)
  const signInTab = await fixture.activeTabId()
  await origin.page.close()
  const ofWindow = await fixture.findWindowPanel()
  await fixture.finishSignIn(tab, ofWindow)
  await ofWindow.getByText('The tab that you came from is closed').waitFor()
  assert.equal(await fixture.activeTabId(), signInTab)
  await tab.getByText('You are signed in').waitFor()
  await tab.close()
  const other = await fixture.context.newPage()
  await other.goto('about:blank')
  const beside = await fixture.findWindowPanel()
  await beside.locator('[data-state="no-ehr"]').waitFor()
  assert.equal(await beside.getByText('The tab that you came from is closed').count(), 0)
})
