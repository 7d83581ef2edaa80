// The console in a real browser on the real service: sign-in by cookie and back to the same address,
// the policy, the size of what a first visit loads, and what every view of a page must keep.
// Contract §4.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { sql } from '../../packages/server/src/db/sql.ts'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { assertNoViolations } from './accessibility.ts'
import { COOKIE_NAME, type ConsoleFixture, type Json, startConsole } from './console-fixture.ts'

let fixture: ConsoleFixture
before(async () => {
  fixture = await startConsole()
})
after(() => fixture?.stop())
beforeEach(async () => {
  await fixture.begin()
})
afterEach(() => fixture.assertPolicyKept())

test('leads from / to sign-in, and on to the address that was asked for [U06]', async () => {
  const { page, base } = fixture
  await page.goto(base)
  await page.getByLabel('E-mail address').waitFor()
  assert.match(page.url(), /\/auth\/sign-in\?return_to=%2Fconsole$/)
  await fixture.signInByPage(undefined, '/console/settings?from=mail')
  assert.equal(page.url(), `${base}/console/settings?from=mail`)
  await fixture.heading('Settings')
  // Another name of the same server: the session cookie would not count there.
  await page.goto(`${base.replace('localhost', '127.0.0.1')}/console/settings`)
  await page.waitForURL(`${base}/console/settings`)
  await fixture.heading('Settings')
})

test('holds the session in a cookie that no script reads [H04]', async () => {
  const { page } = fixture
  await fixture.signInByPage()
  const cookies = await page.context().cookies()
  const cookie = cookies.find(({ name }) => COOKIE_NAME.test(name))
  assert.ok(cookie)
  const { httpOnly, sameSite, path, expires } = cookie
  assert.deepEqual(
    { httpOnly, sameSite, path, expires },
    { httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 },
  )
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  )
  assert.ok(!kept.includes('st_'), kept)
})

test('loads at most 60 KB for the first page, compressed and immutable', async () => {
  const { page } = fixture
  await fixture.signIn()
  // A new profile has nothing cached.
  const cookies = await page.context().cookies()
  await fixture.begin()
  await fixture.page.context().addCookies(cookies)
  const fresh: Promise<number>[] = []
  fixture.page.on('requestfinished', (request) => {
    if (request.url().includes('/console')) {
      fresh.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    }
  })
  await fixture.page.goto(`${fixture.base}/console`)
  await fixture.page.locator('.health-sentence').waitFor()
  await fixture.page.waitForLoadState('networkidle')
  const total = (await Promise.all(fresh)).reduce((sum, size) => sum + size, 0)
  assert.ok(fresh.length >= 3, `${fresh.length} files`)
  assert.ok(total > 10_000 && total <= 60 * 1024, `${total} bytes`)
  console.log(`first load: ${(total / 1024).toFixed(1)} KB in ${fresh.length} files`)
})

test('finds nothing against accessibility in any view of the settings', async () => {
  await fixture.signIn(undefined, '/console/settings')
  await fixture.page.getByLabel('Name', { exact: true }).waitFor()
  await assertNoViolations(fixture.page, 'settings')
})

test('says of a list that a role leaves empty what it hides and whom to ask', async () => {
  const { base, accountId } = fixture
  for (const role of ['provider', 'developer'] as const) {
    const page = await fixture.begin()
    await fixture.signIn(await fixture.addPerson(`Mei ${role}`, role), `/console/${accountId}`)
    const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
    for (const name of ['Apps', 'What runs where']) {
      assert.equal((await links.allTextContents()).includes(name), role === 'developer', role)
    }
    for (const list of ['launches', 'sessions']) {
      await page.goto(`${base}/console/${accountId}/${list}`)
      await page.getByText(/Those of others only administrators see\. Ask .* about them/).waitFor()
      assert.doesNotMatch((await page.getByRole('main').textContent()) ?? '', / yet|npm/)
    }
  }
})

test('finds apps, people and accounts by name in the palette, by role', async () => {
  const { base, accountId } = fixture
  const person = await fixture.addPerson('Dr. Quentin Marlow', 'provider')
  const fields = { name: 'Marlow Charts', launchUrl: 'https://charts.example/launch' }
  const app = await fixture.api('POST', '/api/apps', { accountId, ...fields })
  const { id: elsewhere } = await fixture.api('POST', '/api/accounts', { name: 'Marlow Clinic' })
  const foreign = { accountId: elsewhere, ...fields, name: 'Marlow Foreign' }
  await fixture.api('POST', '/api/apps', foreign)
  const search = async (text: string) => {
    await fixture.page.keyboard.press('Control+k')
    const field = fixture.page.getByRole('combobox', { name: /^Trace id/ })
    await field.fill(text)
    return field
  }
  const found = async () => {
    await fixture.page.getByRole('option', { name: /^Marlow Charts/ }).waitFor()
    const options = fixture.page.getByRole('dialog').getByRole('option')
    return (await options.allTextContents()).toSorted()
  }
  await fixture.signIn()
  await search('marlow')
  assert.deepEqual(await found(), [
    'Dr. Quentin MarlowPerson',
    'Marlow ChartsApp',
    'Marlow ClinicAccount',
    'Marlow ForeignApp',
    'New secret for Marlow Charts…Command',
    'New secret for Marlow Foreign…Command',
    'Switch off Marlow Charts…Command',
    'Switch off Marlow Foreign…Command',
  ])
  let { page } = fixture
  await assertNoViolations(page, 'a palette with names')
  await page.getByRole('option', { name: /Quentin/ }).click()
  await page.waitForURL(`${base}/console/platform/people/usr_*`)
  await page.getByText(person.email).waitFor()

  page = await fixture.begin()
  const dana = await fixture.addPerson('Dana Reyes', 'developer')
  await fixture.signIn(dana, `/console/${accountId}/launches`)
  await fixture.heading('Launches')
  await search('marlow')
  assert.deepEqual(await found(), [
    'Dr. Quentin MarlowPerson',
    'Marlow ChartsApp',
    'New secret for Marlow Charts…Command',
    'Switch off Marlow Charts…Command',
  ])
  await page.getByRole('option', { name: /^Marlow Charts/ }).click()
  await page.waitForURL(`${base}/console/${accountId}/apps/${app.id}`)
  await fixture.heading('Marlow Charts')
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await search('lnch_0123456789')
  await page.getByText('Nothing that you may see has this name.').waitFor()
  assert.deepEqual(
    sent.filter((url) => url.includes('lnch_')),
    [],
    'a bearer value is in no address',
  )
  await page.keyboard.press('Escape')
})

test('leads from a command of the palette to the open dialog or the field', async () => {
  const { page, base, accountId } = fixture
  await fixture.signIn(ADMIN, `/console/${accountId}/people`)
  const run = async (text: string, name: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Trace id/ }).fill(text)
    await page.getByRole('option', { name }).waitFor()
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /^Invite a person…/ }).waitFor()
  await assertNoViolations(page, 'the commands of the palette')
  await page.keyboard.press('Escape')
  // From the page itself, too.
  await run('invite', 'Invite a person…')
  const dialog = page.getByRole('dialog', { name: /^Invite/ })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL(`${base}/console/${accountId}/people`)
  await run('trace', 'Find a launch by trace id…')
  await page.waitForURL(/launches\?do=find$/)
  await page.locator('input[name=find]:focus').waitFor()
  await page.goto(`${base}/console/platform`)
  await page.locator('[data-page-title]').waitFor()
  await run('new account', 'New account…')
  await page.getByRole('dialog', { name: 'New account' }).waitFor()

  const app = { accountId, name: 'Ledger Notes', launchUrl: 'https://ledger.example/launch' }
  const { id } = await fixture.api('POST', '/api/apps', app)
  const ehr = { ehrType: 'meadow', name: 'Meadow EHR', matches: ['https://ehr.example/*'] }
  const draft = { ehrs: [ehr], apps: [{ appId: id, autoLaunch: true }] }
  await fixture.api('POST', '/api/collections', { accountId, name: 'Ledger set', draft })
  await page.goto(`${base}/console/${accountId}`)
  await page.locator('[data-page-title]').waitFor()
  await run('publish ledger', 'Publish Ledger set…')
  await page.getByRole('dialog', { name: 'Publish version 1?' }).waitFor()
  await page.keyboard.press('Escape')
  await run('new secret ledger', 'New secret for Ledger Notes…')
  await page.getByRole('dialog', { name: 'New client secret' }).waitFor()
})

test('finds by palette: keys, an e-mail address, a page, and what matches nothing', async () => {
  const { page, base } = fixture
  const person = await fixture.addPerson('Dr. Amara Okafor', 'provider')
  await fixture.signIn()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /^Trace id/ })
  await field.fill(person.email)
  await page.getByRole('option', { name: `Person ${person.email}` }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/console/platform/people/usr_*`)
  await fixture.heading('Dr. Amara Okafor')

  const { accountId } = fixture
  const fields = { name: 'Visit Notes', launchUrl: 'https://notes.example/launch' }
  const app = await fixture.api('POST', '/api/apps', { accountId, ...fields })
  await page.keyboard.press('/')
  await field.fill(app.clientId)
  await page.getByRole('option', { name: `App with client_id ${app.clientId}` }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/console/${accountId}/apps/${app.id}`)
  await page.getByRole('heading', { name: 'Visit Notes' }).first().waitFor()
  await page.keyboard.press('/')
  const unknown = 'cli_00000000000000000000000000000000'
  await field.fill(unknown)
  await page.getByRole('option', { name: `App with client_id ${unknown}` }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Nothing that you may see matches.').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await field.fill('every account')
  await page.getByRole('option', { name: /^Platform/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await fixture.heading('Platform')
  await page.keyboard.press('/')
  await field.fill('no such thing')
  await page.getByText('Nothing that you may see has this name.').waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
})

test('goes by keys: G and a key, ? for help, none in fields, none when switched off', async () => {
  const { page } = fixture
  await fixture.signIn(undefined, '/console/platform')
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await fixture.heading('People')
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1')
  await page.setViewportSize({ width: 1280, height: 600 })
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  await help.waitFor()
  assert.equal(await help.evaluate((one) => one.scrollTop), 0, 'read from its beginning')
  await assertNoViolations(page, 'help')
  await help.getByRole('checkbox').uncheck()
  await help.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.keyboard.press('?')
  assert.equal(await help.count(), 0)
  await fixture.heading('People')
})

test('chooses among very many accounts by a search, by keyboard', async () => {
  const { api, service } = fixture
  const rows = Array.from(
    { length: 120 },
    (_, n) => `('acc_00many${1000 + n}', 'Clinic ${n}', 0, 0)`,
  )
  const insert = `INSERT INTO accounts (id, name, created_at, updated_at) VALUES ${rows.join(', ')}`
  await service.service.db.write({ sql: insert, args: [] })
  const { id } = await api('POST', '/api/accounts', { name: 'Zebra Clinic' })
  const page = await fixture.begin()
  await fixture.signIn(ADMIN, '/console/platform/people')
  await page.getByRole('button', { name: /Choose an account/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose an account' })
  await dialog.getByText('The first 30; type more of the name.').waitFor()
  await assertNoViolations(page, 'the choice of an account')
  await dialog.getByLabel('Name', { exact: true }).fill('zebra')
  await dialog.getByText('1 found').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/console/${id}/people`))
  await page.getByRole('button', { name: /Zebra Clinic/ }).waitFor()
  assert.equal(await dialog.count(), 0)
  await service.service.db.write({
    sql: "DELETE FROM accounts WHERE id LIKE 'acc_00many%'",
    args: [],
  })
})

test('says what is wrong: offline, a busy service, no such page, and recovers', async () => {
  const { page, base, accountId } = fixture
  await fixture.signIn(undefined, `/console/${accountId}/people`)
  await page.context().setOffline(true)
  await page.getByText('You are offline').waitFor()
  await page.getByRole('link', { name: 'Account' }).click()
  await fixture.heading('No connection')
  await assertNoViolations(page, 'offline')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Name', { exact: true }).waitFor()
  await page.getByText('You are offline').waitFor({ state: 'detached' })

  const busy = { code: 'temporarily_unavailable', title: 'The service cannot reach its storage' }
  await page.route('**/members?*', (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '3' }, json: busy }),
  )
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('heading', { name: 'The service is busy' }).waitFor()
  await page.getByText('Try again in 3 s.').waitFor()
  await assertNoViolations(page, 'busy')
  await page.unroute('**/members?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'The service is busy' }).waitFor({ state: 'detached' })
  await page.goto(`${base}/console/platform/nothing`)
  await fixture.heading('Not found')
})

test('names whom to ask when the role does not allow a page, or no longer a form [U01]', async () => {
  const { page, base, accountId, api } = fixture
  await fixture.addPerson('Ada Admin', 'admin')
  const person = await fixture.addPerson('Dana Developer', 'developer')
  await fixture.signIn(person, `/console/${accountId}`)
  await page.goto(`${base}/console/${accountId}/audit`)
  await fixture.heading('Your role does not allow this')
  await page
    .getByText(/^Audit of Lakeside.* is for administrators\. Your role there: Developer/)
    .waitFor()
  const asked = page.getByText('Ask Ada Admin (ada.admin@lakeside.example) to do it')
  await asked.waitFor()
  await assertNoViolations(page, 'a page of another role')
  // The service refuses what the page still offers: a form, and a search.
  const members = await api('GET', `/api/accounts/${accountId}/members?role=developer`)
  const { id } = members.items.find(({ name }: Json) => name === 'Dana Developer')
  const setRole = (role: string) =>
    api('PATCH', `/api/accounts/${accountId}/members/${id}`, { role })
  await setRole('admin')
  await page.goto(`${base}/console/${accountId}/audit`)
  await page.locator('tbody tr').first().waitFor()
  await setRole('provider')
  const answer = page.waitForResponse(/audit-events/)
  await page.getByLabel('Record, person, launch or action').fill('patchAccount')
  await page.keyboard.press('Enter')
  assert.equal((await answer).status(), 403)
  await page.getByText('This is for an administrator of the account.').waitFor()
  await asked.waitFor()
  await page.getByText('For support', { exact: true }).press('Enter')
  await page.getByText('not_allowed', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Account', exact: true }).press('Enter')
  await page.getByLabel('Name', { exact: true }).fill('Theirs')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByRole('alert').getByText('Ask Ada Admin').waitFor()
  await assertNoViolations(page, 'a refused form')
})

const CORPUS = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  'javascript:alert(1)',
  `${'W'.repeat(200)}`,
  'abc\u202etxt.exe \u2066\u2067',
  'a\u0301\u0302\u0303\u0304\u0305'.repeat(20),
]

test('shows what others wrote as text: nothing runs, nothing breaks the layout [H01]', async () => {
  const { page, base, accountId } = fixture
  await fixture.signIn()
  page.on('dialog', () => assert.fail('a script ran'))
  for (const [at, name] of CORPUS.entries()) {
    // The API refuses some of these by now; an earlier version has stored them.
    const shown = { name: `Name ${at}` }
    const { id } = await fixture.api('POST', '/api/accounts', shown)
    const member = { ...shown, email: `x${at}@lakeside.example`, role: 'admin' }
    await fixture.api('POST', `/api/accounts/${accountId}/members`, member)
    await fixture.service.service.db.write(
      sql`UPDATE accounts SET name = ${name} WHERE id = ${id}`,
      sql`UPDATE members SET invited_name = ${name} WHERE invited_name = ${shown.name}`,
    )
  }
  const paths = ['platform/accounts', 'platform/people', `${accountId}/people`, 'settings/sessions']
  for (const width of [1440, 420]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of paths) {
      await page.goto(`${base}/console/${path}`)
      await page.locator('main tbody tr').first().waitFor()
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(wide <= width, `${path} is ${wide} wide at ${width}`)
      assert.equal(await page.locator('main img[src="x"], main script').count(), 0)
    }
  }
})
