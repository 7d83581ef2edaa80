// The sandbox pages for people who see little, no colour, or use the keyboard: axe-core finds nothing
// in light, dark and forced colours, at 420 px and at 200 %; and the chart keeps its room at 1024 px.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { assertNoViolations } from './accessibility.ts'
import { type SandboxFixture, startFixture } from './sandbox-fixture.ts'

const UI_APPS = ['Visit Notes', 'Care Gaps', 'Referral Desk', 'Growth Chart'] as const

const SLUGS = ['visit-notes', 'care-gaps', 'referral-desk', 'growth-chart']

let fixture: SandboxFixture
let page: Page
before(async () => {
  fixture = await startFixture({ only: SLUGS, offered: ['Visit Notes'] })
})
after(() => fixture?.stop())
beforeEach(async () => {
  await fixture.begin()
  page = fixture.page
})
afterEach(() => fixture.end())

const findNothing = (what: string) => assertNoViolations(page, what)

test('axe finds nothing on any state of the page, in any view', async () => {
  const { url } = fixture.sandbox.places.ehr
  await page.goto(url.replace('ehr.localhost', 'localhost'))
  await findNothing('wrong host name')
  await page.goto(`${url}/summit`)
  await findNothing('sign-in')
  await fixture.signIn('/meadow?fault=wrong-secret')
  await fixture.step('Visit Notes', 'exchange', 'failed').waitFor()
  await page.locator('.slot .cover summary').first().click()
  await findNothing('failed')
  await page.getByRole('button', { name: 'Add an app…' }).click()
  await findNothing('dialog')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await fixture.startFault('')
  await page.getByRole('button', { name: 'Launch again' }).click()
  await fixture.step('Visit Notes', 'context', 'ok').waitFor()
  await findNothing('ready')
  await page.locator('#sign-out').click()
  await page.locator('#sign-in').waitFor()
  await findNothing('signed out')
})

const pageOf = async (app: string): Promise<Frame> => {
  const handle = await page.locator(`iframe[title*="${app}"]`).elementHandle()
  const frame = await handle?.contentFrame()
  assert.ok(frame)
  return frame
}

test('axe finds nothing on the pages of the sample apps, in any view', async () => {
  await fixture.offer(...UI_APPS)
  await fixture.signIn('/meadow')
  for (const app of UI_APPS) {
    await fixture.open(app)
    await assertNoViolations(page, `${app} ready`, await pageOf(app))
  }
  await fixture.startFault('wrong-secret')
  for (const app of UI_APPS) {
    await fixture.tab(app).click()
    const panel = page.getByRole('region', { name: 'Connected apps' })
    await panel.getByRole('button', { name: 'Launch again' }).click()
    await fixture.step(app, 'exchange', 'failed').waitFor()
    await fixture.frame(app).getByRole('alert').first().waitFor({ state: 'attached' })
    await assertNoViolations(page, `${app} failed`, await pageOf(app))
  }
})

const widthOf = async (selector: string): Promise<number> =>
  (await page.locator(selector).boundingBox())?.width ?? 0

test('keeps the chart usable at 1024 px, with the timeline as a drawer', async () => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await fixture.signIn('/meadow')
  await fixture.frame('Visit Notes').locator('#provider').waitFor()
  assert.ok((await widthOf('.chart')) >= 600)
  assert.equal(await page.locator('#timeline').isVisible(), false)
  await page.getByRole('button', { name: 'Timeline' }).click()
  await page.locator('#timeline').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#timeline').waitFor({ state: 'hidden' })

  await page.setViewportSize({ width: 420, height: 800 })
  await page.getByRole('button', { name: 'Apps' }).click()
  await page.getByRole('button', { name: 'Apps' }).click()
  assert.ok((await widthOf('.panel')) >= 400)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= 420, `${width} px wide`)
})
