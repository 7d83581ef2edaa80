// The pictures of docs/console.md, made of the real console on the real service, and what each state
// says. CHARTSIDE_PICTURES=write takes them anew; every run plays each state and looks that its picture
// is there, of a size that a document can carry.
import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

const FOLDER = fileURLToPath(new URL('../../docs/pictures/console', import.meta.url))
const MAX_PICTURE_BYTES = 160_000
const isWriting = process.env.CHARTSIDE_PICTURES === 'write'
const LAKESIDE = { email: 'amara.okafor@lakeside.example', name: 'Dr. Amara Okafor' }

let fixture: ConsoleFixture
before(async () => {
  fixture = await startConsole()
  mkdirSync(FOLDER, { recursive: true })
  const members = `/api/accounts/${fixture.accountId}/members`
  await fixture.addPerson('Dana Developer', 'developer')
  await fixture.addPerson('Pat Admin', 'admin')
  await fixture.api('POST', members, { ...LAKESIDE, role: 'provider' })
  await fixture.api('POST', '/api/accounts', { name: 'Sample Apps Inc.' })
  await fixture.api('POST', '/api/accounts', { name: 'Northgate Cardiology' })
})
after(() => fixture?.stop())
beforeEach(async () => {
  const page = await fixture.begin({
    viewport: { width: 1280, height: 800 },
    timezoneId: 'America/New_York',
  })
  await page.clock.setFixedTime(fixture.service.clock())
})
afterEach(() => fixture.assertPolicyKept())

async function photograph(name: string): Promise<void> {
  const path = join(FOLDER, `${name}.png`)
  if (isWriting) {
    await fixture.page.evaluate(() => document.fonts.ready)
    await fixture.page.screenshot({ path, animations: 'disabled' })
  }
  assert.ok(statSync(path).size <= MAX_PICTURE_BYTES, path)
}

const button = (name: string | RegExp) =>
  fixture.page.getByRole('button', { name, exact: typeof name === 'string' })
const people = () => `/console/${fixture.accountId}/people`

test('pictures of the overview and of the palette', async () => {
  await fixture.signIn(ADMIN, '/console/platform')
  await fixture.page.getByText('Add a second administrator', { exact: true }).waitFor()
  await photograph('overview')
  await fixture.page.keyboard.press('/')
  await fixture.page.getByRole('combobox').fill('amara.okafor@lakeside.example')
  await fixture.page.getByRole('option').first().waitFor()
  await photograph('palette')
})

test('pictures of people: the list, an invitation, its link, dark and narrow', async () => {
  const { page } = fixture
  await fixture.signIn(ADMIN, people())
  await page.getByText(LAKESIDE.email).waitFor()
  await photograph('people')
  await button('Invite a person').click()
  await page.getByLabel('E-mail address').fill('mei.tanaka@lakeside.example')
  await page.getByLabel('Name').fill('Dr. Mei Tanaka')
  await photograph('invite')
  await button('Make the link').click()
  await page.getByText('This link is shown once.').waitFor()
  // The value is another one each time.
  await page.locator('.secret output').evaluate((output) => {
    output.textContent = 'https://chartside.example/auth/invitation?token=invite_…'
  })
  await photograph('link-once')
  await button('Close without copying').click()
  await page.emulateMedia({ colorScheme: 'dark' })
  await photograph('people-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 420, height: 800 })
  await photograph('people-narrow')
  await button('Navigation').click()
  await photograph('navigation-narrow')
})

test('pictures of the platform: accounts, users, disabling a person', async () => {
  const { page } = fixture
  await fixture.signIn(ADMIN, '/console/platform/accounts')
  await page.getByRole('link', { name: 'Northgate Cardiology' }).waitFor()
  await photograph('accounts')
  await page.goto(`${fixture.base}/console/platform/people`)
  await button('Change Pat Admin').click()
  await photograph('users')
  await page.getByRole('menuitem', { name: 'Disable everywhere' }).click()
  await page.getByLabel('Type Pat Admin to confirm').fill('Pat')
  await photograph('disable')
})

test('pictures of settings: the second factor, where one is signed in', async () => {
  const { page } = fixture
  await fixture.signIn(ADMIN, '/console/settings/sign-in')
  await button('Set up').click()
  await page.locator('img.qr').waitFor()
  await page.locator('img.qr').evaluate((image) => image.setAttribute('src', 'data:,'))
  await page.locator('.secret-text').evaluate((text) => {
    text.textContent = 'ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567'
  })
  await photograph('second-factor')
  await page.goto(`${fixture.base}/console/settings/sessions`)
  await page.getByText('This browser').waitFor()
  await photograph('sessions')
})

test('a picture of the warning before the end', async () => {
  const { page, service } = fixture
  await page.clock.install({ time: service.clock() })
  await fixture.signIn(ADMIN, '/console/settings')
  const seconds = service.service.config.sessionIdleSeconds - 100
  service.clock.advance(seconds)
  await page.clock.fastForward(seconds * 1000)
  await page.getByText(/^You will be signed out in/).waitFor()
  await photograph('warning')
})

test('pictures of what can go wrong: a conflict, no connection', async () => {
  const { page, accountId } = fixture
  await fixture.signIn(ADMIN, `/console/${accountId}/account`)
  await page.getByLabel('Name').fill('Lakeside Family Care')
  await fixture.api('PATCH', `/api/accounts/${accountId}`, { name: 'Lakeside Practice' })
  await button('Save').click()
  await page.getByText('This was changed while you worked on it').waitFor()
  await photograph('conflict')
  await fixture.api('PATCH', `/api/accounts/${accountId}`, { name: 'Lakeside Family Practice' })
  await page.context().setOffline(true)
  await page.getByText('You are offline').waitFor()
  await photograph('offline')
})
