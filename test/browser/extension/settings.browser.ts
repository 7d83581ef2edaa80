// How the extension learns where its service is: the first-run page, and managed policy. In Chromium with
// the built extension; the policy is for an id of its own, so that it reaches no other browser here.
// Specification §5.5.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import {
  bundleExtension,
  computeExtensionId,
  DEVELOPMENT,
  writeExtension,
} from '@chartside/extension/build'
import type { BrowserContext, Page } from 'playwright-core'
import { launchExtension } from './fixture.ts'

/** Where Chromium on Linux reads the policies of an administrator. */
const POLICIES = '/etc/chromium/policies/managed'

let folder: string
let extension: string
let id: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartside-settings-'))
  extension = join(folder, 'extension')
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  id = computeExtensionId(key)
  await writeExtension(await bundleExtension({ ...DEVELOPMENT, key }), extension)
})
after(() => rmSync(folder, { recursive: true, force: true }))

let profiles = 0
async function launch(t: TestContext): Promise<BrowserContext> {
  profiles += 1
  const context = await launchExtension(join(folder, `profile-${profiles}`), extension)
  t.after(() => context.close())
  return context
}

/** The extension opens it at its installation. */
async function findSetUpPage(context: BrowserContext): Promise<Page> {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    const found = context.pages().find((page) => page.url().endsWith('/setup.html'))
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`open: ${context.pages().map((page) => page.url())}`)
}

test('asks for the service at the installation, and says what is wrong with an address', async (t) => {
  const context = await launch(t)
  const other = await startOther(t)
  const page = await findSetUpPage(context)
  const panel = await context.newPage()
  await panel.goto(`chrome-extension://${id}/panel.html?tab=1`)
  await panel.getByText('Chartside is not set up on this computer').waitFor()
  const field = page.getByLabel('Address of the service')
  assert.equal(await page.title(), `Set up ${DEVELOPMENT.name}`)
  for (const [address, problem] of [
    ['', 'Enter an address such as https://chartside.example.'],
    ['http://chartside.example', 'The address must begin with https://.'],
    ['https://user:secret@chartside.example', 'The address must not hold a password.'],
    ['https://chartside.example/?a=1', 'The address must end before any ? or #.'],
  ] as const) {
    await field.fill(address)
    await field.press('Enter')
    await page.getByRole('alert').getByText(problem).waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
  }
  await field.fill('localhost:48/base/')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Nothing answers there').waitFor()
  assert.equal(await field.inputValue(), 'https://localhost:48/base')
  await panel.locator('[data-state="signed-out"]').waitFor()
  await field.fill(other.url)
  await field.press('Enter')
  await panel.locator('[data-state="service-change"]').waitFor()
  await panel.getByRole('button', { name: 'Change it' }).click()
  await panel.locator('[data-state="signed-out"]').waitFor()
  await page.getByText('does not let this extension sign you in').waitFor()
  await page.getByText('For your IT department').click()
  await page.getByText(`add chrome-extension://${id} to its CHARTSIDE_HOST_ORIGINS`).waitFor()
  other.admits = true
  await field.press('Enter')
  await page.getByText('Saved. Open your EHR').waitFor()
  assert.equal(await page.getByText('For your IT department').isVisible(), false)
})

/** A service that admits the extension, or does not. */
async function startOther(t: TestContext) {
  const other = { admits: false, url: '' }
  const server = createServer((_request, response) => {
    if (other.admits) response.setHeader('access-control-allow-origin', '*')
    response.end(JSON.stringify({ signInUrl: `${other.url}/auth/sign-in` }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  other.url = `http://localhost:${(server.address() as AddressInfo).port}`
  return other
}

test('takes the service from managed policy, which a person cannot change', async (t) => {
  const file = join(POLICIES, `chartside-test-${id}.json`)
  const policy = { service: 'https://localhost:48', accountId: 'acc_1' }
  try {
    mkdirSync(POLICIES, { recursive: true })
    writeFileSync(file, JSON.stringify({ '3rdparty': { extensions: { [id]: policy } } }))
  } catch (error) {
    return t.skip(`policies cannot be written here: ${error}`)
  }
  t.after(() => rmSync(file, { force: true }))
  const context = await launch(t)
  const panel = await context.newPage()
  await panel.goto(`chrome-extension://${id}/panel.html?tab=1`)
  await panel.locator('[data-state="signed-out"]').waitFor()
  const page = await context.newPage()
  await page.goto(`chrome-extension://${id}/setup.html`)
  const field = page.getByLabel('Address of the service')
  await page.getByText('Your IT department has set this address.').waitFor()
  await page.getByText('Nothing answers there from this computer.').waitFor()
  assert.equal(await field.inputValue(), policy.service)
  assert.equal(await field.evaluate((input: HTMLInputElement) => input.readOnly), true)
  assert.equal(await page.getByRole('button', { name: 'Save' }).isVisible(), false)
})
