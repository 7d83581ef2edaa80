// The browser's own question for the pages of an EHR, answered by keyboard: refused once, then allowed.
// In a Chromium with windows on a display of its own, with the real service and a sample app; skipped
// where there is no virtual display. Specification §1, §5.5.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { listMissingOfDisplay } from '../../../scripts/display.ts'
import { type ExtensionFixture, type Panel, startFixture } from './fixture.ts'

const missing = listMissingOfDisplay()
const skip = missing.length > 0 ? `not on this machine: ${missing.join(', ')}` : false

let screen: ChildProcess
let env: NodeJS.ProcessEnv
let fixture: ExtensionFixture
let chart: Page
let panel: Panel
before(async () => {
  if (skip) return
  const args = ['-displayfd', '1', '-screen', '0', '1000x700x24', '-nolisten', 'tcp']
  screen = spawn('Xvfb', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const [number] = await once(screen.stdout ?? screen, 'data')
  const display = `:${String(number).trim()}`
  env = { ...process.env, DISPLAY: display }
  fixture = await startFixture({ only: ['visit-notes'], ehrHosts: [], display })
  const page = await fixture.context.newPage()
  await page.goto(fixture.panelUrl(999_999))
  await fixture.signIn(page)
  await page.locator('[data-state="no-ehr"]').waitFor()
  await page.close()
  chart = await fixture.context.newPage()
  await chart.goto(fixture.ehr.url('meadow'))
})
after(async () => {
  await fixture?.stop()
  screen?.kill()
})

const press = (...keys: string[]) => execFileSync('xdotool', ['key', ...keys], { env })

const copyScreen = () =>
  spawnSync('xwd', ['-root', '-silent'], { env, maxBuffer: 16_000_000 }).stdout

/** The share of the screen that differs. */
function compare(one: Buffer, other: Buffer): number {
  const step = 101
  let [different, all] = [0, 0]
  for (let at = 0; at < one.length; at += step) {
    all += 1
    if (one[at] !== other[at]) different += 1
  }
  return different / all
}

/** The question is a window of the browser, which no protocol shows: it is seen on the screen. */
async function ask(): Promise<void> {
  await panel.getByRole('button', { name: 'Allow Meadow EHR' }).hover()
  await sleep(300)
  const before = copyScreen()
  await panel.getByRole('button', { name: 'Allow Meadow EHR' }).click()
  let last = before
  await fixture.until(async () => {
    await sleep(150)
    const now = copyScreen()
    const isStill = compare(last, now) < 0.001
    last = now
    return isStill && compare(before, now) > 0.05
  })
}

const readHosts = async () => {
  const worker = await fixture.worker()
  return worker.evaluate(async () => (await chrome.permissions.getAll()).origins)
}

test('the keys of the extension open its panel beside a page it cannot see', { skip }, async () => {
  await chart.bringToFront()
  assert.equal(await chart.locator('chartside-handle').count(), 0)
  press('alt+shift+s')
  panel = await fixture.findPanelOf(chart)
  await panel.getByText('needs the browser’s permission for Meadow EHR').waitFor()
})

test('a refusal in the question of the browser grants nothing, and is said', { skip }, async () => {
  await ask()
  press('Escape')
  await panel.locator('#content').getByText('You did not allow Meadow EHR').waitFor()
  await panel.getByRole('status').getByText('You did not allow Meadow EHR').waitFor()
  assert.deepEqual(await readHosts(), [])
})

test('consent in the question of the browser opens the apps beside the chart', {
  skip,
}, async () => {
  await ask()
  press('Tab', 'Return')
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
  assert.deepEqual(await readHosts(), ['http://meadow.ehr.localhost/*'])
  await chart.locator('chartside-handle').waitFor({ state: 'attached' })
})
