// The sandbox pages for people who see little, no color, or use the keyboard: axe-core finds nothing
// in light, dark and forced colors, at 420 px and at 200 %; and the chart keeps its room at 1024 px. Played in the sandbox of another file,
// which has started every sample app.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame, Locator, Page } from 'playwright-core'
import { assertNoViolations } from './accessibility.ts'
import type { SandboxFixture } from './sandbox-fixture.ts'

/** The fixture of the file that calls this; its hooks run around each of these tests too. */
export function testAccess(find: () => SandboxFixture, apps: readonly string[]): void {
  test('axe finds nothing on any state of the page, in any view', async () => {
    const fixture = find()
    const { page } = fixture
    const findNothing = (what: string) => assertNoViolations(page, what)
    await fixture.offer('Visit Notes')
    const { url } = fixture.sandbox.places.ehr
    await page.goto(url.replace('ehr.localhost', 'localhost'))
    await findNothing('wrong host name')
    await page.goto(`${url}/summit`)
    await findNothing('sign-in')
    await fixture.signIn('/meadow?fault=wrong-secret')
    await fixture.step('Visit Notes', 'exchange', 'failed').waitFor()
    await fixture.cover.getByText('For support', { exact: true }).click()
    await findNothing('failed')
    await page.getByRole('button', { name: 'Add an app…' }).click()
    await findNothing('dialog')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await fixture.startFault('')
    await fixture.launchAgain('Visit Notes')
    await fixture.waitUntilReady('Visit Notes')
    await findNothing('ready')
    await page.locator('#sign-out').click()
    await page.locator('#sign-in').waitFor()
    await findNothing('signed out')
  })

  test('axe finds nothing on the pages of the sample apps, in any view', async () => {
    const fixture = find()
    const { page } = fixture
    // Playwright's own: each step follows five runs of axe-core in the same process.
    page.setDefaultTimeout(30_000)
    await fixture.signIn('/meadow')
    for (const app of apps) {
      await fixture.open(app)
      await assertNoViolations(page, `${app} ready`, await pageOf(page, app))
    }
    await fixture.startFault('wrong-secret')
    for (const app of apps) {
      await fixture.tab(app).click()
      await fixture.launchAgain(app)
      await fixture.step(app, 'exchange', 'failed').waitFor()
      await fixture.frame(app).getByRole('alert').first().waitFor({ state: 'attached' })
      await assertNoViolations(page, `${app} failed`, await pageOf(page, app))
    }
  })

  test('keeps the chart usable at 1024 px, with the timeline as a drawer', async () => {
    const fixture = find()
    const { page } = fixture
    await fixture.offer('Visit Notes')
    await page.setViewportSize({ width: 1024, height: 768 })
    await fixture.signIn('/meadow')
    await fixture.frame('Visit Notes').locator('#provider').waitFor()
    assert.ok((await widthOf(fixture.ehr.locator('.chart').first())) >= 600)
    assert.equal(await page.locator('#timeline').isVisible(), false)
    await page.getByRole('button', { name: 'Timeline' }).click()
    await page.locator('#timeline').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#timeline').waitFor({ state: 'hidden' })

    await page.setViewportSize({ width: 420, height: 800 })
    await page.getByRole('button', { name: 'Apps' }).click()
    await page.getByRole('button', { name: 'Apps' }).click()
    assert.ok((await widthOf(page.locator('#apps'))) >= 400)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= 420, `${width} px wide`)
  })
}

/** The frame of an earlier launch may go while it is asked for its page; then the next one is taken. */
async function pageOf(page: Page, app: string): Promise<Frame> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const handle = await page.locator(`iframe[title*="${app}"]`).elementHandle()
    const frame = await handle?.contentFrame()
    if (frame && !frame.isDetached()) return frame
    await page.waitForTimeout(50)
  }
  throw new Error(`${app} has no frame on the page`)
}

const widthOf = async (element: Locator): Promise<number> =>
  (await element.boundingBox())?.width ?? 0
