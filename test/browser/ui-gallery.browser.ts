// The page of all parts in Chromium: no violation of its strict policy (Trusted Types included), none
// of axe-core in light, dark and forced colors and at 420 px, and every part driven by keyboard.
// CHARTSIDE_PICTURES=write writes pictures to test-results/ui.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { type Gallery, serveGallery } from '../../packages/ui/gallery/serve.ts'
import { launchChromium } from '../../scripts/chromium.ts'
import { APPEARANCES, listViolations, openStrictPage } from './accessibility.ts'

const isWriting = process.env.CHARTSIDE_PICTURES === 'write'
const pictures = fileURLToPath(new URL('../../test-results/ui', import.meta.url))
let browser: Browser
let gallery: Gallery
let page: Page
let assertPolicyKept: () => Promise<void>

before(async () => {
  if (isWriting) mkdirSync(pictures, { recursive: true })
  gallery = await serveGallery(0)
  browser = await launchChromium()
})
after(async () => {
  await browser.close()
  await gallery.stop()
})
beforeEach(async () => {
  ;({ page, assertPolicyKept } = await openStrictPage(browser))
  await page.goto(gallery.url)
  await page.getByRole('heading', { name: 'Parts of the pages' }).waitFor()
})
afterEach(async () => {
  await assertPolicyKept()
  await page.context().close()
})

test('shows every part without a violation, in every appearance and width', async () => {
  for (const { name, media } of APPEARANCES) {
    for (const width of [1200, 420]) {
      const where = `${name}, ${width} px`
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia(media)
      const areColorsOnly = name !== 'light'
      assert.deepEqual(await listViolations(page, undefined, { areColorsOnly }), [], where)
      const isTooWide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      )
      assert.equal(isTooWide, false, where)
      if (isWriting) {
        await page.screenshot({ path: join(pictures, `${name}-${width}.png`), fullPage: true })
      }
    }
  }
})

const focusedName = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

/** The browser reports an open layer in a task of its own, which then moves the focus. */
const waitForMenu = () =>
  page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'menuitem')

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  assert.ok(box)
  return box
}

test('moves through the strip with arrows and opens with Enter or a digit only', async () => {
  const strip = page.locator('#strip-few')
  const open = () => strip.getByRole('tabpanel').textContent()
  await strip.getByRole('tab', { name: 'Visit Notes' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  assert.match(await focusedName(), /Referral Desk, could not open/)
  assert.equal(await open(), 'Visit Notes')
  await page.keyboard.press('Enter')
  assert.equal(await open(), 'Referral Desk')
  await page.keyboard.press('2')
  assert.equal(await open(), 'Care Gaps')
  await page.keyboard.press('End')
  assert.match(await focusedName(), /Growth Chart/)
})

test('keeps eight apps in one row, with those that do not fit in a menu', async () => {
  const strip = page.locator('#strip-many')
  assert.equal(await strip.getByRole('tab').count(), 6)
  await strip.getByRole('button', { name: 'More apps' }).press('Enter')
  await waitForMenu()
  assert.equal(await focusedName(), 'INIntake')
  await page.keyboard.press('c')
  await page.keyboard.press('Enter')
  assert.equal(await strip.getByRole('tabpanel').textContent(), 'Consent Forms')
  const selected = strip.getByRole('tab', { selected: true })
  assert.match((await selected.textContent()) ?? '', /Consent Forms/)
})

test('drives the menu by keyboard and gives the focus back on Escape', async () => {
  const button = page.getByRole('button', { name: 'More actions' })
  await button.press('ArrowDown')
  await waitForMenu()
  assert.match(await focusedName(), /Launch again/)
  await page.keyboard.press('ArrowUp')
  assert.match(await focusedName(), /Sign out/)
  await page.keyboard.press('Escape')
  assert.equal(await page.getByRole('menu').count(), 0)
  assert.equal(await button.evaluate((element) => element === document.activeElement), true)
  await button.press('Enter')
  await waitForMenu()
  await page.keyboard.press('r')
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('#done').textContent(), 'Chosen: report')
})

test('hangs an open menu where there is room, also after the window has changed', async () => {
  const button = page.getByRole('button', { name: 'More actions' })
  await button.scrollIntoViewIfNeeded()
  const { y, height } = await boxOf(button)
  const waitForSide = (side: 'above' | 'below') =>
    page.waitForFunction((wanted) => {
      const edges = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
      const trigger = edges('[aria-expanded="true"]')
      const menu = edges('[role="menu"]:popover-open')
      if (!trigger || !menu) return false
      return wanted === 'above' ? menu.bottom <= trigger.top : menu.top >= trigger.bottom
    }, side)
  await page.setViewportSize({ width: 1000, height: Math.round(y + height) + 20 })
  await button.click()
  await waitForMenu()
  await waitForSide('above')
  await page.setViewportSize({ width: 1000, height: 900 })
  await waitForSide('below')
  await page.setViewportSize({ width: 1000, height: Math.round(y + height) + 20 })
  await waitForSide('above')
  assert.match(await focusedName(), /Launch again/)
})

test('asks for the typed name before an action that cannot be undone', async () => {
  await page.getByRole('button', { name: 'Switch off Visit Notes…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Switch off Visit Notes?' })
  const confirm = dialog.getByRole('button', { name: 'Switch off Visit Notes' })
  await confirm.press('Enter')
  assert.equal(await dialog.isVisible(), true)
  assert.deepEqual(await listViolations(page, 'dialog'), [])
  await dialog.getByRole('textbox').fill('Visit Notes')
  if (isWriting) await page.screenshot({ path: join(pictures, 'dialog.png') })
  await confirm.press('Enter')
  assert.equal(await dialog.isVisible(), false)
  assert.equal(await page.locator('#done').textContent(), 'Chosen: switched off')
})

test('shows a secret once, then only its end', async () => {
  const secret = page.getByRole('region', { name: /Client secret/ })
  assert.match((await secret.textContent()) ?? '', /cs_example_0+f8Q2/)
  await secret.getByRole('button', { name: 'I have stored it' }).press('Enter')
  const text = (await secret.textContent()) ?? ''
  assert.match(text, /ends in f8Q2/)
  assert.doesNotMatch(text, /cs_example/)
})

test('opens the fold for support with Enter and closes it with Escape', async () => {
  const fold = page.locator('details.support')
  await fold.locator('summary').press('Enter')
  assert.match(await fold.innerText(), /invalid_client/)
  await page.keyboard.press('Escape')
  assert.equal(await fold.evaluate((element) => (element as HTMLDetailsElement).open), false)
})

test('moves through the waterfall with arrows and selects a span with Enter', async () => {
  const spans = page.locator('.span')
  await spans.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await spans.nth(1).getAttribute('aria-pressed'), 'true')
  assert.equal(await spans.nth(5).getAttribute('aria-pressed'), 'false')
  await page.keyboard.press('End')
  assert.match(await focusedName(), /never happened/)
})

test('cuts the secrets of a request and keeps the rest', async () => {
  const text = await page.getByRole('region', { name: 'Request, as it arrived' }).innerText()
  assert.doesNotMatch(text, /cs_example|code_01m8/)
  assert.match(text, /cs_…f8Q2/)
  assert.match(text, /cli_9f3c21ab/)
})

test('gives every control a target of at least 44 px, or 36 px with room around it', async () => {
  const small = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'main button, main input, main select, main summary',
      ),
    ]
      .filter((element) => element.checkVisibility())
      .flatMap((element) => {
        const own = element.getBoundingClientRect()
        const around = getComputedStyle(element, '::after')
        const grows = around.content === 'none' || around.position !== 'absolute' ? 0 : 1
        const height = own.height - grows * 2 * Number.parseFloat(around.top || '0')
        return height < 43.5 ? [`${element.textContent} ${height}`] : []
      }),
  )
  assert.deepEqual(small, [])
})
