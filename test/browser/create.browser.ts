// New apps beside the chart in a real browser: written by the command, installed from packed
// packages, started and launched by the sandbox, with none of the sample apps. Spec §5.1-§5.3.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startSandbox } from '@chartside/example-sandbox'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'
import { copyArchives } from '../packed/packed-archives.ts'
import { launchAsAttacker, openAsVictim } from './foreign-launch.ts'

const run = promisify(execFile)
const command = fileURLToPath(
  new URL('../../packages/create-chartside-app/src/main.ts', import.meta.url),
)

/** By name; every option, every framework, both kinds. */
const APPS: Readonly<Record<string, readonly string[]>> = {
  'Ward Notes': ['--option=1', '--framework=express'],
  'Ward Watch': ['--option=2', '--framework=hono'],
  'Night Desk': ['--option=3', '--framework=fastify', '--kind=worker'],
  'React Round': ['--option=1', '--framework=react-vite'],
}

const slugOf = (name: string): string => name.toLowerCase().replace(' ', '-')

const folder = mkdtempSync(join(tmpdir(), 'chartside-create-'))
const packed = join(folder, 'packed')
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let browser: Browser
before(async () => {
  await copyArchives(packed)
  const apps = await Promise.all(Object.keys(APPS).map(createApp))
  sandbox = await startSandbox({ port: 0, dataDir: join(folder, 'data'), apps, only: [] })
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await sandbox?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function createApp(name: string): Promise<string> {
  const app = join(folder, slugOf(name))
  await run(process.execPath, [command, app, ...(APPS[name] ?? []), '--packages', packed])
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...quick], { cwd: app })
  return app
}

/** The sample EHR after a sign-in, and the uncaught errors of its page. */
async function signIn() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto(new URL('/meadow?practice=Northgate+Cardiology', sandbox.places.ehr.url).href)
  await page.locator('#sign-in .main-button').click()
  return { page, errors }
}

const contextStep = (page: Page, name: string): Locator =>
  page.locator(`.launch[data-app="${name}"] li[data-step="context"].ok`)

for (const name of ['Ward Notes', 'Ward Watch', 'React Round']) {
  test(`the new app ${name} shows its user, and closes with the session`, async () => {
    const { page, errors } = await signIn()
    await page.getByRole('tab', { name }).click()
    const frame = page.frameLocator(`iframe[title*="${name}"]`)
    await frame.locator('#provider', { hasText: 'Dr. Mei Tanaka' }).waitFor()
    assert.equal(await frame.locator('#practice').textContent(), 'Northgate Cardiology')
    await contextStep(page, name).waitFor()
    // What is typed is there after the next launch.
    await frame.locator('#draft-note').fill('BP 128/82')
    await frame.getByText('Kept', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Launch again' }).click()
    await page.locator(`.launch.replaced[data-app="${name}"]`).waitFor({ state: 'attached' })
    await frame.locator('#provider').waitFor()
    assert.equal(await frame.locator('#draft-note').inputValue(), 'BP 128/82')
    await page.locator('#sign-out').click()
    await frame.locator('h1', { hasText: `${name} is closed` }).waitFor({ state: 'attached' })
    assert.deepEqual(errors, [])
  })
}

test('a new worker --option=3 starts by itself and records its user', async () => {
  const { page, errors } = await signIn()
  await contextStep(page, 'Night Desk').waitFor()
  await page.goto(sandbox.appUrl('night-desk'))
  const line = await page.locator('tbody tr').first().textContent()
  assert.match(line ?? '', /Dr\. Mei Tanaka.*Northgate Cardiology.*meadow/)
  assert.deepEqual(errors, [])
})

test('a foreign launch of a new app leaves no cookie and no session [V20]', async () => {
  const launches = await launchAsAttacker(sandbox)
  assert.deepEqual([...launches.keys()].sort(), Object.keys(APPS).sort())
  await Promise.all(
    [...launches].map(async ([app, launchUrl]) => {
      const { text, cookies, sessions } = await openAsVictim(browser, launchUrl)
      assert.match(text, /not framed/, app)
      assert.deepEqual([cookies, sessions], [[], []], app)
    }),
  )
})
