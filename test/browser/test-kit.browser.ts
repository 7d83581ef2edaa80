// The Playwright fixture of the test kit on a sample app: what the test commands at the panel arrives in the
// app, in a real browser. Only a browser shows that messages, ports and cookies pass the frame.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chartside, type OpenApp } from '@chartside/test-kit/playwright'
import type { Browser, FrameLocator } from 'playwright-core'
import { startApp } from '../../examples/visit-notes/src/app.ts'
import { launchChromium } from '../../scripts/chromium.ts'

const fixtures = chartside({ start: startApp })

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser?.close())

/** As the runner of Playwright gives a fixture to a test. */
async function withApp(run: (openApp: OpenApp<FrameLocator>) => Promise<void>): Promise<void> {
  const page = await browser.newPage()
  await fixtures.openApp({ page }, run).finally(() => page.close())
}

test('opens the app for the user and practice of the test', () =>
  withApp(async (openApp) => {
    const { frame, panel, issuer, lines } = await openApp({
      account: { name: 'Hillside Cardiology' },
      user: { name: 'Dr. Mei Tanaka' },
    })
    assert.match(await panel.ready(), /^at_/)
    assert.equal(await frame.locator('#provider').textContent(), 'Dr. Mei Tanaka')
    assert.equal(await frame.locator('#practice').textContent(), 'Hillside Cardiology')
    assert.deepEqual(lines, ['signed in Dr. Mei Tanaka of Hillside Cardiology'])
    assert.equal(issuer.requests.filter(({ path }) => path === '/app-auth/token').length, 1)
    assert.deepEqual(panel.host.failures, [])
  }))

test('gives the app another chart, and the end of the sign-in', () =>
  withApp(async (openApp) => {
    const { frame, panel } = await openApp()
    await panel.ready()
    const note = frame.getByRole('textbox')
    panel.setChart('chart-1')
    await note.fill('Of the first chart')
    panel.setChart('chart-2')
    await frame.locator('textarea:not(:disabled)').waitFor()
    await waitUntil(async () => (await note.inputValue()) === '')
    panel.setChart('chart-1')
    await waitUntil(async () => (await note.inputValue()) === 'Of the first chart')
    await waitUntil(async () => panel.host.shownChart === 'chart-1')
    panel.signOut()
    await note.waitFor({ state: 'detached' })
  }))

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 5000
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('It did not happen within five seconds.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
