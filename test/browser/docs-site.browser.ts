// The documentation in a real browser: found by keyboard, copied, readable on a phone, under its policy, and without
// a violation of accessibility.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { freePort } from '../../packages/server/test/free-port.ts'
import { startTestService, type TestService } from '../../packages/server/test/test-service.ts'
import { launchChromium } from '../../scripts/chromium.ts'
import { assertNoViolations, openStrictPage } from './accessibility.ts'

let node: TestService
let browser: Browser
let base: string
before(async () => {
  base = `http://127.0.0.1:${await freePort()}`
  node = await startTestService({ CHARTSIDE_BASE_URL: base })
  await node.server.listen({ port: Number(new URL(base).port), host: '127.0.0.1' })
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await node?.close()
})

test('a question is typed and its answer opened by keyboard alone', async () => {
  const { page, assertPolicyKept } = await openStrictPage(browser)
  await page.goto(`${base}/docs`)
  await page.keyboard.press('/')
  await page.keyboard.type('how long does an access token live')
  await page.locator('[role=option]').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await assertNoViolations(page, 'results')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/build\/questions#how-long-does-an-access-token-live$/)
  await page.keyboard.press('/')
  await page.keyboard.type('zzzzqqq')
  await page.getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('.found').isVisible(), false)
  await assertPolicyKept()
  await page.context().close()
})

test('code is copied, and an error code leads to its row', async () => {
  const { page, assertPolicyKept } = await openStrictPage(browser, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.goto(`${base}/docs/build/option-1`)
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^import \{ beginLaunch \}/)
  await page.goto(`${base}/docs/errors/launch_used`)
  assert.match(page.url(), /\/docs\/build\/reasons#launch_used$/)
  await assertPolicyKept()
  await page.context().close()
})

test('pages are whole in every appearance and width, and led through on a phone', async () => {
  const { page } = await openStrictPage(browser)
  for (const address of ['', '/build/errors', '/build/option-1']) {
    await page.goto(`${base}/docs${address}`)
    await assertNoViolations(page, address)
    for (const width of [420, 1000, 1400]) {
      await page.setViewportSize({ width, height: 900 })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.equal(overflow, 0, `${address} ${width}`)
    }
  }
  await page.setViewportSize({ width: 420, height: 900 })
  await page.goto(`${base}/docs/operate/configuration`)
  const names = page.locator('.wide').first()
  const cut = await names.evaluate((one) => one.scrollWidth - one.clientWidth)
  assert.equal(cut, 0, 'a table of long names')
  await page.getByRole('button', { name: 'Pages' }).click()
  await page.getByRole('link', { name: 'The sandbox' }).click()
  await page.waitForURL(/\/docs\/build\/sandbox$/)
  await page.context().close()
})
