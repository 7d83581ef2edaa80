// The extension beside pages that were not written for it: the structures of OpenMRS 3 and of OpenEMR, with
// their policy, frames and navigation by script. In Chromium, with the real service and a sample app.
// Specification §1; security X01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { answerOpenEhr, OPENEMR_MAIN, OPENMRS_HOME } from '../open-ehr-pages.ts'
import { type Api, signInToApi } from './ehr.ts'
import { type ExtensionFixture, type Panel, PROVIDER, startFixture } from './fixture.ts'

let fixture: ExtensionFixture
let provider: Api
let emr: Page
before(async () => {
  fixture = await startFixture({
    only: ['visit-notes'],
    ehr: answerOpenEhr,
    paths: { meadow: '/openmrs/spa/patient/*/chart/*', summit: `${OPENEMR_MAIN}*` },
  })
  provider = await signInToApi(fixture.sandbox.places.service.url, PROVIDER.email)
  const page = await fixture.context.newPage()
  await page.goto(fixture.panelUrl(999_999))
  await fixture.signIn(page)
  await page.locator('[data-state="no-ehr"]').waitFor()
  await page.close()
})
after(() => fixture?.stop())

const countSessions = async () => {
  const { items } = await provider.call('GET', '/api/sessions?state=live&limit=100')
  return items.length
}

const waitForNotes = (panel: Panel) =>
  panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()

const readBlocked = (page: Page) =>
  page.evaluate(() => (window as unknown as { blocked: string[] }).blocked)

test('follows the address of OpenMRS under its policy, from patient to patient', async () => {
  const chart = await fixture.context.newPage()
  await chart.goto(fixture.ehr.url('meadow', OPENMRS_HOME))
  assert.equal(await countSessions(), 0, 'its home page is no chart')
  await chart.getByRole('link', { name: 'Patient' }).click()
  const panel = await fixture.openPanel(chart)
  await waitForNotes(panel)
  assert.equal(await countSessions(), 1)
  await chart.getByRole('link', { name: 'Home' }).click()
  await fixture.until(async () => (await countSessions()) === 0)
  await panel.locator('[data-state="no-ehr"]').waitFor()
  await chart.goBack()
  await waitForNotes(panel)
  assert.deepEqual(await readBlocked(chart), [])
  await chart.close()
  await fixture.until(async () => (await countSessions()) === 0)
})

test('keeps one session over the frames of OpenEMR, with one handle in the page', async () => {
  const chart = await fixture.context.newPage()
  await chart.goto(fixture.ehr.url('summit', `${OPENEMR_MAIN}?token_main=1`))
  const panel = await fixture.openPanel(chart)
  await waitForNotes(panel)
  for (const patient of [2, 3]) {
    await chart.getByRole('button', { name: 'Next patient' }).click()
    await chart.frameLocator('iframe[name="pat"]').getByText(`Patient ${patient}`).waitFor()
  }
  await chart.getByRole('button', { name: 'Calendar' }).click()
  for (const frame of chart.frames()) {
    const handles = await frame.locator('chartside-handle').count()
    assert.equal(handles, frame === chart.mainFrame() ? 1 : 0, frame.url())
  }
  assert.equal(await countSessions(), 1)
  await waitForNotes(panel)
  assert.deepEqual(await readBlocked(chart), [])
  emr = chart
})

test('counts what a person does in a frame of OpenEMR as activity [P04]', async () => {
  await emr.getByRole('button', { name: 'Calendar' }).click()
  await putActivityBack()
  const inFrame = emr.frameLocator('iframe[name="pat"]')
  await inFrame.getByRole('heading').click()
  await fixture.until(async () => (await readActivity()) > 0)
})

const readActivity = async () => {
  const worker = await fixture.worker()
  return worker.evaluate(async () => {
    const { state } = await chrome.storage.session.get<{
      state: { signIn: { activeAt: number } }
    }>()
    return state.signIn.activeAt
  })
}

/** As if the person had done nothing since 1970; a new background reads it. */
async function putActivityBack(): Promise<void> {
  const worker = await fixture.worker()
  await worker.evaluate(async () => {
    const { state } = await chrome.storage.session.get<{ state: { signIn: object } }>()
    await chrome.storage.session.set({
      state: { ...state, signIn: { ...state.signIn, activeAt: 0 } },
    })
  })
  await fixture.killWorker()
}
