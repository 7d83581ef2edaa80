// Counts the presses and the fields that a person needs for a task of a browser test, beside acting on the page.
// Owns no expectation: each test says how many it may take.
import type { Locator, Page } from 'playwright-core'

export class Counter {
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

  /** A key beside the fields, such as Enter, is a press like any other. */
  async press(page: Page, key: string): Promise<void> {
    this.clicks += 1
    await page.keyboard.press(key)
  }

  /** Opens the choices and takes one. */
  async choose(select: Locator, value: string): Promise<void> {
    this.clicks += 2
    await select.selectOption(value)
  }
}
