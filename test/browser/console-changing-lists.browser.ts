// A list while it changes: launches come as they are made and leave as they end, and an answer that is late
// changes nothing: the list shows what was asked for last. Answers are those of the service, held for a moment.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { type Launching, startLaunching } from './console-launching.ts'

let fixture: ConsoleFixture
let launching: Launching
before(async () => {
  fixture = await startConsole()
  launching = await startLaunching(fixture, { appName: 'Visit Notes', vendorName: 'Sample Apps' })
})
after(() => fixture?.stop())
afterEach(() => fixture.assertPolicyKept())

/** A page whose clock is that of the service, which stands still in tests. */
async function begin(): Promise<Page> {
  fixture.service.clock.advance(0.01)
  const page = await fixture.begin()
  await page.clock.setFixedTime(fixture.service.clock() + 60_000)
  return page
}

/** Pages of two rows; the answer with the further rows waits until it is released. */
async function holdFurtherRows(page: Page, pattern: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(pattern, async (route) => {
    if (route.request().url().includes('cursor=')) await held
    const url = route.request().url().replace('limit=50', 'limit=2')
    // The page may have ended the request meanwhile.
    await route.continue({ url }).catch(() => {})
  })
  return release
}

async function askForMore(page: Page) {
  const asked = page.waitForRequest(/cursor=/)
  await page.getByRole('button', { name: 'Show more' }).click()
  return asked
}

async function assertFailedOnly() {
  await fixture.page.locator('.launches tbody tr').first().waitFor()
  const states = await fixture.page.locator('.launches tbody .pill').allTextContents()
  assert.ok(states.length > 0 && states.every((state) => state.startsWith('Failed')), `${states}`)
}

test('adds launches as they come, and stops while the person reads', async () => {
  const page = await begin()
  await launching.launch()
  await fixture.signIn(ADMIN, '/console/platform/launches')
  const rows = page.locator('.launches tbody tr')
  await rows.first().waitFor()
  await page.mouse.move(5, 5)
  const before = await rows.count()
  await launching.launch()
  await page.waitForFunction(
    (count) => document.querySelectorAll('.launches tbody tr').length > count,
    before,
  )
  await rows.first().hover()
  const while_reading = await rows.count()
  await launching.launch()
  await page.getByRole('button', { name: '1 new' }).waitFor()
  assert.equal(await rows.count(), while_reading)
  await page.getByRole('button', { name: '1 new' }).click()
  await page.waitForFunction(
    (count) => document.querySelectorAll('.launches tbody tr').length > count,
    while_reading,
  )
})

test('shows no row of the filter before, and takes no late answer to it', async () => {
  const page = await begin()
  for (let i = 0; i < 3; i++) await launching.ready()
  await launching.failExchange()
  const release = await holdFurtherRows(page, '**/api/launches?*')
  await fixture.signIn(ADMIN, '/console/platform/launches')
  await page.locator('.launches tbody tr').nth(1).waitFor()
  const more = await askForMore(page)
  // Before the next frame is painted, and so before any answer.
  const atOnce = await page.evaluate(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true }))
    await new Promise(requestAnimationFrame)
    const rows = document.querySelectorAll('.launches tbody tr').length
    return { isFiltered: location.search.includes('outcome=failed'), rows }
  })
  assert.deepEqual(atOnce, { isFiltered: true, rows: 0 })
  await assertFailedOnly()
  release()
  await more.response().catch(() => null)
  await page.waitForResponse(/outcome=failed.*from=/)
  await assertFailedOnly()
})

test('takes a launch off the list of those that open when it is ready', async () => {
  const page = await begin()
  const opening = await launching.launch()
  await fixture.signIn(ADMIN, '/console/platform/launches?outcome=opening')
  const link = page.locator(`.launches a[href*="${opening.id}"]`).first()
  await link.waitFor()
  await page.mouse.move(5, 5)
  await launching.finish(opening)
  await link.waitFor({ state: 'detached' })
})

test('keeps a search when further rows of the list before arrive', async () => {
  for (const name of ['Ada Admin', 'Bo Busy', 'Cy Clinic']) {
    const member = { name, email: `${name.slice(0, 2).trim()}@lakeside.example`, role: 'provider' }
    await fixture.api('POST', `/api/accounts/${fixture.accountId}/members`, member)
  }
  const page = await begin()
  const release = await holdFurtherRows(page, '**/members?*')
  await fixture.signIn(ADMIN, `/console/${fixture.accountId}/people`)
  await page.locator('tbody tr').nth(1).waitFor()
  const more = await askForMore(page)
  await page.getByLabel('Find a person').fill('clinic')
  await page.waitForURL(/find=clinic/)
  const row = page.locator('tbody tr', { hasText: 'Cy Clinic' })
  await row.waitFor()
  release()
  await more.response().catch(() => null)
  await page.evaluate(() => new Promise(requestAnimationFrame))
  assert.equal(await row.count(), 1)
  assert.equal(await page.locator('tbody tr').count(), 1)
})
