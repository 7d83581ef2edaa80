// The audit pages of the console in a real browser: search, one event with its place in the chain, and the
// verification of the whole trail in the page. And the page that calls the API: what runs at once, what asks
// first, and secrets that are shown once. P07, V11.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, test } from 'node:test'
import { extendChains } from '../../packages/server/src/audit/audit-chain.ts'
import { listEvents, NEWEST } from '../../packages/server/src/audit/audit-trail.ts'
import { changeEvent } from '../../packages/server/test/audit-fixture.ts'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { pressBy, tabTo } from './keyboard.ts'
import { checkState } from './pictures/captures.ts'
import { beginPage } from './pictures/scenarios.ts'

let fixture: ConsoleFixture
before(async () => {
  fixture = await startConsole({ CHARTSIDE_REQUEST_LOG: 'on' })
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
  const sentences = page.locator('td[data-label="What happened"]')
  await sentences.getByText(`Administrator changed the account ${hostile}.`).waitFor()
  await page.getByLabel('Record, person, launch or action').fill('patchAccount')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.waitForURL(/about=patchAccount/)
  await page.locator('tbody tr').first().locator('button').click()
  await page.getByRole('heading', { name: 'One event' }).waitFor()
  await page.getByText('Place in the chain').waitFor()
  await page.getByText(hostile).first().waitFor()
  assert.equal(await page.evaluate('window.ran'), undefined)
  // By time: a day of the fixed clock has it, the day before has nothing; the address keeps both.
  await page.getByRole('button', { name: 'UTC', exact: true }).click()
  await page.getByRole('button', { name: 'From … to' }).click()
  await page.getByLabel('From, UTC').fill('2026-03-01T11:00')
  await page.waitForURL(/from=2026-03-01T11%3A00%3A00.000Z/)
  await page.locator('tbody tr').first().getByText(/UTC/).waitFor()
  await page.getByLabel('From, UTC').fill('2026-02-27T00:00')
  await page.getByLabel('Before, UTC').fill('2026-02-28T00:00')
  await page.getByText('No event matches').waitFor()
  await assertNoViolations(page, 'no event in this time')
  await page.reload()
  assert.equal(await page.getByLabel('Before, UTC').inputValue(), '2026-02-28T00:00')
  await page.getByText('No event matches').waitFor()
  await page.getByRole('button', { name: 'Every time' }).click()
  await page.locator('tbody tr').first().waitFor()
  const verify = page.getByRole('button', { name: 'Verify the chain' })
  await verify.click()
  await page.getByText(/events, unbroken/).waitFor()
  const asked = { accountId, before: NEWEST, limit: 1, about: 'patchAccount' }
  const [victim] = await listEvents(db, asked)
  assert.ok(victim)
  await changeEvent(db, victim, { ip: '203.0.113.9' })
  await verify.click()
  await page.getByText(/The chain is broken. Line \d+: was changed/).waitFor()
  await assertNoViolations(page, 'a broken trail')
})

test('by keyboard: finds by kind and person, and reports what a person saw', async () => {
  const { accountId, api, service, base } = fixture
  const ana = await fixture.addPerson('Ana Marlow', 'admin')
  const page = await beginPage(fixture)
  await page.clock.setFixedTime(service.clock())
  await fixture.signIn(ana, `/console/${accountId}/people`)
  await page.locator('tbody tr').first().waitFor()
  service.clock.advance(1)
  await api('PATCH', `/api/accounts/${accountId}`, { name: 'Lakeside' })
  await page.goto(`${base}/console/${accountId}/audit`)
  const chip = (name: string) => page.getByRole('button', { name, exact: true })
  const sentences = page.locator('td[data-label="What happened"]')
  await pressBy(page, chip('Looked at people’s data'))
  await page.waitForURL(/kind=look/)
  await sentences.getByText('Ana Marlow looked at the list of members.').first().waitFor()
  assert.equal(await sentences.getByText('changed').count(), 0)
  await pressBy(page, chip('Changed what runs'))
  await sentences.getByText('changed the account Lakeside').first().waitFor()
  assert.equal(await sentences.getByText('looked at').count(), 0)
  await pressBy(page, chip('Every kind'))
  await tabTo(page, page.getByRole('combobox', { name: 'Person' }))
  await page.keyboard.type('marlow')
  await page.getByRole('option', { name: /^Ana Marlow/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/actor=usr_/)
  await sentences.getByText('Ana Marlow looked at the list of members.').first().waitFor()
  assert.equal(await sentences.getByText('Administrator').count(), 0)
  await pressBy(page, chip('Yesterday'))
  await page.getByText('No event matches').waitFor()
  await pressBy(page, chip('Today'))
  await sentences.first().waitFor()
  await assertNoViolations(page, 'the events of one person')
  await pressBy(page, page.getByRole('link', { name: 'What a person saw' }))
  await fixture.heading('What Ana Marlow saw')
  const total = page.locator('dl div', { hasText: 'looked at the list of members' }).locator('dd')
  await total.waitFor()
  assert.equal(
    await page.getByRole('button', { name: 'Today' }).getAttribute('aria-pressed'),
    'true',
  )
  await assertNoViolations(page, 'what a person saw')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false)
  assert.equal(await page.getByRole('combobox', { name: 'Person' }).isVisible(), false)
  assert.ok(await total.isVisible())
  await page.emulateMedia({ media: 'screen' })
  const download = page.waitForEvent('download')
  await pressBy(page, page.getByRole('link', { name: 'Export CSV' }))
  const csv = await readFile(await (await download).path(), 'utf8')
  const lines = csv.trimEnd().split('\r\n').slice(1)
  assert.ok(lines.length > 0)
  for (const line of lines) assert.match(line, /"Ana Marlow","(list|show|export)/)
})

test('calls the API by forms: reads at once, asks before a change, keeps no secret', async () => {
  const { accountId, api, service, base } = fixture
  const account = await api('POST', '/api/accounts', { name: 'Sample Apps' })
  const addresses = {
    launchUrl: 'https://notes.example/launch',
    redirectUris: ['https://notes.example/callback'],
  }
  const app = await api('POST', '/api/apps', { accountId: account.id, name: 'Notes', ...addresses })
  const dana = await fixture.addPerson('Dana Developer', 'developer', account.id)
  const page = await beginPage(fixture)
  const look = (name: string) => checkState(page, 'frame', name)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto(`${base}/doc#listApps`)
  await page.locator('#listApps').getByRole('link', { name: 'Try it' }).click()
  await fixture.signIn(dana, `/console/${account.id}/try`)
  await page.getByText('/api/apps/{id}/secrets').first().waitFor()
  assert.equal(await page.getByText('/api/users', { exact: true }).count(), 0)
  assert.equal(await page.getByText('/api/users/{id}/reset').count(), 0)
  await look('api-list')
  await page.getByLabel('Operation').fill('apps health')
  await page.getByText(/^1 of \d+ operations$/).waitFor()
  assert.match(page.url(), /find=apps\+health$/)
  await page.getByRole('link', { name: /\/api\/apps\/\{id\}\/health/ }).click()
  // A reading operation: what is missing is said at its field, then it runs at once.
  await button('Send').click()
  await page.getByText('This field is required.').waitFor()
  await page.getByLabel('id', { exact: true }).fill(app.id)
  await button('Send').click()
  const answer = page.getByRole('region', { name: 'Answer' })
  await answer.getByText('200 OK').waitFor()
  await answer.getByText('"successRate": null').waitFor()
  const trace = (await answer.locator('dd code').textContent()) ?? ''
  assert.match(trace, /^[0-9a-f]{32}$/)
  assert.ok(service.logText().includes(trace), 'the trace id finds the line of the log')
  await answer.getByText(/^\d+ headers$/).click()
  await answer.getByText(/cache-control:/).waitFor()
  await look('api-answer')
  // A change asks first, and says what it sends.
  await page.goto(`${base}/console/${account.id}/try/createSecret`)
  await page.getByLabel('id', { exact: true }).fill(app.id)
  await button('Fill in the example').click()
  await page.getByLabel('expiresAt').fill('')
  await page.getByRole('region', { name: 'As a command' }).getByText('curl -i -X POST').waitFor()
  await button('Send …').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`/api/apps/${app.id}/secrets`).waitFor()
  await dialog.getByText(/for Sample Apps/).waitFor()
  assert.equal((await api('GET', `/api/apps/${app.id}/secrets`)).items.length, 0)
  await look('api-question')
  await button('Send POST').click()
  await answer.getByText('201 Created').waitFor()
  const shown = await page.locator('.secret output').textContent()
  assert.match(shown ?? '', /^cs_/)
  const body = await answer.getByRole('region', { name: 'Body' }).textContent()
  assert.ok(!body?.includes(shown ?? ''), 'the body is shown without the secret')
  await look('api-secret')
  await button('I have stored it').click()
  assert.ok(!(await page.content()).includes(shown ?? ''))
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
  )
  assert.ok(!kept.includes('cs_'))
  // What is another account's is not there, in the words of the service.
  await page.goto(`${base}/console/${account.id}/try/showAccount`)
  await page.getByLabel('id', { exact: true }).fill(accountId)
  await page.keyboard.press('Enter')
  await answer.getByText('404 Not Found').waitFor()
  await page.goto(`${base}/console/${account.id}/try/listUsers`)
  await page.getByText('Not an operation of yours').waitFor()
  await look('api-not-yours')
})
