// The states of the frame around every page, and of the pages that call the API by hand: finding, keys, the end
// of a sign-in, and what stands in place of a page that cannot be shown.
import { DatabaseUnavailable } from '../../../packages/server/src/db/database.ts'
import { ADMIN } from '../../../packages/server/test/test-service.ts'
import { type Capture, SIZE } from './captures.ts'
import type { OfficeStage } from './office-scenarios.ts'
import { beginPage, buildControls, type Scenario } from './scenarios.ts'

export function frameScenarios(capture: Capture, stage: OfficeStage): Scenario[] {
  const tools = buildTools(capture, stage)
  return [
    overviewAndPalette(tools),
    warningAndOffline(tools),
    keysAndMenus(tools),
    rolesAndFaults(tools),
    apiByHand(tools),
  ]
}

const buildTools = (capture: Capture, stage: OfficeStage) => ({
  ...buildControls(capture, stage, 'frame'),
  stage,
  palette: () => stage.fixture.page.getByRole('combobox', { name: /^Trace id/ }),
})

type Tools = ReturnType<typeof buildTools>

const overviewAndPalette = ({ stage, picture, palette }: Tools): Scenario => ({
  title: 'the frame: the overview and the palette',
  async run() {
    const { fixture } = stage
    const page = await beginPage(fixture)
    await fixture.signIn(ADMIN, '/console/platform')
    await page.getByText('Add a second administrator', { exact: true }).waitFor()
    await picture('overview')
    await page.keyboard.press('/')
    await palette().fill('amara.okafor@lakeside.example')
    await page.getByRole('option').first().waitFor()
    await picture('palette')
  },
})

const warningAndOffline = ({ stage, picture, at }: Tools): Scenario => ({
  title: 'the frame: the warning before the end, no connection',
  async run() {
    const { fixture } = stage
    const { service } = fixture
    const page = await fixture.begin({ viewport: SIZE, timezoneId: 'America/New_York' })
    await page.clock.install({ time: service.clock() })
    await fixture.signIn(ADMIN, '/console/settings')
    // What the page reports late would be activity after the jump.
    await page.waitForLoadState('networkidle')
    const seconds = service.service.config.sessionIdleSeconds - 100
    service.clock.advance(seconds)
    await page.clock.fastForward(seconds * 1000)
    await page.getByText(/^You will be signed out in/).waitFor()
    await picture('warning')
    const another = await beginPage(fixture)
    await fixture.signIn(ADMIN, at('account'))
    await another.getByLabel('Name', { exact: true }).waitFor()
    await another.context().setOffline(true)
    await another.getByText('You are offline').waitFor()
    await picture('offline')
  },
})

const keysAndMenus = ({ stage, picture, button, goTo, palette }: Tools): Scenario => ({
  title: 'the frame: keys, menus, one account among many, nothing found',
  async run() {
    const { fixture } = stage
    const { db } = fixture.service.service
    const page = await beginPage(fixture)
    await fixture.signIn(ADMIN, '/console/platform/people')
    await page.keyboard.press('/')
    await palette().fill('no such thing')
    await page.getByText('Nothing that you may see has this name.').waitFor()
    await picture('palette-nothing')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await picture('keys')
    await page.keyboard.press('Escape')
    await button(/Your menu/).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await picture('menu')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 420, height: 800 })
    await button('Navigation').click()
    await page.getByRole('dialog', { name: 'Navigation' }).waitFor()
    await picture('drawer')
    await page.keyboard.press('Escape')
    const rows = Array.from(
      { length: 120 },
      (_, n) => `('acc_00many${1000 + n}', 'Clinic ${n}', 0, 0)`,
    )
    const insert = `INSERT INTO accounts (id, name, created_at, updated_at) VALUES ${rows.join(', ')}`
    await db.write({ sql: insert, args: [] })
    await goTo('/console/platform/people')
    await button(/Choose an account/).click()
    await page.getByText('The first 30; type more of the name.').waitFor()
    await picture('account-choice')
    await db.write({ sql: "DELETE FROM accounts WHERE id LIKE 'acc_00many%'", args: [] })
    await goTo('/console/platform/nothing')
    await fixture.heading('Not found')
    await picture('not-found')
  },
})

const rolesAndFaults = ({ at, capture, goTo, picture, stage }: Tools): Scenario => ({
  title: 'the frame: other roles, a page without connection, a busy service',
  async run() {
    const { fixture, developer } = stage
    const { service } = fixture.service
    const provider = await fixture.addPerson('Dr. Pia Provider', 'provider')
    const theirs = await beginPage(fixture)
    await fixture.signIn(provider, at(''))
    await theirs.getByText('Your apps').waitFor()
    await picture('overview-provider')
    const page = await beginPage(fixture)
    await fixture.signIn(developer, at(''))
    await goTo(at('audit'))
    await page.getByText('Ask Pat Admin').waitFor()
    await picture('role-missing')
    await goTo(at('people'))
    await page.locator('tbody tr').first().waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Launches' }).click()
    await fixture.heading('No connection')
    await picture('offline-page')
    await page.context().setOffline(false)
    await goTo(at('people'))
    await page.locator('tbody tr').first().waitFor()
    // The database of the running service goes away.
    const { read } = service.db
    Object.assign(service.db, {
      read: () => Promise.reject(new DatabaseUnavailable(new Error('away'))),
    })
    try {
      await page.getByLabel('Find a person').fill('pat')
      await page.getByRole('heading', { name: 'The service is busy' }).waitFor()
      await picture('busy')
    } finally {
      Object.assign(service.db, { read })
    }
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': '193.0.6.139' })
    await goTo('/console')
    await fixture.heading('Not available from here')
    await capture(page, 'signIn', 'region')
  },
})

const apiByHand = ({ stage, picture, button, at, goTo }: Tools): Scenario => ({
  title: 'the API by hand: operations, a question, answers, refusals',
  async run() {
    const { fixture, developer } = stage
    const { api, accountId } = fixture
    const launchUrl = 'https://notes.example/launch'
    const redirectUris = ['https://notes.example/callback']
    const app = await api('POST', '/api/apps', {
      ...{ accountId, name: 'Notes', launchUrl, redirectUris },
    })
    const page = await beginPage(fixture)
    await fixture.signIn(developer, at('try'))
    await page.getByText('/api/apps/{id}/secrets').first().waitFor()
    await picture('api-list')
    const answer = page.getByRole('region', { name: 'Answer' })
    const id = page.getByLabel('id', { exact: true })
    await goTo(at('try/showAppHealth'))
    await id.fill(app.id)
    await button('Send').click()
    await answer.getByText('200 OK').waitFor()
    await answer.getByText(/^\d+ headers$/).click()
    await picture('api-answer')
    await goTo(at('try/createSecret'))
    await id.fill(app.id)
    await button('Fill in the example').click()
    await page.getByLabel('expiresAt').fill('')
    await button('Send …').click()
    await page.getByRole('dialog').waitFor()
    await picture('api-question')
    await button('Send POST').click()
    await answer.getByText('201 Created').waitFor()
    await page.locator('.secret output').evaluate((output) => {
      output.textContent = 'cs_…'
    })
    await picture('api-secret')
    await button('I have stored it').click()
    await goTo(at('try/showAccount'))
    await id.fill('acc_unknown')
    await page.keyboard.press('Enter')
    await answer.getByText('404 Not Found').waitFor()
    await picture('api-refused')
    await goTo(at('try/listUsers'))
    await page.getByText('Not an operation of yours').waitFor()
    await picture('api-not-yours')
  },
})
