// The states of the audit trail, after launches were made: searched, verified, broken by a change in the
// database, and closed to those whose role does not have it.
import assert from 'node:assert/strict'
import { extendChains } from '../../../packages/server/src/audit/audit-chain.ts'
import { listEvents, NEWEST } from '../../../packages/server/src/audit/audit-trail.ts'
import { changeEvent } from '../../../packages/server/test/audit-fixture.ts'
import { ADMIN } from '../../../packages/server/test/test-service.ts'
import type { Capture } from './captures.ts'
import type { LaunchStage } from './launch-scenarios.ts'
import { beginPage, buildControls, holdAnswers, type Scenario } from './scenarios.ts'

export function auditScenarios(capture: Capture, stage: LaunchStage): Scenario[] {
  const { picture, button, goTo, at } = buildControls(capture, stage, 'audit')
  const trail = () => at('audit')
  const firstRow = () => stage.fixture.page.locator('tbody tr').first()
  const chain = () => {
    const { db } = stage.fixture.service.service
    return extendChains(db, stage.fixture.service.clock(), { settleMs: -1 })
  }
  return [
    {
      title: 'audit: the trail, one event, a search, the chain',
      async run() {
        const { fixture } = stage
        const { accountId, service } = fixture
        await chain()
        const page = await beginPage(fixture)
        await fixture.signIn(ADMIN, trail())
        await firstRow().waitFor()
        await picture('list')
        await firstRow().locator('button').click()
        await page.getByText('Place in the chain').waitFor()
        await picture('event')
        await page.keyboard.press('Escape')
        await page.getByLabel('Record, person, launch or action').fill('importAccount')
        await button('Find').click()
        await page.waitForURL(/about=importAccount/)
        await page.getByText('No event matches').waitFor()
        await picture('nothing-found')
        await goTo(trail())
        await button('Verify the chain').click()
        await page.getByText(/events, unbroken/).waitFor()
        await picture('verified')
        const asked = { accountId, before: NEWEST, limit: 1, about: 'inviteMember' }
        const [victim] = await listEvents(service.service.db, asked)
        assert.ok(victim)
        await changeEvent(service.service.db, victim, { ip: '203.0.113.9' })
        await button('Verify the chain').click()
        await page.getByText(/The chain is broken/).waitFor()
        await picture('broken')
      },
    },
    {
      title: 'audit: refused calls, times, what strangers wrote, other roles',
      async run() {
        const { fixture, developer, launching } = stage
        const { api, accountId } = fixture
        const name = `"><img src=x onerror=window.ran=1>${'W'.repeat(120)}`
        await api('PATCH', `/api/accounts/${accountId}`, { name })
        await api('PATCH', `/api/accounts/${accountId}`, { name: 'Lakeside Family Practice' })
        await chain()
        const page = await beginPage(fixture)
        await fixture.signIn(ADMIN, '/console/platform/audit')
        await firstRow().waitFor()
        await picture('platform')
        await goTo(`${trail()}?outcome=refused`)
        await page.locator('tbody tr, .empty-state, .card h2').first().waitFor()
        await picture('refused')
        const me = await api('GET', '/api/users/me')
        await goTo(`${trail()}/seen?actor=${me.id}`)
        await page.getByRole('heading', { name: `What ${me.name} saw` }).waitFor()
        await picture('seen')
        await goTo(`${trail()}?about=patchAccount`)
        await page.locator('tbody tr').nth(1).locator('button').click()
        await page.getByText('<img src=x').first().waitFor()
        await picture('hostile')
        await goTo(trail())
        await button('UTC').click()
        await button('From … to').click()
        await page.getByLabel('From, UTC').fill('2026-02-27T00:00')
        await page.getByLabel('Before, UTC').fill('2026-02-28T00:00')
        await page.getByText('No event matches').waitFor()
        await picture('no-time')
        await page.getByRole('button', { name: /^Local/ }).click()
        const release = await holdAnswers(page, /audit-events/)
        await goTo(trail())
        await page.locator('.skeleton').waitFor()
        await picture('loading')
        await release()
        await firstRow().waitFor()
        await page.context().setOffline(true)
        await button('Verify the chain').click()
        await page.getByText('The trail could not be read').waitFor()
        await picture('not-readable')
        await page.context().setOffline(false)
        await fixture.addPerson('Ada Admin', 'admin', launching.vendorId)
        const theirs = await beginPage(fixture)
        await fixture.signIn(developer, `/console/${launching.vendorId}`)
        await goTo(`/console/${launching.vendorId}/audit`)
        await theirs.getByText('Ask Ada Admin').waitFor()
        await picture('role-missing')
      },
    },
  ]
}
