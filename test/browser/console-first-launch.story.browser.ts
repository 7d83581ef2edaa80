// From an empty installation to the first launch in the sample EHR, by pages only: practice and vendor are
// created, their people invited, the app registered, what runs where published and assigned; then a
// provider signs in at the EHR and the app knows who it is. No call of the API is made by the test.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, afterEach, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type RunningEhr, startSampleEhr } from '@chartside/example-sample-ehr'
import { buildAssets } from '@chartside/example-sample-ehr/assets'
import { freePort } from '../../packages/server/test/free-port.ts'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { type ConsoleFixture, PASSWORD, startConsole } from './console-fixture.ts'

const PRACTICE = 'Harbour Family Practice'
const VENDOR = 'Notes Incorporated'
const APP = 'Visit Notes'
const DEVELOPER = { name: 'Devi Loper', email: 'devi@notes.example', password: PASSWORD }
const PROVIDER = { name: 'Dr. Pat Quinn', email: 'pat@harbour.example', password: PASSWORD }
const VISIT_NOTES = fileURLToPath(new URL('../../examples/visit-notes', import.meta.url))

let fixture: ConsoleFixture
let ehr: RunningEhr
let app: ChildProcess | undefined
let ehrUrl: string
let appUrl: string
let appPort: number
before(async () => {
  const ehrPort = await freePort()
  appPort = await freePort()
  ehrUrl = `http://ehr.localhost:${ehrPort}`
  appUrl = `http://visit-notes.chartside.localhost:${appPort}`
  fixture = await startConsole(
    { CHARTSIDE_HOST_ORIGINS: ehrUrl },
    { accountName: '', isRealTime: true },
  )
  ehr = await startSampleEhr({
    port: ehrPort,
    url: ehrUrl,
    serviceUrl: fixture.base,
    practices: [{ name: PRACTICE, providers: [PROVIDER] }],
    ehrs: [{ ehrType: 'meadow', name: 'Meadow EHR' }],
    password: PASSWORD,
    assets: await buildAssets(),
    sandbox: {
      findSession: async () => null,
      addApp: () => Promise.reject(new Error('The console registers apps.')),
    },
  })
})
after(async () => {
  app?.kill()
  await ehr?.stop()
  await fixture?.stop()
})
afterEach(() => fixture.assertPolicyKept())

const button = (name: string | RegExp) =>
  fixture.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const field = (label: string) => fixture.page.getByLabel(label, { exact: true })

async function createAccount(name: string): Promise<void> {
  await fixture.page.goto(`${fixture.base}/console/platform/accounts`)
  await button('New account').first().click()
  await field('Name').fill(name)
  await fixture.page.keyboard.press('Enter')
  await button('Invite a person').first().waitFor()
}

/** On the page of the people of an account. Gives the link that the page shows once. */
async function invite({ name, email }: typeof PROVIDER, role: RegExp): Promise<string> {
  const { page } = fixture
  await button('Invite a person').first().click()
  await field('E-mail address').fill(email)
  await field('Name').fill(name)
  await page.getByRole('radio', { name: role }).check()
  await button('Make the link').click()
  const link = await page.locator('.secret output').textContent()
  await button('Close without copying').click()
  return link ?? ''
}

async function setPassword(link: string): Promise<void> {
  await fixture.begin()
  await fixture.page.goto(link)
  await field('New password').fill(PASSWORD)
  await button('Set password').click()
  await fixture.page.getByRole('link', { name: 'Open the console' }).waitFor()
}

const follow = (name: string) => fixture.page.getByRole('link', { name }).first().click()

async function startApp(clientId: string, clientSecret: string): Promise<void> {
  app = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/main.mjs'], {
    cwd: VISIT_NOTES,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      PORT: String(appPort),
      PUBLIC_URL: appUrl,
      CHARTSIDE_BASE_URL: fixture.base,
      FRAME_ANCESTORS: ehrUrl,
    },
  })
  assert.ok(app.stdout)
  await once(app.stdout, 'data')
}

test('leads an administrator from nothing to the first launch, by pages only', async () => {
  await fixture.begin()
  await fixture.signInByPage(ADMIN)
  await fixture.page.getByText('Create the first account', { exact: true }).waitFor()
  await createAccount(PRACTICE)
  const providerLink = await invite(PROVIDER, /Provider/)
  await createAccount(VENDOR)
  const developerLink = await invite(DEVELOPER, /Developer/)
  await setPassword(providerLink)

  // The developer registers the app and starts its server with what the pages show.
  await setPassword(developerLink)
  await fixture.signInByPage(DEVELOPER)
  await follow('Apps')
  await follow('Register an app')
  await field('Name').fill(APP)
  await field('Launch URL').fill(`${appUrl}/launch`)
  await field('Redirect URIs').fill(`${appUrl}/callback`)
  await button('Register').click()
  await fixture.heading(APP)
  const clientId = await fixture.page.locator('code', { hasText: /^cli_/ }).textContent()
  await button('New secret').click()
  await field('Label').fill('Staging')
  await fixture.page.keyboard.press('Enter')
  const secret = await fixture.page.locator('output', { hasText: /^cs_/ }).textContent()
  await button('I have stored it').click()
  await fixture.page.getByText('launches of the app are refused until').waitFor()
  assert.equal(await button('Allow launches here').count(), 0, 'the platform decides that')
  await startApp(clientId ?? '', secret ?? '')
  await follow('Overview')
  const stepOf = (title: string) => fixture.page.getByRole('listitem').filter({ hasText: title })
  await stepOf('Set its server up').filter({ hasText: 'Done' }).waitFor()
  await stepOf('Have its launches allowed').filter({ hasText: 'To do' }).waitFor()

  // The administrator allows it here, and says what runs where.
  await fixture.begin()
  await fixture.signInByPage(ADMIN, '/console/platform/apps')
  await follow(APP)
  await button('Allow launches here').click()
  await fixture.page.getByText('The app may be launched in this staging').waitFor()
  await fixture.page.goto(`${fixture.base}/console/platform/accounts`)
  await follow(PRACTICE)
  await fixture.page.getByText('Choose what runs where', { exact: true }).waitFor()
  await follow('What runs where')
  await button('New collection').first().click()
  await field('Name').fill('Primary care')
  await fixture.page.keyboard.press('Enter')
  await fixture.heading('Primary care')
  await button('Add an EHR').first().click()
  await field('Name').fill('Meadow EHR')
  await field('EHR type').fill('meadow')
  await field('Addresses of its pages').fill(`${ehrUrl}/meadow/*`)
  await button('Add it').click()
  await button('Add an app').click()
  await fixture.page.getByRole('combobox', { name: 'App' }).fill(APP)
  await fixture.page.getByRole('option', { name: APP }).click()
  await button('Add it').click()
  await fixture.page.getByRole('switch', { name: `${APP} on Meadow EHR` }).waitFor()
  await button('Review and publish version 1').click()
  await button('Publish version 1').click()
  await fixture.page.getByText('Same as version 1').waitFor()
  await button('Let a practice run it').click()
  await fixture.page.getByRole('combobox', { name: 'Practice' }).fill(PRACTICE)
  await fixture.page.getByRole('option', { name: PRACTICE }).click()
  await button('Run it').click()
  await fixture.page.getByText('the latest (now 1)').waitFor()

  // The provider opens a chart.
  const context = await fixture.browser.newContext({ viewport: { width: 1440, height: 900 } })
  const chart = await context.newPage()
  await chart.goto(`${ehrUrl}/meadow?panel=open`)
  await chart.locator('#sign-in .main-button').click()
  await chart.getByRole('tab', { name: APP }).click()
  const frame = chart.frameLocator(`iframe[title*="${APP}"]`)
  await frame.getByText(PROVIDER.name).first().waitFor()
  await chart.locator(`.launch[data-app="${APP}"]`, { hasText: 'Ready in' }).first().waitFor()

  // The Launch Inspector shows the launch to the administrator while it is open.
  await fixture.page.goto(`${fixture.base}/console/platform/launches`)
  await fixture.page
    .getByRole('row')
    .filter({ hasText: APP })
    .filter({ hasText: 'Ready' })
    .waitFor()
  await context.close()
})
