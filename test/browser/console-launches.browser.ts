// The Launch Inspector in a real browser: a developer finds the cause, an administrator looks, compares and ends,
// and what strangers wrote stays text. axe-core finds nothing in any view. Contract §3, security P01, V11, V18.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { countLaunchesByTime } from '../../packages/server/src/launches/health/launch-counting.ts'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { assertNothingCut, assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, type Credentials, startConsole } from './console-fixture.ts'
import { type Launching, startLaunching } from './console-launching.ts'
import { assertFocus, pressBy } from './keyboard.ts'

let fixture: ConsoleFixture
let launching: Launching
let developer: Credentials
let admin: Credentials
before(async () => {
  fixture = await startConsole()
  launching = await startLaunching(fixture, { appName: 'Visit Notes', vendorName: 'Sample Apps' })
  developer = await fixture.addPerson('Dana Developer', 'developer', launching.vendorId)
  admin = await fixture.addPerson('Ada Admin', 'admin')
})
after(() => fixture?.stop())
/** A page whose clock is that of the service, which stands still in tests. */
async function begin(options: Parameters<ConsoleFixture['begin']>[0] = {}) {
  const page = await fixture.begin(options)
  await page.clock.setFixedTime(fixture.service.clock() + 60_000)
  return page
}
beforeEach(async () => {
  fixture.service.clock.advance(0.01)
  await begin()
})
afterEach(() => fixture.assertPolicyKept())

const button = (name: string | RegExp) =>
  fixture.page.getByRole('button', { name, exact: typeof name === 'string' })
const launchesOf = (accountId: string) => `/console/${accountId}/launches`

test('leads from an error page to its cause: by the address in its report, by trace', async () => {
  const { page } = fixture
  const { launchId } = await launching.launch()
  await page.goto(launching.authorizeUrl(launchId, 'https://notes.example/callbak'))
  const report = (await page.locator('pre').textContent()) ?? ''
  const [, address = ''] = /launch: (http\S+)/.exec(report) ?? []
  const [, trace = ''] = /\/console\/launches\?trace=([0-9a-f]{32})$/.exec(address) ?? []
  assert.ok(trace, address)
  await fixture.signInByPage(developer, address.slice(fixture.base.length))
  const verdict = page.locator('.verdict').first()
  await verdict.getByText('https://notes.example/callbak').waitFor()
  // In two clicks from anywhere.
  await page.getByRole('link', { name: 'Launches', exact: true }).first().click()
  const find = page.getByLabel('Trace id or launch')
  await find.fill('00f067aa0ba902b7')
  await find.press('Enter')
  await page.getByText('This is a span id, of one request.').first().waitFor()
  await find.fill(`00-${trace.toUpperCase()}-00f067aa0ba902b7-01`)
  await button('Find').click()
  await verdict.getByText('redirect_uri differs from a registered one in its path only.').waitFor()
  for (const path of ['callbak', 'callback'])
    await verdict.getByText(`https://notes.example/${path}`, { exact: true }).waitFor()
  await verdict.getByText('a developer of Visit Notes').waitFor()
  assert.equal((await page.locator('main').textContent())?.includes('Pat Provider'), false)
  await assertNoViolations(page, 'a failed launch as its developer')
})

test('names the retired secret, the caller and others like it to the developer', async () => {
  const { page } = fixture
  for (let i = 0; i < 2; i++) await launching.failExchange()
  const { id } = await launching.failExchange()
  await fixture.signIn(developer, `${launchesOf(launching.vendorId)}/${id}`)
  await fixture.heading('Visit Notes failed at Exchange: it could not exchange its code')
  const verdict = page.locator('.verdict').first()
  await verdict.getByText(/a retired secret of this app “Production 2025”/).waitFor()
  await verdict.getByText('127.0.0.1').waitFor()
  await verdict.getByRole('link', { name: 'Client secrets of the app' }).waitFor()
  await page.getByText(/^cs_… \(\d+ characters\)$/).waitFor()
  await verdict.getByText('2 others like this in the last week').click()
  await page.waitForURL(/reason=secret_retired/)
  await page.locator('.launches tbody tr').nth(2).waitFor()
})

test('says on the first page what does not open, and leads to its cause', async () => {
  const { page } = fixture
  for (let i = 0; i < 3; i++) await launching.failExchange()
  fixture.service.clock.advance(120)
  await countLaunchesByTime(fixture.service.service)
  await fixture.signIn(admin, `/console/${fixture.accountId}`)
  await page.getByRole('heading', { name: /^Visit Notes (sometimes )?does not open/ }).waitFor()
  await page.getByText('Launches per hour as a table').click()
  await page.getByRole('table', { name: 'Launches per hour' }).waitFor()
  await assertNoViolations(page, 'is it well')
  await page.getByRole('link', { name: 'Show cause and fix' }).click()
  await page.locator('.verdict').first().waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Stop Visit Notes here…' }).click()
  await page.getByRole('dialog', { name: /^Stop Visit Notes in/ }).waitFor()
})

test('asks in the background without counting as activity of the person [P04]', async () => {
  const { page } = fixture
  const { id } = await launching.failExchange()
  const asked = page.waitForRequest((request) => request.headers()['chartside-background'] === '1')
  await fixture.signIn(admin, `${launchesOf(fixture.accountId)}/${id}`)
  assert.equal((await asked).method(), 'GET')
})

test('shows where the time went, by arrow keys, and compares with a good launch', async () => {
  const { page } = fixture
  await launching.ready()
  const { id } = await launching.failExchange()
  await fixture.signIn(admin, `${launchesOf(fixture.accountId)}/${id}`)
  await fixture.heading('Visit Notes failed at Exchange: it could not exchange its code')
  await page.getByText('Pat Provider').first().waitFor()
  assert.equal(await page.getByText('127.0.0.1').count(), 0, 'the caller is for the vendor')
  assert.equal(await page.getByRole('link', { name: 'Client secrets of the app' }).count(), 0)
  // A practice mends no app: it reads whom to send the report, which has the steps of the vendor.
  await page.getByText(/send it to the vendor of Visit Notes/).waitFor()
  assert.equal(await page.getByText('Set a live secret of the app').count(), 0)
  const spans = page.locator('.span')
  await spans.first().focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Context' }).waitFor()
  await button('Compare with a good launch').click()
  await page.getByRole('table', { name: 'Time of each step in both launches' }).waitFor()
  await assertNoViolations(page, 'a launch that is compared')
})

test('ends a launch and a session after the typed name', async () => {
  const { page } = fixture
  const { id } = await launching.ready()
  await fixture.signIn(admin, `${launchesOf(fixture.accountId)}/${id}`)
  await fixture.heading('Visit Notes is ready')
  await button('End this launch').first().click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'End this launch' })
  assert.ok(await confirm.isDisabled())
  await dialog.getByRole('textbox').fill('Visit Notes')
  await confirm.click()
  await fixture.heading('Visit Notes has ended')
  await page.goto(`${fixture.base}/console/${fixture.accountId}/sessions`)
  await button('End').first().click()
  await assertNoViolations(page, 'the end of a session')
  await assertNothingCut(page)
  await page.getByRole('dialog').getByRole('textbox').fill('Pat Provider')
  await button('End the session').click()
  await page.getByText('The EHR session has ended.').waitFor()
})

test('filters by outcome with counts, by keyboard, and keeps the filter in the address', async () => {
  const { page } = fixture
  await fixture.signIn(admin, launchesOf(fixture.accountId))
  await page.getByRole('heading', { name: /One cause explains/ }).waitFor()
  await assertNoViolations(page, 'the list of launches')
  await assertNothingCut(page)
  await page.locator('[data-page-title]').focus()
  await page.keyboard.press('f')
  await page.waitForURL(/outcome=failed/)
  await page.locator('.launches tbody tr').first().waitFor()
  const states = await page.locator('.launches tbody .pill').allTextContents()
  assert.ok(states.length > 0 && states.every((state) => state.startsWith('Failed')), `${states}`)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Why it failed' }).waitFor()
})

test('shows the health of an app: success, times and causes, as they were played', async () => {
  const { page } = fixture
  let seconds = 0.1
  const names = { appName: 'Care Gaps', vendorName: 'Other Apps', providerName: 'Quinn Provider' }
  const gaps = await startLaunching(fixture, {
    ...names,
    pause: () => fixture.service.clock.advance(seconds),
  })
  const vendor = await fixture.addPerson('Vera Vendor', 'developer', gaps.vendorId)
  await fixture.signIn(vendor, `/console/${gaps.vendorId}/apps/${gaps.appId}`)
  await page.getByText('No launch in this time.').waitFor()
  for (let i = 0; i < 4; i++) await gaps.ready()
  seconds = 0.8
  await gaps.ready()
  for (let i = 0; i < 2; i++) await gaps.failExchange()
  const refused = await gaps.launch()
  await fetch(gaps.authorizeUrl(refused.launchId, 'https://notes.example/callbak'))
  await page.clock.setFixedTime(fixture.service.clock() + 60_000)
  await page.reload()
  const health = page.getByRole('region', { name: 'Health' })
  await health.locator('dd').first().waitFor()
  // Five of eight; each of the five steps took 0.1 s, at the slowest launch 0.8 s.
  const figures = await health.locator('dl > div').allInnerTexts()
  assert.deepEqual(
    figures.map((text) => text.split('\n')),
    [
      ['Became ready', '62.5 %'],
      ['Failed', '3'],
      ['Launches', '8'],
      ['Half are ready within', '500 ms'],
      ['95 % are ready within', '4 s'],
    ],
  )
  await health.getByText('Where the time goes').press('Enter')
  const exchange = health.getByRole('row').filter({ hasText: 'Callback' })
  assert.deepEqual(await exchange.getByRole('cell').allInnerTexts(), ['100 ms', '800 ms'])
  await assertNoViolations(page, 'the health of an app')
  const causes = health.getByRole('table', { name: 'Failures by cause' })
  assert.deepEqual(await causes.locator('tbody small').allInnerTexts(), [
    'secret_retired',
    'redirect_uri_unregistered',
  ])
  await causes.getByRole('link', { name: '2 launches of secret_retired' }).press('Enter')
  await page.locator('.launches tbody tr').nth(1).waitFor()
  assert.equal(await page.locator('.launches tbody tr').count(), 2)
})

/** What breaks out of markup, attributes, addresses or the layout, in texts that strangers write. */
const HOSTILE = {
  appName: '"><img src=x onerror="window.ran=1"><script>window.ran=1</script>',
  vendorName: `${"'".repeat(3)}<svg/onload=window.ran=1>`,
  providerName: `Dr. <b onmouseover=window.ran=1>${'W'.repeat(60)}</b>`,
  ehrName: '{{constructor.constructor("window.ran=1")()}}',
  deviceId: `javascript:window.ran=1//${'x'.repeat(80)}`,
}

test('narrows to one app and one account by keyboard, and keeps both in the address', async () => {
  const { page, accountId } = fixture
  await launching.ready()
  const other = await fixture.api('POST', '/api/accounts', { name: 'Hillside Clinic' })
  await fixture.signIn(ADMIN, '/console/platform/launches')
  const rows = page.locator('.launches tbody tr')
  await rows.first().waitFor()
  const app = page.getByRole('combobox', { name: 'App' })
  await app.focus()
  await page.keyboard.type('visit')
  await page.getByRole('option', { name: 'Visit Notes' }).waitFor()
  await page.locator('.picker-item[data-highlighted]').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/appId=app_/)
  await rows.first().waitFor()
  const account = page.getByRole('combobox', { name: 'Practice or vendor' })
  await account.focus()
  await page.keyboard.type('no such account')
  await page.getByText('None has this name.').waitFor()
  await account.fill('hillside')
  await page.getByRole('option', { name: 'Hillside Clinic' }).waitFor()
  await page.locator('.picker-item[data-highlighted]').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`accountId=${other.id}`))
  await page.getByText('No launch matches').waitFor()
  await page.reload()
  await page.getByText('No launch matches').waitFor()
  await page.waitForFunction(
    () =>
      document.querySelectorAll<HTMLInputElement>('.picker input')[2]?.value === 'Hillside Clinic',
  )
  await button('Every account').click()
  await rows.first().waitFor()
  assert.ok(!page.url().includes('accountId'))
  assert.equal(await app.inputValue(), 'Visit Notes')
  await page.goto(`${fixture.base}${launchesOf(accountId)}?appId=app_unknown`)
  await page.getByText('No launch matches').waitFor()
})

test('narrows a vendor to one practice, among those of its launches only [V18]', async () => {
  const { page, accountId } = fixture
  await launching.ready()
  await fixture.api('POST', '/api/accounts', { name: 'Valley Clinic' })
  await fixture.signIn(developer, launchesOf(launching.vendorId))
  const practice = page.getByRole('combobox', { name: 'Practice' })
  await practice.focus()
  await page.keyboard.type('valley')
  await page.getByText('None has this name.').waitFor()
  await practice.fill('lakeside')
  await page.getByRole('option', { name: /^Lakeside Family Practice/ }).waitFor()
  // The field names the option that the arrow keys are on; it is drawn a moment after the list.
  await page.locator('.picker-item[data-highlighted]').waitFor()
  await assertNoViolations(page, 'the practices of a vendor')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`practiceId=${accountId}`))
  await page.locator('.launches tbody tr').first().waitFor()
  await page.goto(`${page.url().replace(accountId, 'acc_unknown')}`)
  await page.getByText('No launch matches').waitFor()
})

test('narrows a practice to one provider, which no vendor can [V18]', async () => {
  const { page, accountId } = fixture
  await launching.ready()
  await fixture.signIn(admin, launchesOf(accountId))
  const provider = page.getByRole('combobox', { name: 'Provider' })
  await provider.fill('pat')
  await page.getByRole('option', { name: /Pat Provider/ }).click()
  await page.waitForURL(/userId=usr_/)
  await page.locator('.launches tbody tr').first().waitFor()
  await page.reload()
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLInputElement>('.picker input')].some(
      ({ value }) => value === 'Pat Provider',
    ),
  )
  await assertNoViolations(page, 'the launches of one provider')
  await begin()
  await fixture.signIn(developer, launchesOf(launching.vendorId))
  await fixture.page.locator('.launches tbody tr').first().waitFor()
  assert.equal(await fixture.page.getByRole('combobox', { name: 'Provider' }).count(), 0)
})

test('leads from a launch to its provider: sign-ins, launches and what they saw', async () => {
  const { page, accountId } = fixture
  await launching.ready()
  await fixture.signIn(admin, launchesOf(accountId))
  await page.locator('.launches').getByRole('link', { name: 'Pat Provider' }).first().click()
  await fixture.heading('Pat Provider')
  const launches = page.getByRole('region', { name: 'Recent launches' })
  await launches.getByRole('row').filter({ hasText: 'Visit Notes' }).first().waitFor()
  const signIns = page.getByRole('region', { name: 'Last sign-ins' })
  await signIns.getByText('Pat Provider signed in with a password').first().waitFor()
  await assertNoViolations(page, 'the page of a provider')
  const own = page.url()
  await page.getByRole('link', { name: 'All of the last week' }).click()
  await page.waitForURL(/launches\?userId=usr_/)
  await page.goto(own)
  await page.getByRole('link', { name: 'What Pat Provider saw' }).click()
  await fixture.heading('What Pat Provider saw')
  await begin()
  const colleague = await fixture.addPerson('Cole Colleague', 'provider')
  await fixture.signIn(colleague, own.slice(fixture.base.length))
  await fixture.heading('Pat Provider')
  assert.equal(await fixture.page.getByRole('region').count(), 0, 'only for administrators')
})

test('finds launches around a time as a person says it, and keeps it in the address', async () => {
  const page = await begin({ timezoneId: 'America/New_York' })
  await launching.ready()
  await fixture.signIn(admin, launchesOf(fixture.accountId))
  const rows = page.locator('.launches tbody tr')
  const shown = await rows.first().getByRole('link').first().textContent()
  await page.locator('[data-page-title]').focus()
  await page.keyboard.press('t')
  const around = page.getByRole('searchbox', { name: /^Around/ })
  await assertFocus(page, around)
  await page.keyboard.type('this morning')
  await page.keyboard.press('Enter')
  await page.getByText(/^Write a time that has been/).waitFor()
  await assertNoViolations(page, 'a time that is none')
  await around.fill(shown ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL(/from=.*&to=/)
  await rows.first().waitFor()
  await assertNoViolations(page, 'launches around a time')
  await page.reload()
  await rows.first().waitFor()
  const from = page.getByLabel('From, local time')
  await page.getByLabel('Before, local time').fill(await from.inputValue())
  await page.getByText('No launch matches').waitFor()
  await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('day')
  await rows.first().waitFor()
  assert.doesNotMatch(page.url(), /from=|to=/)
})

test('shows times in UTC or in local time, and remembers which', async () => {
  const page = await begin({ timezoneId: 'America/New_York' })
  await launching.ready()
  await fixture.signIn(admin, launchesOf(fixture.accountId))
  const first = page.locator('.launches tbody tr').first()
  await first.getByText(/ E[SD]T$/).waitFor()
  await button('UTC').click()
  await first.getByText(/ UTC$/).waitFor()
  await page.reload()
  await first.getByText(/ UTC$/).waitFor()
  await button(/^Local \(E[SD]T\)$/).click()
  await first.getByText(/ E[SD]T$/).waitFor()
  await first.getByRole('link').first().click()
  await page.locator('.launch-facts time[title$=" UTC"]', { hasText: / E[SD]T$/ }).waitFor()
})

test('shows hostile names, details and addresses as text in every view [V11]', async () => {
  const { page } = fixture
  const hostile = await startLaunching(fixture, HOSTILE)
  const failed = await hostile.launch()
  const redirect = `https://evil.example/"><script>window.ran=1</script>/${'a'.repeat(900)}`
  await fetch(hostile.authorizeUrl(failed.launchId, redirect))
  const detail = `</pre><img src=x onerror=window.ran=1> ${'z'.repeat(400)}`
  const report = { step: 'handshake', outcome: 'failed', code: 'HANDSHAKE_TIMEOUT', detail }
  await hostile.report(failed.id, report)
  const silent = await hostile.launch()
  await hostile.report(silent.id, report)
  await hostile.ready()
  await fixture.signIn(ADMIN, '/console/platform/launches')
  const views = ['launches', `launches/${failed.id}`, `launches/${silent.id}`, 'sessions']
  for (const width of [1440, 420]) {
    await page.setViewportSize({ width, height: 900 })
    for (const view of views) {
      await page.goto(`${fixture.base}/console/platform/${view}`)
      await page
        .locator(view === 'sessions' ? 'table' : '.verdict')
        .first()
        .waitFor()
      const found = await page.evaluate(() => ({
        ran: (globalThis as { ran?: unknown }).ran,
        markup: document.querySelectorAll('img, svg[onload], [onerror], b, main script').length,
        links: [...document.querySelectorAll('main a')].filter(
          (link) => !(link as HTMLAnchorElement).href.startsWith(location.origin),
        ).length,
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }))
      const none = { ran: undefined, markup: 0, links: 0, overflow: 0 }
      assert.deepEqual(found, none, `${view} at ${width} px`)
    }
  }
  await button('End').first().click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth), 0)
  await page.goto(`${fixture.base}/console/platform/launches/${silent.id}`)
  await page.getByText(detail.slice(0, 30)).first().waitFor()
  await assertNoViolations(page, 'a launch with hostile texts')
})

test('stops an app of a vendor in the practice that runs it, and lets it run again', async () => {
  const { page, api, accountId } = fixture
  const { appId, vendorId } = launching
  // The collection is the vendor's: the practice owns nothing that runs in it.
  const collection = await api('POST', '/api/collections', {
    accountId: vendorId,
    name: 'For offices',
  })
  const ehrs = [{ ehrType: 'meadow', name: 'Meadow', matches: ['https://ehr.example/*'] }]
  const draft = { ehrs, apps: [{ appId, autoLaunch: false }] }
  await api('PATCH', `/api/collections/${collection.id}`, { draft })
  await api('POST', `/api/collections/${collection.id}/versions`, {})
  const choice = { collection: { id: collection.id, version: 'latest' } }
  await api('PATCH', `/api/accounts/${accountId}`, choice)
  const open = await launching.launch()
  await fixture.signIn(admin, `/console/${accountId}/launches`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('visit')
  await page.getByRole('option', { name: 'Stop Visit Notes here…' }).click()
  await page.getByRole('dialog', { name: /^Stop Visit Notes in/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/running$/)
  await page.goto(`${fixture.base}/console/${accountId}/apps`)
  await fixture.heading('No app of its own')
  await page.getByRole('main').getByRole('link', { name: 'What runs here' }).click()
  await page
    .getByText(/^“For offices” of Sample Apps, version 1\. .* follows the latest\.$/)
    .waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Visit Notes' })
  await row.getByText('An identifier, practice, EHR and device').waitFor()
  const stop = row.getByRole('button', { name: 'Stop here… Visit Notes' })
  await pressBy(page, stop)
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await assertNoViolations(page, 'the question before a stop')
  await dialog.getByLabel('Type Visit Notes to confirm').fill('Visit Notes')
  await pressBy(page, dialog.getByRole('button', { name: 'Stop it here' }))
  await dialog.getByText('Say why, so that it can be mended.').waitFor()
  await dialog.getByLabel('Reason').fill('Ticks gaps of <b>another</b> patient.')
  await pressBy(page, dialog.getByRole('button', { name: 'Stop it here' }))
  await row.getByText(/^By Ada Admin, .*: Ticks gaps of <b>another<\/b> patient\./).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await assertNoViolations(page, 'an app that is stopped here')
  assert.equal((await api('GET', `/api/launches/${open.id}`)).ended.reason, 'app_disabled')
  await pressBy(page, row.getByRole('button', { name: 'Let it run again Visit Notes' }))
  await stop.waitFor()
  await assertFocus(page, page.locator('[data-page-title]'))
  await launching.ready()
  const onEhr = `/api/apps/${appId}/stopped-ehrs/meadow`
  await api('PUT', onEhr, { reason: 'Opens the wrong tab.' })
  await page.setViewportSize({ width: 420, height: 900 })
  await page.reload()
  await page.getByText(/^Switched off by its vendor or the platform/).waitFor()
  assert.ok(((await stop.boundingBox())?.x ?? 0) + ((await stop.boundingBox())?.width ?? 0) < 420)
  await page.setViewportSize({ width: 1440, height: 900 })
  await api('DELETE', onEhr)
  await page.reload()
  // Asked first, the practice decides when the next version counts.
  await pressBy(page, button('Ask before a new version'))
  await page.getByText('A version after 1 waits here until you take it.').first().waitFor()
  await api('PATCH', `/api/collections/${collection.id}`, {
    draft: { ehrs: [{ ...ehrs[0], name: 'Meadow 2' }], apps: draft.apps },
  })
  await api('POST', `/api/collections/${collection.id}/versions`, {})
  await page.reload()
  await page.getByRole('heading', { name: 'Version 2 waits for you' }).waitFor()
  await page.getByText('Meadow is called Meadow 2').waitFor()
  await assertNoViolations(page, 'a version that waits')
  // Of two administrators the second one sees what the first one chose.
  await api('PATCH', `/api/accounts/${accountId}`, { collection: { version: 'latest' } })
  await pressBy(page, button('Take version 2'))
  await page.getByText('What runs here has changed meanwhile.').first().waitFor()
  await page.getByRole('heading', { name: 'Version 2', exact: true }).waitFor()
  await api('PATCH', `/api/accounts/${accountId}`, { collection: { version: 1 } })
  await page.reload()
  await pressBy(page, button('Take version 2'))
  await page.getByRole('heading', { name: 'Version 2', exact: true }).waitFor()
  await pressBy(page, button('Let new versions come by themselves'))
  await button('Ask before a new version').waitFor()
  assert.deepEqual((await api('GET', `/api/accounts/${accountId}`)).collection, choice.collection)
})

test('lists the steps of a practice, ticked by its records, and none of a vendor', async () => {
  const { page, api } = fixture
  const { id: accountId } = await api('POST', '/api/accounts', { name: 'Hilltop Practice' })
  const hal = await fixture.addPerson('Hal Hilltop', 'admin', accountId)
  const stepOf = (title: string) => page.getByRole('listitem').filter({ hasText: title })
  await fixture.signIn(hal, `/console/${accountId}`)
  await stepOf('Register an app').filter({ hasText: 'To do' }).waitFor()
  assert.equal(await stepOf('Open the first app').count(), 0)
  const { collection } = await api('GET', `/api/accounts/${fixture.accountId}`)
  await api('PATCH', `/api/accounts/${accountId}`, { collection })
  await page.reload()
  for (const title of ['Add a second administrator', 'Open the first app']) {
    await stepOf(title).filter({ hasText: 'To do' }).waitFor()
  }
  assert.equal(await stepOf('Register an app').count(), 0, 'a practice needs none')
  const install = stepOf('Install the browser extension')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await install.getByRole('button', { name: 'Copy the policy' }).click()
  await install.getByRole('button', { name: 'Copied' }).waitFor()
  const policy = await page.evaluate(() => navigator.clipboard.readText())
  assert.deepEqual(JSON.parse(policy), { service: fixture.base, accountId })
  await assertNoViolations(page, 'the steps of a practice')
  await launching.ready()
  await begin()
  await fixture.signIn(admin, `/console/${fixture.accountId}`)
  const done = fixture.page.getByRole('listitem').filter({ hasText: 'Open the first app' })
  await done.filter({ hasText: 'Done' }).waitFor()
})
