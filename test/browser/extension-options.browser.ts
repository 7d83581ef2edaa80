// The three ways to a token, beside one chart in the extension's panel: the app's own server exchanges the
// code, a registered token endpoint does, or an identity provider. In Chromium, with the real service and
// the sample apps. Specification §4.2, §5.3, §8.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ExtensionFixture, PROVIDER, startFixture } from './extension-fixture.ts'

const OPTIONS = { 1: 'Visit Notes', 2: 'Care Gaps', 3: 'Referral Desk' } as const

let fixture: ExtensionFixture
let panel: Page
before(async () => {
  fixture = await startFixture({ only: ['visit-notes', 'care-gaps', 'referral-desk'] })
  const chart = await fixture.context.newPage()
  await chart.goto(fixture.panelUrl(999_999))
  await fixture.signIn(chart)
  await chart.locator('[data-state="no-ehr"]').waitFor()
  await chart.goto(fixture.ehr.url('meadow'))
  panel = await fixture.openPanel(chart)
})
after(() => fixture?.stop())

for (const [option, name] of Object.entries(OPTIONS)) {
  test(`an app of option ${option} shows in the panel who is there [§8]`, async () => {
    await panel.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
    const app = panel.frameLocator(`iframe[title="${name}"]`)
    await app.locator('#provider').waitFor()
    assert.match((await app.locator('#provider').textContent()) ?? '', new RegExp(PROVIDER.name))
    assert.equal(await app.locator('#practice').textContent(), 'Lakeside Family Practice')
  })
}
