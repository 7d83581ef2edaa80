// The pictures of the Launch Inspector, EHR sessions and audit, for docs/console-launches.md, made of the
// real console on the real service. CHARTSIDE_PICTURES=write takes them anew; every run plays each state.

import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { extendChains } from '../../packages/server/src/audit/audit-chain.ts'
import { listEvents, NEWEST } from '../../packages/server/src/audit/audit-trail.ts'
import { changeEvent } from '../../packages/server/test/audit-fixture.ts'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { type ConsoleFixture, type Credentials, startConsole } from './console-fixture.ts'
import { type Launching, startLaunching } from './console-launching.ts'
import { beginPictures, type Photographs, photographs } from './console-photographs.ts'

let fixture: ConsoleFixture
let launching: Launching
let pictures: Photographs
let admin: Credentials
let developer: Credentials
before(async () => {
  fixture = await startConsole()
  pictures = photographs(fixture)
  launching = await startLaunching(fixture, {
    appName: 'Visit Notes',
    vendorName: 'Sample Apps',
    providerName: 'Dr. Amara Okafor',
    pause: () => fixture.service.clock.advance(0.037),
  })
  developer = await fixture.addPerson('Dana Developer', 'developer', launching.vendorId)
  admin = await fixture.addPerson('Pat Admin', 'admin')
})
after(() => fixture?.stop())
afterEach(() => fixture.assertPolicyKept())

const button = (name: string | RegExp) =>
  fixture.page.getByRole('button', { name, exact: typeof name === 'string' })
const at = (accountId: string, path: string) => `/console/${accountId}/${path}`
const goTo = (path: string) => fixture.page.goto(fixture.base + path)

test('pictures of launches: the list, causes, one launch, a comparison', async () => {
  const { accountId } = fixture
  await beginPictures(fixture)
  const { page } = fixture
  await fixture.signIn(admin, at(accountId, 'launches'))
  await page
    .getByText(/No launch/)
    .first()
    .waitFor()
  await pictures.take('launches/empty')
  for (let i = 0; i < 6; i++) {
    fixture.service.clock.advance(3)
    await launching.ready()
  }
  for (let i = 0; i < 3; i++) {
    fixture.service.clock.advance(2)
    await launching.failExchange()
  }
  const refused = await launching.launch()
  await fetch(launching.authorizeUrl(refused.launchId, 'https://notes.example/callbak'))
  const silent = await launching.launch()
  const failure = { step: 'handshake', outcome: 'failed', code: 'HANDSHAKE_TIMEOUT', detail: '' }
  await launching.report(silent.id, failure)
  fixture.service.clock.advance(2)
  const failed = await launching.failExchange()
  const good = await launching.ready()
  await beginPictures(fixture)
  await fixture.signIn(admin, at(accountId, 'launches'))
  await fixture.page.getByRole('heading', { name: /One cause/ }).waitFor()
  await pictures.take('launches/list')
  await pictures.takeVariants('launches/list')
  await fixture.page.getByRole('combobox', { name: 'App' }).click()
  await fixture.page.getByRole('option', { name: 'Visit Notes' }).waitFor()
  await pictures.take('launches/picker')
  await fixture.page.keyboard.press('Escape')
  await goTo(at(accountId, `launches/${good.id}`))
  await fixture.heading('Visit Notes is ready')
  await pictures.take('launches/ready')
  await goTo(at(accountId, `launches/${failed.id}`))
  await fixture.page.locator('.verdict').first().waitFor()
  await pictures.take('launches/failed')
  await button('Compare with a good launch').click()
  const table = fixture.page.getByRole('table', { name: 'Time of each step in both launches' })
  await table.scrollIntoViewIfNeeded()
  await pictures.take('launches/compared')
  await goTo(at(accountId, `launches/${silent.id}`))
  await fixture.page.locator('.verdict').first().waitFor()
  await pictures.take('launches/silent')
  await goTo(at(accountId, `launches/${good.id}`))
  await button('End this launch').first().click()
  await pictures.take('launches/end')
  await beginPictures(fixture)
  await fixture.signIn(developer, at(launching.vendorId, `launches/${refused.id}`))
  await fixture.page.locator('.verdict').first().waitFor()
  await pictures.take('launches/developer')
  await pictures.takeVariants('launches/developer')
  await goTo(at(launching.vendorId, 'launches'))
  await fixture.page.getByRole('combobox', { name: 'Practice' }).click()
  await fixture.page.getByRole('option', { name: /^Lakeside/ }).waitFor()
  await pictures.take('launches/vendor')
})

test('pictures of EHR sessions and of the audit trail', async () => {
  const { accountId, service } = fixture
  const { db } = service.service
  await extendChains(db, service.clock(), { settleMs: -1 })
  await beginPictures(fixture)
  const { page } = fixture
  await fixture.signIn(ADMIN, at(accountId, 'sessions'))
  await page.locator('tbody tr').first().waitFor()
  await pictures.take('sessions/list')
  await pictures.takeVariants('sessions/list')
  await button('End').first().click()
  await pictures.take('sessions/end')
  await goTo(at(accountId, 'audit'))
  await page.locator('tbody tr').first().waitFor()
  await pictures.take('audit/list')
  await pictures.takeVariants('audit/list')
  await page.locator('tbody tr').first().locator('button').click()
  await page.getByText('Place in the chain').waitFor()
  await pictures.take('audit/event')
  await page.keyboard.press('Escape')
  await page.getByLabel('Record, person, launch or action').fill('importAccount')
  await button('Find').click()
  await page.waitForURL(/about=importAccount/)
  await pictures.take('audit/nothing-found')
  await goTo(at(accountId, 'audit'))
  await button('Verify the chain').click()
  await page.getByText(/events, unbroken/).waitFor()
  await pictures.take('audit/verified')
  const asked = { accountId, before: NEWEST, limit: 1, about: 'inviteMember' }
  const [victim] = await listEvents(db, asked)
  assert.ok(victim)
  await changeEvent(db, victim, { ip: '203.0.113.9' })
  await button('Verify the chain').click()
  await page.getByText(/The chain is broken/).waitFor()
  await pictures.take('audit/broken')
})
