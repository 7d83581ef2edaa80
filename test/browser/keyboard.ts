// A person without a pointer: goes from element to element by Tab, sees where the focus is, and acts by keys. What
// Tab does not reach, or what does not show that it has the focus, fails the test.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More than any page has. */
const MAX_TABS = 150

interface Focus {
  readonly isHere: boolean
  /** By an outline of at least two pixels. */
  readonly isSeen: boolean
}

const focusOf = (locator: Locator): Promise<Focus> =>
  locator.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return {
      isHere: element === document.activeElement,
      isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    }
  })

/** Presses Tab until the element has the focus. @throws AssertionError when it never has, or shows it not */
export async function tabTo(page: Page, locator: Locator): Promise<void> {
  await locator.waitFor()
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    const { isHere, isSeen } = await focusOf(locator)
    if (isHere) {
      assert.ok(isSeen, `${locator} shows that it has the focus`)
      return
    }
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab never reaches ${locator}`)
}

export async function pressBy(page: Page, locator: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, locator)
  await page.keyboard.press(key)
}

/** After a dialog, the focus is where it was opened, or at the title of the page when that is gone. */
export async function assertFocus(page: Page, locator: Locator): Promise<void> {
  const handle = await locator.elementHandle()
  await page.waitForFunction((element) => element === document.activeElement, handle)
}
