// The audit pages of the console in a real browser: search, one event with its place in the chain, and the
// verification of the whole trail in the page, of an intact one and of one that was changed. P07, V11.

import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { extendChains } from '../../packages/server/src/audit/audit-chain.ts'
import { listEvents, NEWEST } from '../../packages/server/src/audit/audit-trail.ts'
import { changeEvent } from '../../packages/server/test/audit-fixture.ts'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

let fixture: ConsoleFixture
before(async () => {
  fixture = await startConsole()
})
after(() => fixture?.stop())
afterEach(() => fixture.assertPolicyKept())

test('searches, shows one event with its place, and verifies the trail in the page', async () => {
  const page = await fixture.begin()
  const { accountId, api, service } = fixture
  const hostile = '"><img src=x onerror=window.ran=1>'
  service.clock.advance(1)
  await api('PATCH', `/api/accounts/${accountId}`, { name: hostile })
  const { db } = service.service
  await extendChains(db, service.clock(), { settleMs: -1 })
  await fixture.signIn(ADMIN, `/console/${accountId}/audit`)
  await page.locator('tbody tr').first().waitFor()
  await assertNoViolations(page, 'the audit trail')
  await page.getByLabel('Record, person, launch or action').fill('patchAccount')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.waitForURL(/about=patchAccount/)
  await page.locator('tbody tr').first().locator('button').click()
  await page.getByRole('heading', { name: 'One event' }).waitFor()
  await page.getByText('Place in the chain').waitFor()
  await page.getByText(hostile).first().waitFor()
  assert.equal(await page.evaluate('window.ran'), undefined)
  const verify = page.getByRole('button', { name: 'Verify the chain' })
  await verify.click()
  await page.getByText(/events, unbroken/).waitFor()
  const asked = { accountId, before: NEWEST, limit: 1, about: 'patchAccount' }
  const [victim] = await listEvents(db, asked)
  assert.ok(victim)
  await changeEvent(db, victim, { ip: '203.0.113.9' })
  await verify.click()
  await page.getByText(/The chain is broken. Event \d+ was changed/).waitFor()
  await assertNoViolations(page, 'a broken trail')
})
