// Counts the presses and the fields that a person needs for a task of a browser test, beside acting on the page.
// Owns no expectation: each test says how many it may take.
import type { Locator } from 'playwright-core'

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
}
