// Every state of the panel: 0 violations of axe-core in light, dark and forced colors and at 320, 380
// and 600 px, nothing wider than the panel, no violation of its policy. CHARTSIDE_PICTURES=write writes
// a picture of each to test-results/panel.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'
import { APPEARANCES, listViolations } from './accessibility.ts'
import { type PanelFixture, startPanelFixture } from './panel-fixture.ts'
import { openPanelPage, type PanelPage } from './panel-page.ts'
import { STATES } from './panel-states.ts'

const WIDTHS = [320, 380, 600]
/**
 * Where axe-core runs: what is shown depends on the width, its contrast on the appearance, so that
 * dark takes the narrowest and the widest. The browser itself chooses the colors of forced ones.
 */
const AUDITED: Readonly<Record<string, readonly number[]>> = {
  light: WIDTHS,
  dark: [320, 600],
  forced: [380],
}
const isWriting = process.env.CHARTSIDE_PICTURES === 'write'
const pictures = fileURLToPath(new URL('../../test-results/panel', import.meta.url))
let browser: Browser
let fixture: PanelFixture
let panel: PanelPage

before(async () => {
  if (isWriting) mkdirSync(pictures, { recursive: true })
  fixture = await startPanelFixture()
  browser = await launchChromium()
  panel = await openPanelPage(browser, fixture)
})
after(async () => {
  await browser.close()
  await fixture.close()
})
beforeEach(() => panel.restart())

/** What is wider than the panel of the usual width, where the reader has text of twice its size. */
async function listWider(): Promise<string[]> {
  await panel.page.setViewportSize({ width: 380, height: 620 })
  return panel.page.evaluate(() => {
    const { style } = document.documentElement
    style.fontSize = '200%'
    const covers = [...document.querySelectorAll('.cover')]
    const wider = covers.filter((one) => one.scrollWidth > one.clientWidth)
    style.fontSize = ''
    return wider.map((one) => one.textContent)
  })
}

for (const { name, text, reach } of STATES) {
  test(`shows ${name} without a violation at every width, in every appearance`, async () => {
    const { page } = panel
    await reach(panel, fixture)
    await page.getByText(text).first().waitFor()
    let steps = 0
    for (const { name: appearance, media } of APPEARANCES) {
      await page.emulateMedia(media)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 620 })
        steps += 1
        fixture.service.sendSteps(steps)
        const where = `${name}, ${appearance}, ${width} px`
        if (AUDITED[appearance]?.includes(width)) {
          const areColorsOnly = appearance !== 'light'
          const found = await listViolations(page, undefined, { areColorsOnly })
          assert.deepEqual(found, [], where)
        }
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        assert.equal(overflow, 0, where)
        if (isWriting) {
          await page.screenshot({ path: join(pictures, `${name}-${appearance}-${width}.png`) })
        }
      }
    }
    assert.deepEqual(await listWider(), [], `${name}, text of twice the size`)
    await page.getByText(text).first().waitFor()
    await panel.assertPolicyKept()
  })
}
