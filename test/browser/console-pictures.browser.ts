// The pictures of docs/console.md, made of the real console on the real service, and what each state
// says. CHARTSIDE_PICTURES=write takes them anew; every run plays each state and looks that its picture
// is there, of a size that a document can carry.
import { after, afterEach, before, beforeEach, test } from 'node:test'
import qrcode from 'qrcode'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { type Photographs, photographs } from './console-photographs.ts'

const LAKESIDE = { email: 'amara.okafor@lakeside.example', name: 'Dr. Amara Okafor' }
const SAMPLE_KEY = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

let fixture: ConsoleFixture
let pictures: Photographs
before(async () => {
  fixture = await startConsole()
  pictures = photographs(fixture)
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

const button = (name: string | RegExp) =>
  fixture.page.getByRole('button', { name, exact: typeof name === 'string' })
const people = () => `/console/${fixture.accountId}/people`

test('pictures of the overview and of the palette', async () => {
  await fixture.signIn(ADMIN, '/console/platform')
  await fixture.page.getByText('Add a second administrator', { exact: true }).waitFor()
  await pictures.take('overview')
  await pictures.takeVariants('overview')
  await fixture.page.keyboard.press('/')
  await fixture.page.getByRole('combobox').fill('amara.okafor@lakeside.example')
  await fixture.page.getByRole('option').first().waitFor()
  await pictures.take('palette')
})

test('pictures of people: the list, an invitation, its link, dark and narrow', async () => {
  const { page } = fixture
  await fixture.signIn(ADMIN, people())
  await page.getByText(LAKESIDE.email).waitFor()
  await pictures.take('people')
  await button('Invite a person').click()
  await page.getByLabel('E-mail address').fill('mei.tanaka@lakeside.example')
  await page.getByLabel('Name').fill('Dr. Mei Tanaka')
  await pictures.take('invite')
  await button('Make the link').click()
  await page.getByText('This link is shown once.').waitFor()
  // The value is another one each time.
  await page.locator('.secret output').evaluate((output) => {
    output.textContent = 'https://chartside.example/auth/invitation?token=invite_…'
  })
  await pictures.take('link-once')
  await button('Close without copying').click()
  await pictures.takeVariants('people')
  await page.setViewportSize({ width: 420, height: 800 })
  await button('Navigation').click()
  await pictures.take('navigation-narrow')
})

test('pictures of the platform: accounts, users, disabling a person', async () => {
  const { page } = fixture
  await fixture.signIn(ADMIN, '/console/platform/accounts')
  await page.getByRole('link', { name: 'Northgate Cardiology' }).waitFor()
  await pictures.take('accounts')
  await pictures.takeVariants('accounts')
  await page.goto(`${fixture.base}/console/platform/people`)
  await button('Change Pat Admin').click()
  await pictures.take('users')
  await page.getByRole('menuitem', { name: 'Disable everywhere' }).click()
  await page.getByLabel('Type Pat Admin to confirm').fill('Pat')
  await pictures.take('disable')
})

test('pictures of settings: the second factor, where one is signed in', async () => {
  const { page } = fixture
  await fixture.signIn(ADMIN, '/console/settings/sign-in')
  await button('Set up').click()
  await page.locator('img.qr').waitFor()
  // Each secret is another one.
  const uri = `otpauth://totp/Chartside:${ADMIN.email}?secret=${SAMPLE_KEY}&issuer=Chartside`
  const code = await qrcode.toString(uri, { type: 'svg', errorCorrectionLevel: 'M' })
  await page.locator('img.qr').evaluate(
    async (image, source) => {
      ;(image as HTMLImageElement).src = source
      await (image as HTMLImageElement).decode()
    },
    `data:image/svg+xml,${encodeURIComponent(code)}`,
  )
  await page.locator('.secret-text').evaluate((text, key) => {
    text.textContent = key.replaceAll(/.{4}(?=.)/g, '$& ')
  }, SAMPLE_KEY)
  await pictures.take('second-factor')
  await pictures.takeVariants('second-factor')
  await page.goto(`${fixture.base}/console/settings/sessions`)
  await page.getByText('This browser').waitFor()
  await pictures.take('sessions')
})

test('a picture of the warning before the end', async () => {
  const { page, service } = fixture
  await page.clock.install({ time: service.clock() })
  await fixture.signIn(ADMIN, '/console/settings')
  const seconds = service.service.config.sessionIdleSeconds - 100
  service.clock.advance(seconds)
  await page.clock.fastForward(seconds * 1000)
  await page.getByText(/^You will be signed out in/).waitFor()
  await pictures.take('warning')
})

test('pictures of what can go wrong: a conflict, no connection', async () => {
  const { page, accountId } = fixture
  await fixture.signIn(ADMIN, `/console/${accountId}/account`)
  await page.getByLabel('Name').fill('Lakeside Family Care')
  await fixture.api('PATCH', `/api/accounts/${accountId}`, { name: 'Lakeside Practice' })
  await button('Save').click()
  await page.getByText('This was changed while you worked on it').waitFor()
  await pictures.take('conflict')
  await fixture.api('PATCH', `/api/accounts/${accountId}`, { name: 'Lakeside Family Practice' })
  await page.context().setOffline(true)
  await page.getByText('You are offline').waitFor()
  await pictures.take('offline')
})
