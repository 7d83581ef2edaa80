// The reference page in a real browser: it runs under its policy without a complaint, shows the routes
// in both colour schemes, and tells who runs no script where to read. Contract §4, security U05.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startTestService, type TestService } from '../../packages/server/test/test-service.ts'
import { launchChromium } from '../../scripts/chromium.ts'

let node: TestService
let browser: Browser
let base: string
before(async () => {
  node = await startTestService()
  await node.server.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(node.server.server.address() as AddressInfo).port}`
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await node?.close()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the reference shows every route in ${colorScheme}, and breaks no policy [U05]`, async () => {
    const page = await browser.newPage({ colorScheme })
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) complaints.push(request.url())
    })
    await page.goto(`${base}/doc`)
    await page.waitForSelector('.opblock')
    const operations = await page.locator('.opblock').count()
    const { paths } = await (await fetch(`${base}/openapi.json`)).json()
    const listed = Object.values(paths).flatMap((methods) => Object.keys(methods as object))
    assert.equal(operations, listed.length)
    const createApp = page.locator('[id$=-createApp]')
    await createApp.click()
    await createApp.getByText('For an administrator or a developer of the account.').waitFor()
    const isDark = await page.evaluate(() => document.documentElement.matches('.dark-mode'))
    assert.equal(isDark, colorScheme === 'dark')
    assert.deepEqual(complaints, [])
    await page.close()
  })
}

test('without script the page leads to a table of all routes', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${base}/doc`)
  await page.getByRole('link', { name: 'Read the table of all routes' }).click()
  await page.getByText('/api/collections/:id/versions/:version').waitFor()
  await context.close()
})
