// The reference page in a real browser: every operation under its policy, filtered by keyboard, whole without
// script, readable on a phone, and without a violation in any view. Contract §4, security U05.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

test('shows every operation of the document, and breaks no policy [U05]', async () => {
  const { page, assertPolicyKept } = await openStrictPage(browser)
  await page.goto(`${base}/doc`)
  const shown = await page.locator('article').evaluateAll((all) => all.map(({ id }) => id))
  const { paths } = await (await fetch(`${base}/openapi.json`)).json()
  const listed = Object.values(paths).flatMap((methods) =>
    Object.values(methods as Record<string, { operationId: string }>).map(
      ({ operationId }) => operationId,
    ),
  )
  assert.deepEqual(shown.sort(), listed.sort())
  const createApp = page.locator('#createApp')
  await createApp.getByText('Parameters, examples and errors').click()
  await createApp.getByText("client.POST('/api/apps'").waitFor()
  await createApp.getByText('curl -X POST').waitFor()
  await createApp.getByRole('link', { name: '409 limit_reached' }).click()
  await page.waitForURL(/#error-limit_reached$/)
  await assertPolicyKept()
  await page.context().close()
})

test('filters by keyboard, and opens the operation of an address', async () => {
  const { page } = await openStrictPage(browser)
  await page.goto(`${base}/doc#preflightApp`)
  await page.locator('#preflightApp details[open]').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('secrets retire once')
  await page.getByText('1 of ').waitFor()
  assert.deepEqual(
    await page.locator('article:visible').evaluateAll((all) => all.map(({ id }) => id)),
    ['retireSecret'],
  )
  await page.keyboard.press('Escape')
  assert.ok((await page.locator('article:visible').count()) > 50)
  await page.context().close()
})

test('is whole without script', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${base}/doc`)
  await page.getByText('/api/collections/{id}/versions/{version}').first().waitFor()
  assert.equal(await page.locator('#search').isVisible(), false)
  await page.locator('#createApp summary').click()
  await page.locator('#createApp').getByText('curl -X POST').waitFor()
  await context.close()
})

test('has no violation in any view, closed and open, and fits a phone [U05]', async () => {
  const { page } = await openStrictPage(browser)
  await page.goto(`${base}/doc#createApp`)
  await page.locator('#createApp details[open]').waitFor()
  await assertNoViolations(page, 'reference')
  await page.setViewportSize({ width: 420, height: 800 })
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.equal(overflow, 0)
  if (process.env.CHARTSIDE_PICTURES === 'write') {
    for (const [name, width] of [
      ['reference-420', 420],
      ['reference', 1280],
    ] as const) {
      await page.goto('about:blank')
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${base}/doc#createSecret`)
      await page.locator('#createSecret details[open]').waitFor()
      await page.evaluate(() => document.querySelector('#createSecret')?.scrollIntoView())
      await page.screenshot({ path: `.chartside/pictures/${name}.png` })
    }
  }
  await page.context().close()
})
