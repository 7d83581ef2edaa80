// Text that comes at once, as dictation, a clipboard tool or a scanner types: every field of the console keeps each
// character while the page behind is drawn again and again, the palette from its first key on.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

const TEXT = 'amara.okafor@lakeside.example Marlow'
const ROUNDS = 3

let fixture: ConsoleFixture
before(async () => {
  fixture = await startConsole()
})
after(() => fixture?.stop())
afterEach(() => fixture.assertPolicyKept())

/** As if the page polled without a pause: all of its times are written in the other zone every few milliseconds. */
const drawWithoutPause = (page: Page) =>
  page.evaluate(() => {
    const isZone = (chip: HTMLElement) => /^(Local|UTC)/.test(chip.textContent)
    setInterval(() => {
      const chips = document.querySelectorAll<HTMLElement>('.chip[aria-pressed="false"]')
      ;[...chips].find(isZone)?.click()
    }, 5)
  })

/** Each character is an input of its own, at a pause that differs from one to the next. */
const type = (page: Page, text: string) =>
  page.evaluate(async (characters) => {
    for (const [place, character] of [...characters].entries()) {
      document.execCommand('insertText', false, character)
      await new Promise((resolve) => setTimeout(resolve, place % 7))
    }
  }, text)

async function assertKept(page: Page, field: Locator, name: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await field.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await type(page, TEXT)
    // What a field writes back late, it writes within a few frames.
    await page.waitForTimeout(50)
    assert.equal(await field.inputValue(), TEXT, name)
  }
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.type(TEXT, { delay: 0 })
  await page.waitForTimeout(50)
  assert.equal(await field.inputValue(), TEXT, `${name}, by the keyboard`)
}

const combobox = (page: Page) => page.getByRole('combobox', { name: /^Trace id/ })

test('the palette keeps every key, from the key that opens it on', async () => {
  const page = await fixture.begin()
  await fixture.signIn(ADMIN, `/console/${fixture.accountId}/audit`)
  await page.locator('tbody tr').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('launches', { delay: 0 })
  await combobox(page).waitFor()
  assert.equal(await combobox(page).inputValue(), 'launches')
  await drawWithoutPause(page)
  await assertKept(page, combobox(page), 'the palette')
})

test('fields of lists, forms, a dialog and a picker keep every key', async () => {
  const { base, accountId, api } = fixture
  const app = await api('POST', '/api/apps', { accountId, name: 'Notes' })
  const page = await fixture.begin()
  // A form with changes asks before it is left.
  page.on('dialog', (dialog) => void dialog.accept())
  await fixture.signIn()
  for (const [path, label] of [
    [`${accountId}/people`, 'Find a person'],
    [`${accountId}/audit`, 'Record, person, launch or action'],
    [`${accountId}/try`, 'Operation'],
    [`${accountId}/launches`, 'App'],
    [`${accountId}/apps/new`, 'Redirect URIs'],
    ['settings', 'Name'],
  ] as const) {
    await page.goto(`${base}/console/${path}`)
    const field = page.getByLabel(label, { exact: true }).first()
    await field.waitFor()
    await drawWithoutPause(page)
    await assertKept(page, field, path)
  }
  await page.goto(`${base}/console/${accountId}/apps/${app.id}`)
  await page.getByRole('button', { name: /^Switch off…/ }).click()
  await assertKept(page, page.getByLabel('Type Notes to confirm'), 'a dialog')
})
