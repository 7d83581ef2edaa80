// The runs of the fault studio in the console of staging: handed in as the command does, listed beside the run before,
// and read by keyboard, from a link that names a fault.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  handInRun,
  type Intake,
  pageOfRun,
  requireIntake,
} from '../../packages/faults/src/hand-in.ts'
import { assertNothingCut, assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, type Credentials, startConsole } from './console-fixture.ts'
import { buildSampleRun } from './fault-run-sample.ts'
import { assertFocus, pressBy, tabTo } from './keyboard.ts'

let fixture: ConsoleFixture
let developer: Credentials
let intake: Intake
before(async () => {
  fixture = await startConsole()
  developer = await fixture.addPerson('Dev Loper', 'developer')
  const app = await fixture.api('POST', '/api/apps', {
    ...{ accountId: fixture.accountId, name: 'Visit Notes' },
    ...{ launchUrl: 'https://notes.example/launch', redirectUris: ['https://notes.example/cb'] },
  })
  const answer = await fetch(`${fixture.base}/auth/sign-in`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify(developer),
  })
  const { token } = (await answer.json()) as { token: string }
  intake = { baseUrl: fixture.base, appId: app.id, token }
})
after(() => fixture?.stop())

test('lists the runs of an app beside the run before, and opens one by keyboard', async () => {
  const { page } = fixture
  const address = `/console/${fixture.accountId}/apps/${intake.appId}`
  await fixture.signIn(developer, address)
  const section = page.getByRole('region', { name: 'Fault runs', exact: true })
  await section.getByText('No run yet').waitFor()
  const command = `--hand-in ${fixture.base} --app-id ${intake.appId}`
  await section.getByText(command).waitFor()
  await assertNoViolations(page, 'an app without a fault run')

  await assert.rejects(
    requireIntake({ ...intake, token: 'st_wrong' }),
    /401.*CHARTSIDE_SESSION_TOKEN/,
  )
  await assert.rejects(requireIntake({ ...intake, appId: 'app_1' }), /404.*--app-id/)
  await requireIntake(intake)
  await handInRun(intake, buildSampleRun('2026-11-20T18:21:00.000Z', 'failed'))
  fixture.service.clock.advance(60)
  await handInRun(intake, buildSampleRun('2026-11-21T18:21:00.000Z', 'passed'))
  await page.reload()
  const rows = section.getByRole('row')
  await section.getByRole('cell', { name: /^Better \(was [CD], \d+\)$/ }).waitFor()
  assert.match((await rows.nth(2).textContent()) ?? '', /No run before/)
  await assertNoViolations(page, 'an app with fault runs')
  await assertNothingCut(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  const newest = section.getByRole('link', { name: / of 100$/ }).first()
  await pressBy(page, newest)
  await page.getByRole('heading', { name: /^Fault run: B, \d+ of 100$/ }).waitFor()
  await page.getByText('Better: state-changed').waitFor()
  assert.equal(
    await page.getByRole('list', { name: 'Parts of the grade' }).locator('li').count(),
    5,
  )
  await page.keyboard.press('j')
  const first = page.locator('details.fault summary').first()
  await assertFocus(page, first)
  assert.match((await first.textContent()) ?? '', /offline/)
  await page.keyboard.press('Enter')
  await page.getByText('Mend it: Compare state.').waitFor()
  await assertNoViolations(page, 'a fault run')
  await page.keyboard.press('?')
  await page.getByText('Not handled only').waitFor()
  await page.keyboard.press('Escape')
  await fixture.assertPolicyKept()
})

test('keeps the page at a link to a fault, and opens the fault that an address names', async () => {
  const page = await fixture.begin()
  const run = await handInRun(intake, buildSampleRun('2026-11-22T18:21:00.000Z', 'passed'))
  await fixture.signIn(developer)
  // Without the account, as the command prints it.
  await page.goto(pageOfRun(intake, run))
  const link = page.getByRole('link', { name: 'Show offline' })
  await tabTo(page, link)
  await page.evaluate(() => document.body.setAttribute('data-kept', ''))
  await page.keyboard.press('Enter')
  await assertFocus(page, page.locator('#offline > summary'))
  assert.match(page.url(), /#offline$/)
  // A chip hides the fault of the link: the link takes the chip back.
  await page.getByRole('button', { name: /^Handled/ }).click()
  await page.locator('#offline').waitFor({ state: 'detached' })
  await link.click()
  await assertFocus(page, page.locator('#offline > summary'))
  assert.equal(await page.locator('body').getAttribute('data-kept'), '', 'the page stayed')
  await page.getByRole('button', { name: /^All/, pressed: true }).waitFor()
  await page.goto(page.url().replace('#offline', '#code-missing'))
  await page.reload()
  // It was handled, and so stands in what is folded.
  await assertFocus(page, page.locator('#code-missing > summary'))
  await page.getByText('The trace was not_observable.').waitFor()
  await fixture.assertPolicyKept()
})

test('ticks the step of the overview, which leads to the runs by keyboard', async () => {
  const { page } = fixture
  await fixture.signIn(developer, `/console/${fixture.accountId}`)
  const step = page.getByRole('listitem').filter({ hasText: 'Fault run passed' })
  await step.getByText('Visit Notes: The last one has grade B.').waitFor()
  await pressBy(page, step.getByRole('link'))
  await assertFocus(page, page.getByRole('heading', { name: 'Fault runs', exact: true }))
  await assertNoViolations(page, 'the overview of a developer')
})

test('makes a developer key, hands a run in with it, and deletes it [V45]', async () => {
  const { page } = fixture
  await fixture.signIn(developer, '/console/settings/developer-keys')
  await page.getByText('No key yet').waitFor()
  await page.getByRole('button', { name: 'New key', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('Pipeline')
  await page.getByLabel('Ends after').selectOption('30')
  await page.getByRole('button', { name: 'Make it', exact: true }).click()
  await page.getByRole('rowheader', { name: 'Pipeline', exact: true }).waitFor({ timeout: 4000 })
  const texts = await page.locator('main').innerText()
  const fields = await page
    .locator('main input')
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  const shown = [texts, ...fields].join(' ').match(/dk_[\w-]{65}/)?.[0]
  assert.ok(shown, 'the key is shown once')
  await assertNoViolations(page, 'a new developer key')
  await assertNothingCut(page)
  const withKey = { ...intake, token: shown }
  await requireIntake(withKey)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: 'Delete Pipeline' }).click({ timeout: 4000 })
  await page.getByRole('button', { name: 'Delete it', exact: true }).click()
  await page.getByText('No key yet').waitFor()
  await assert.rejects(requireIntake(withKey), /401.*CHARTSIDE_DEVELOPER_KEY/)
})
