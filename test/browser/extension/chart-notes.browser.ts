// A note in the real extension: typed beside one patient of each sample EHR it is at that chart again, and at no
// other. The EHRs open a chart by a page, by pushState and by the fragment; only a browser does all three.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SAMPLE_EHRS } from '@chartside/server/sample-data'
import type { FrameLocator } from 'playwright-core'
import { type ExtensionFixture, startFixture } from './fixture.ts'

let fixture: ExtensionFixture
before(async () => {
  fixture = await startFixture({ only: ['visit-notes'], ehrHosts: ['http://ehr.localhost/*'] })
  const { items } = await fixture.admin.call('GET', '/api/collections?limit=100')
  const path = `/api/collections/${items[0].id}`
  const { draft } = await fixture.admin.call('GET', path)
  await fixture.admin.call('PATCH', path, { draft: { ...draft, ehrs: SAMPLE_EHRS } })
  await fixture.admin.call('POST', `${path}/versions`, { notes: 'The sample EHRs' })
  const page = await fixture.context.newPage()
  await page.goto(fixture.panelUrl(999_999))
  await fixture.signIn(page)
  await page.getByText('No chart in this tab').waitFor()
})
after(() => fixture?.stop())

/** An app that switches is covered for a moment; one that is launched again is another frame. */
async function assertNote(panel: FrameLocator, text: string, forbidden: string): Promise<void> {
  const note = panel.locator('#note')
  await fixture.until(async () => {
    const isShown = await note.isVisible()
    const value = isShown ? await note.inputValue() : ''
    assert.ok(forbidden === '' || !value.includes(forbidden), value)
    return isShown && value === text
  })
}

test('finds a note again at its chart and at no other, in three EHRs [V40]', async () => {
  const page = await fixture.context.newPage()
  for (const [path, first, second] of [
    ['/meadow/patients', 'Marigold Testerly', 'Basil Mockford'],
    ['/summit/chart', 'Granite Exampleson', 'Ridge Fakerton'],
    ['/harbor/app', 'Finn Notreal', 'Pearl Sampleton'],
  ] as const) {
    await page.goto(`${fixture.sandbox.places.ehr.url}${path}`)
    await page.getByRole('link', { name: first }).click()
    const panel = await fixture.openPanel(page)
    const notes = panel.frameLocator('iframe[title="Visit Notes"]')
    await assertNote(notes, '', '')
    await notes.locator('#note').fill(`typed beside ${first}`)
    await page.getByRole('link', { name: second }).click()
    await assertNote(notes, '', first)
    await notes.locator('#note').fill(`typed beside ${second}`)
    await page.getByRole('link', { name: first }).click()
    await assertNote(notes, `typed beside ${first}`, second)
    await fixture.leavePanels()
  }
})
