// From the error page of an app to the cause of its failure, as its developer: the trace id leads to the launch
// in the console in at most three clicks, without the name of a person. On both engines. Contract §3, V18.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { startLaunching } from './console-launching.ts'

let fixture: ConsoleFixture
before(async () => {
  fixture = await startConsole()
})
after(() => fixture?.stop())

test('leads a developer from the trace id of the error page to the cause in two clicks', async () => {
  const launching = await startLaunching(fixture, {
    appName: 'Visit Notes',
    vendorName: 'Sample Apps',
  })
  const developer = await fixture.addPerson('Dana Developer', 'developer', launching.vendorId)
  const page = await fixture.begin()
  await page.clock.setFixedTime(fixture.service.clock() + 60_000)
  const { launchId } = await launching.launch()
  await page.goto(launching.authorizeUrl(launchId, 'https://notes.example/callbak'))
  const trace = /\b[0-9a-f]{32}\b/.exec((await page.locator('body').textContent()) ?? '')?.[0]
  assert.ok(trace, 'the error page shows a trace id')
  await fixture.signInByPage(developer, `/console/${launching.vendorId}`)
  let clicks = 0
  const click = async (name: string, role: 'link' | 'button') => {
    clicks += 1
    await page.getByRole(role, { name, exact: true }).first().click()
  }
  await click('Launches', 'link')
  const field = page.getByLabel('Trace id or launch')
  await field.fill('00f067aa0ba902b7')
  await field.press('Enter')
  await page.getByText('This is a span id, of one request.').first().waitFor()
  await field.fill(`00-${trace.toUpperCase()}-00f067aa0ba902b7-01`)
  await click('Find', 'button')
  const verdict = page.locator('.verdict').first()
  await verdict.getByText('redirect_uri differs from a registered one in its path only.').waitFor()
  await verdict.getByText('https://notes.example/callbak', { exact: true }).waitFor()
  await verdict.getByText('https://notes.example/callback', { exact: true }).waitFor()
  await verdict.getByText('a developer of Visit Notes').waitFor()
  assert.ok(clicks <= 3, `${clicks} clicks`)
  assert.equal((await page.locator('main').textContent())?.includes('Pat Provider'), false)
  await assertNoViolations(page, 'a failed launch as its developer')
  await fixture.assertPolicyKept()
})
