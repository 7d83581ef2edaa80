// The sample apps on the packages as they would ship: copied out of the workspace, run on what npm has
// installed from the packed files, and launched in a real browser. Spec §5.1-§5.3.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startSandbox } from '@chartside/example-sandbox'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'
import { makePackedProject } from '../packed/packed-project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Inside the project, so that React, Express and the like are found; ours are found here first. */
const packed = join(root, '.chartside/packed')
const EXAMPLES = ['visit-notes', 'care-gaps', 'referral-desk', 'growth-chart', 'coding-watch']
const dataDir = mkdtempSync(join(tmpdir(), 'chartside-packed-'))

let sandbox: Awaited<ReturnType<typeof startSandbox>>
let browser: Browser
let page: Page
before(async () => {
  await makePackedProject(packed)
  const apps = await Promise.all(EXAMPLES.map(copyExample))
  sandbox = await startSandbox({ port: 0, dataDir, only: ['none'], apps })
  browser = await launchChromium()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await page.goto(new URL('/meadow?practice=Northgate+Cardiology', sandbox.places.ehr.url).href)
  await page.locator('#sign-in .main-button').click()
  await page.locator('[role="tab"]').first().waitFor()
})
after(async () => {
  await browser?.close()
  await sandbox?.stop()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(packed, { recursive: true, force: true })
})

/** The example under another name, because the sandbox knows its own by theirs. */
async function copyExample(name: string): Promise<string> {
  const from = join(root, 'examples', name)
  const to = join(packed, name)
  await cp(from, to, { recursive: true, filter: (path) => !path.includes('node_modules') })
  const own = join(from, 'node_modules')
  if (existsSync(own)) symlinkSync(own, join(to, 'node_modules'))
  const manifest = JSON.parse(readFileSync(join(to, 'chartside.app.json'), 'utf8'))
  manifest.name = `Packed ${manifest.name}`
  writeFileSync(join(to, 'chartside.app.json'), JSON.stringify(manifest))
  return to
}

test('the copies resolve the packed packages, not the workspace', () => {
  for (const name of EXAMPLES) {
    const require = createRequire(join(packed, name, 'src/main.ts'))
    const found = require.resolve('@chartside/app-kit/server')
    assert.ok(found.startsWith(join(packed, 'node_modules')), found)
  }
})

const stepOk = (app: string) =>
  page.locator(`.launch[data-app="${app}"]`).first().locator('li[data-step="context"].ok')

for (const app of ['Visit Notes', 'Care Gaps', 'Referral Desk', 'Growth Chart']) {
  test(`${app} launches and knows who is there`, async () => {
    await page.getByRole('tab', { name: `Packed ${app}` }).click()
    const frame = page.frameLocator(`iframe[title*="Packed ${app}"]`)
    await frame.locator('#provider').waitFor()
    assert.equal(await frame.locator('#practice').textContent(), 'Northgate Cardiology')
    await stepOk(`Packed ${app}`).waitFor()
  })
}

test('Coding Watch, which has no page, gets its session context', async () => {
  await stepOk('Packed Coding Watch').waitFor()
})
