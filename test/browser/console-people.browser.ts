// People and settings in a real browser: an administrator invites, changes and removes members, a person
// manages how and where they are signed in, the platform disables a person everywhere. Forms are sent
// by keyboard, and axe-core finds nothing in any view. Contract §4.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { codeAt, readSecret } from '../../packages/server/test/authenticator.ts'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

let fixture: ConsoleFixture
before(async () => {
  fixture = await startConsole()
})
after(() => fixture?.stop())
beforeEach(async () => {
  await fixture.begin()
})
afterEach(() => fixture.assertPolicyKept())

const button = (name: string | RegExp) =>
  fixture.page.getByRole('button', { name, exact: typeof name === 'string' })
const row = (text: string) => fixture.page.getByRole('row').filter({ hasText: text })
const peopleAddress = () => `/console/${fixture.accountId}/people`

/** Chooses from the menu at the end of a row. */
async function choose(person: string, item: string): Promise<void> {
  await button(`Change ${person}`).click()
  await fixture.page.getByRole('menuitem', { name: item }).click()
}

test('invites by keyboard, and the link leads through a password into the console', async () => {
  const { page } = fixture
  await fixture.signIn(ADMIN, peopleAddress())
  await button('Invite a person').first().focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('E-mail address').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Enter an e-mail address.').waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'email')
  await page.keyboard.type('pat@lakeside.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Pat Provider')
  await page.getByLabel('End', { exact: true }).fill('2031-05-04T18:30')
  await page.keyboard.press('Enter')
  await page.getByText('This link is shown once.').waitFor()
  await assertNoViolations(page, 'a link that is shown once')
  const url = (await page.locator('.secret output').textContent()) ?? ''
  await button('Close without copying').click()
  await row('Pat Provider').getByText('Invited').waitFor()
  await row('Pat Provider').getByText(/Ends/).waitFor()

  await fixture.begin()
  await fixture.page.goto(url)
  await fixture.page.getByLabel('New password').fill('correct horse battery staple')
  await button('Set password').click()
  await fixture.page.getByRole('link', { name: 'Open the console' }).click()
  await fixture.page.getByLabel('E-mail address').fill('pat@lakeside.example')
  await fixture.page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await button('Sign in').click()
  await fixture.heading('Lakeside Family Practice')
  assert.equal(await button('Invite a person').count(), 0)
})

test('shows an administrator what members reported, and no other role', async () => {
  const provider = await fixture.addPerson('Rae Reporter', 'provider')
  const admin = await fixture.addPerson('Ada Min', 'admin')
  const overview = `/console/${fixture.accountId}`
  await fixture.signIn(admin, overview)
  const reports = () => fixture.page.getByRole('region', { name: 'Reported by your providers' })
  await reports().getByText('No report of the last 30 days.').waitFor()
  await fixture.begin()
  await fixture.signIn(provider, overview)
  const body = {
    message: 'The note shows <b>yesterday</b>.',
    traceId: '4bf92f3577b34da65f0c2d7e9b1a4c68',
  }
  const { accountId, page } = fixture
  const status = await page.evaluate(
    async ({ url, ...request }) => (await fetch(url, { ...request, method: 'POST' })).status,
    {
      url: `/api/accounts/${accountId}/problem-reports`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
  assert.equal(status, 201)
  assert.equal(await reports().count(), 0)
  await fixture.begin()
  await fixture.signIn(admin, overview)
  const item = reports().getByRole('listitem')
  await item.getByText(body.message, { exact: true }).waitFor()
  assert.match(
    (await item.textContent()) ?? '',
    /No app is named.*Rae Reporter.*4bf92f3577b34da65f0c2d7e9b1a4c68/,
  )
  await assertNoViolations(fixture.page, 'reported problems')
})

test('changes a role, refuses what the service refuses, and removes a member', async () => {
  await fixture.addPerson('Dana Developer', 'provider')
  await fixture.signIn(ADMIN, peopleAddress())
  await choose('Dana Developer', 'Change the role')
  await fixture.page.getByRole('radio', { name: /Developer/ }).check()
  await button('Change the role').click()
  await row('Dana Developer').getByText('Developer', { exact: true }).waitFor()
  await choose('Dana Developer', 'Remove from the account')
  await button('Remove').click()
  await row('Dana Developer').waitFor({ state: 'detached' })
})

test('disables a person everywhere after the typed name; their browser is out at once', async () => {
  const person = await fixture.addPerson('Quinn Quick', 'provider')
  await fixture.signIn(person, '/console/settings')
  const theirs = fixture.page
  const context = await fixture.browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  })
  fixture.page = await context.newPage()
  await fixture.signIn(ADMIN, '/console/platform/people')
  await choose('Quinn Quick', 'Disable everywhere')
  const confirm = button('Disable everywhere')
  assert.equal(await confirm.getAttribute('aria-disabled'), 'true')
  await fixture.page.getByLabel('Type Quinn Quick to confirm').fill('Quinn Quick')
  await confirm.click()
  await row('Quinn Quick').getByText('Disabled').waitFor()
  await theirs.reload()
  await theirs.waitForURL(/\/auth\/sign-in/)
  await theirs.context().close()
  // Then the person is removed, and what is left of the name is erased.
  const act = async (item: string, label: string, name: string) => {
    await choose(name, item)
    await assertNoViolations(fixture.page, item)
    await fixture.page.getByLabel(`Type ${name} to confirm`).fill(name)
    await button(label).click()
  }
  await act('Remove from the platform', 'Remove', 'Quinn Quick')
  await row('Quinn Quick').getByText('Removed').waitFor()
  await act('Erase name and address', 'Erase', 'Quinn Quick')
  await fixture.page.getByText('Name and address are erased.').first().waitFor()
  await row('Quinn Quick').waitFor({ state: 'detached' })
  await fixture.page.getByRole('row').filter({ hasText: 'Nothing is left' }).waitFor()
})

test('deletes an account, and erases its name and its people with it', async () => {
  const { id } = await fixture.api('POST', '/api/accounts', { name: 'Closing Practice' })
  await fixture.addPerson('Lee Leaving', 'provider', id)
  await fixture.signIn(ADMIN, `/console/${id}/account`)
  const { page } = fixture
  await button('Delete').click()
  await page.getByRole('checkbox', { name: /Erase names too/ }).check()
  await assertNoViolations(page, 'deleting an account')
  await page.getByLabel('Type Closing Practice to confirm').fill('Closing Practice')
  await button('Delete the account').click()
  await page.getByText('Closing Practice is deleted and erased.').first().waitFor()
  const { items } = await fixture.api('GET', '/api/users?q=lee.leaving')
  assert.deepEqual(items, [])
})

test('turns a second factor on and shows the recovery codes once', async () => {
  const person = await fixture.addPerson('Sam Second', 'provider')
  await fixture.signIn(person, '/console/settings/sign-in')
  const { page, service } = fixture
  await button('Set up').click()
  await page.locator('img.qr').waitFor()
  await assertNoViolations(page, 'setting up the second factor')
  const secret = ((await page.locator('.secret-text').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('The six digits that the app shows').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('Is not the current code.').waitFor()
  const code = codeAt(readSecret(secret), service.clock())
  await page.getByLabel('The six digits that the app shows').fill(code)
  await page.keyboard.press('Enter')
  await page.getByText('Keep these recovery codes.').waitFor()
  assert.equal(await page.locator('.codes li').count(), 10)
  await assertNoViolations(page, 'recovery codes')
  await button('I have kept them').click()
  await page.getByText('10 recovery codes are left.').waitFor()
})

test('adds a passkey from the settings, and signs in with it', async () => {
  const person = await fixture.addPerson('Kim Key', 'provider')
  const { page } = fixture
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await fixture.signIn(person, '/console/settings/sign-in')
  await row('Password').getByText('Your only way').waitFor()
  await button('Add a way to sign in').click()
  await button('Create a passkey').click()
  await page.getByRole('link', { name: 'Back to your settings' }).click()
  await row('Passkey').waitFor()
  // The sign-in page offers the passkey by itself, and this authenticator agrees at once.
  const answer = page.waitForResponse((one) => one.url().endsWith('/auth/sign-in/passkey'))
  await button(/Your menu/).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  assert.equal((await answer).status(), 303)
  await page.waitForURL(/\/console\/settings\/sign-in$/)
  await row('Passkey').getByRole('button', { name: 'Remove' }).click()
  await button('Remove it').click()
  await row('Passkey').waitFor({ state: 'detached' })
})

test('asks to sign in again before a way to sign in changes, in a new tab', async () => {
  const { page, service } = fixture
  await fixture.signIn(ADMIN, '/console/settings/sign-in')
  service.clock.advance(11 * 60)
  await button('Add a way to sign in').click()
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    button('Sign in again in a new tab').click(),
  ])
  await tab.getByLabel('E-mail address').waitFor()
  assert.match(tab.url(), /return_to=%2Fconsole%2Fsettings%2Fsign-in&again=1/)
})

test('shows where one is signed in, and ends one of these', async () => {
  const { page, base } = fixture
  await fixture.signIn(ADMIN, '/console/settings/sessions')
  await row('This browser').waitFor()
  const before = await page.getByRole('row').count()
  await fetch(`${base}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'nightly-report/1.0' },
    body: JSON.stringify(ADMIN),
  })
  await page.reload()
  await row('nightly-report/1.0').getByRole('button', { name: 'Sign out' }).click()
  await row('nightly-report/1.0').waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('row').count(), before)
  await assertNoViolations(page, 'where one is signed in')
})

test('warns two minutes before the idle end; Stay keeps, doing nothing leads out [P04]', async () => {
  const { page, service } = fixture
  await page.clock.install()
  await fixture.signIn(ADMIN, '/console/settings')
  // The page has asked when its sign-in ends; an answer after the jump would be counted from there.
  await page.waitForLoadState('networkidle')
  const idle = service.service.config.sessionIdleSeconds
  const strip = page.getByText(/^You will be signed out in/)
  service.clock.advance(idle - 90)
  await page.clock.fastForward((idle - 90) * 1000)
  await strip.waitFor()
  assert.match((await strip.textContent()) ?? '', /in 1:(2\d|30)$/)
  await assertNoViolations(page, 'the warning before the end')
  await button('Stay').click()
  await strip.waitFor({ state: 'detached' })
  service.clock.advance(idle)
  await page.getByRole('link', { name: 'How you sign in' }).click()
  await page.getByLabel('E-mail address').waitFor()
  assert.match(page.url(), /return_to=%2Fconsole%2Fsettings%2Fsign-in/)
})

test('asks which version counts when an account was changed meanwhile', async () => {
  const { page, accountId } = fixture
  await fixture.signIn(ADMIN, `/console/${accountId}/account`)
  await page.getByLabel('Name', { exact: true }).fill('Lakeside Family Care')
  await fixture.api('PATCH', `/api/accounts/${accountId}`, { name: 'Lakeside Practice' })
  await button('Save').click()
  await page.getByText('This was changed while you worked on it').waitFor()
  await assertNoViolations(page, 'a conflict')
  await button('Keep mine').click()
  await page.getByText('The account is saved.').waitFor()
  assert.equal(
    (await fixture.api('GET', `/api/accounts/${accountId}`)).name,
    'Lakeside Family Care',
  )
  await fixture.api('PATCH', `/api/accounts/${accountId}`, { name: 'Lakeside Family Practice' })
})

test('registers the provider of a practice, and explains what is wrong with it', async () => {
  const { page, accountId } = fixture
  await fixture.signIn(ADMIN, `/console/${accountId}/account`)
  await page.getByLabel('Short name').fill('lakeside')
  await button('Save').click()
  await page.getByText('and type lakeside').waitFor()
  await button('Add a provider').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Lakeside Entra ID')
  await dialog.getByLabel('Issuer').fill('http://login.lakeside.example')
  await dialog.getByLabel('Client ID').fill('0f6a2c1e-7d7b')
  await dialog.getByLabel('Client secret').fill('a secret that is typed once')
  await assertNoViolations(page, 'a new provider')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByText('must be https').waitFor()
  await dialog.getByLabel('Issuer').fill('https://login.lakeside.example')
  await dialog.getByRole('button', { name: 'Add' }).click()
  const card = page.getByRole('region', { name: 'Lakeside Entra ID' })
  await card.getByText(/auth\/callback\/idp_/).waitFor()
  await card.getByRole('button', { name: 'Test' }).click()
  await card.getByText('Will not work').waitFor()
  await card.getByText(/no public address/).waitFor()
  assert.doesNotMatch(await page.content(), /typed once/)
  await assertNoViolations(page, 'a provider with a problem')
  await card.getByRole('button', { name: 'Require it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Require it' }).click()
  await card.getByText('Required', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click()
  await page.getByText('No provider yet').waitFor()
})

test('finds a member by part of the name, and keeps the search in the address', async () => {
  const { page } = fixture
  for (const name of ['Zora Quill', 'Wade Other']) await fixture.addPerson(name, 'provider')
  await fixture.signIn(ADMIN, peopleAddress())
  await row('Zora Quill').waitFor()
  await page.getByLabel('Find a person').fill('quill')
  await page.waitForURL(/find=quill/)
  await row('Zora Quill').waitFor()
  assert.equal(await page.locator('tbody tr').count(), 1)
  await page.getByLabel('Find a person').fill('no one of this name')
  await page.getByText('No person matches').waitFor()
  await assertNoViolations(page, 'a search without a match')
  await page.reload()
  await page.getByText('No person matches').waitFor()
  // As the palette leads here; and only the reader's own row says so.
  await page.goto(`${fixture.base}${peopleAddress()}?email=quill`)
  await row('Zora Quill').waitFor()
  assert.equal(await page.locator('tbody tr').count(), 1)
  assert.equal(await page.getByText('(you)').count(), 0)
})

test('changes a person on their page, which the page of the platform leads to', async () => {
  const { page, accountId } = fixture
  const { email } = await fixture.addPerson('Paige Person', 'provider')
  await fixture.signIn(ADMIN, `${peopleAddress()}?find=paige`)
  await row('Paige Person').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await fixture.heading('Paige Person')
  const facts = page.locator('.facts').first()
  assert.match(await facts.innerText(), new RegExp(`${email}[^]*Provider[^]*Member`))
  await page.getByText('Paige Person has opened no app beside a chart.').waitFor()
  await assertNoViolations(page, 'a person')
  await choose('Paige Person', 'Change the role')
  await page.getByRole('radio', { name: /Viewer/ }).check()
  await button('Change the role').click()
  await facts.getByText('Viewer').waitFor()
  const ownPage = page.url()
  await page.goto(ownPage.replace(accountId, 'platform'))
  await row('Lakeside Family Practice').getByText('Viewer').waitFor()
  await assertNoViolations(page, 'a person of the platform')
  await page.getByRole('link', { name: 'Lakeside Family Practice' }).click()
  await page.waitForURL(ownPage)
  await choose('Paige Person', 'Remove from the account')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.waitForURL(/\/people$/)
  await page.goto(ownPage)
  await fixture.heading('Not found')
})

test('finds apps and people of the whole platform by part of the name; J and K move', async () => {
  const { page, base, api, accountId } = fixture
  await fixture.addPerson('Yara Quince', 'provider')
  for (const name of ['Care Gaps', 'Growth Chart'])
    await api('POST', '/api/apps', { accountId, name })
  await fixture.signIn(ADMIN, '/console/platform/apps')
  await row('Care Gaps').waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  const names = await page.locator('tbody th a').allTextContents()
  for (const [key, at] of [
    ['j', 0],
    ['j', 1],
    ['k', 0],
  ] as const) {
    await page.keyboard.press(key)
    assert.equal(await focused(), names[at], key)
  }
  await page.getByLabel('Find an app').fill('growth')
  await row('Care Gaps').waitFor({ state: 'detached' })
  await row('Growth Chart').waitFor()
  await page.goto(`${base}/console/platform/people`)
  await page.getByLabel('Find a person').fill('quince@lake')
  await page.waitForURL(/find=quince/)
  await row('Yara Quince').waitFor()
  assert.equal(await page.locator('tbody tr').count(), 1)
})

test('shows no page of an account to a person who is not its member [U01]', async () => {
  const { page } = fixture
  const other = await fixture.api('POST', '/api/accounts', { name: 'Northgate Cardiology' })
  const person = await fixture.addPerson('Una Unknown', 'provider')
  await fixture.signIn(person, '/console/settings')
  await page.goto(`${fixture.base}/console/${other.id}/people`)
  await fixture.heading('Not found')
  await page.goto(`${fixture.base}/console/platform/people`)
  await fixture.heading('Not found')
})

test('finds nothing against accessibility on overview, people, accounts, collections', async () => {
  const { page, accountId } = fixture
  await fixture.signIn(ADMIN, peopleAddress())
  const own = ['people', 'account', 'collections'].map((page) => `${accountId}/${page}`)
  for (const path of [...own, 'platform', 'platform/people', 'platform/accounts']) {
    await page.goto(`${fixture.base}/console/${path}`)
    await page.locator('main .card').first().waitFor()
    await assertNoViolations(page, path)
  }
})

test('keeps what was typed when a change takes a recent sign-in, and asks once [V21]', async () => {
  const { page } = fixture
  await fixture.signIn(ADMIN, peopleAddress())
  fixture.service.clock.advance(11 * 60)
  const invite = async (email: string, name: string) => {
    await button('Invite a person').first().click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('radio', { name: /Administrator/ }).check()
    await button('Make the link').click()
  }
  await invite('ada@lakeside.example', 'Ada Typed')
  await page.getByText('What you typed stays here.').waitFor()
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    button('Sign in again in a new tab').click(),
  ])
  await tab.getByLabel('E-mail address').fill(ADMIN.email)
  await tab.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  await tab.locator('[data-page-title]').waitFor()
  await tab.close()
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Ada Typed')
  await button('Make the link').click()
  await button('Close without copying').click()
  await row('Ada Typed').waitFor()
  fixture.service.clock.advance(8 * 60)
  await invite('eve@lakeside.example', 'Eve Second')
  await button('Close without copying').click()
  await row('Eve Second').waitFor()
})

test('changes, bounds and removes many people at once; by checkbox and keyboard', async () => {
  const { page } = fixture
  for (const name of ['Many Ann', 'Many Ben', 'Many Cid']) await fixture.addPerson(name, 'provider')
  await fixture.signIn(ADMIN, `${peopleAddress()}?find=Many`)
  for (const name of ['Many Ann', 'Many Ben']) {
    await page.getByLabel(`Choose ${name}`).focus()
    await page.keyboard.press('Space')
  }
  const chosen = page.getByRole('region', { name: 'Chosen people' })
  await chosen.getByText('2 people chosen').waitFor()
  await assertNoViolations(page, 'chosen people')
  await chosen.getByRole('button', { name: 'Change the role' }).click()
  await page.getByRole('radio', { name: /Developer/ }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Change the role' }).click()
  await row('Many Ann').getByText('Developer', { exact: true }).waitFor()
  await chosen.waitFor({ state: 'detached' })
  await page.getByLabel('Choose Many Ben').check()
  await chosen.getByRole('button', { name: 'Set an end' }).click()
  await page.getByLabel('End', { exact: true }).fill('2031-05-04T18:30')
  await page.keyboard.press('Enter')
  await row('Many Ben').getByText(/Ends/).waitFor()
  for (const name of ['Many Ann', 'Many Cid']) await page.getByLabel(`Choose ${name}`).check()
  await chosen.getByRole('button', { name: 'Remove' }).click()
  await button('Remove them').click()
  await row('Many Ann').waitFor({ state: 'detached' })
  assert.equal(await row('Many Ben').count(), 1)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export as CSV' }).click()
  assert.match((await download).suggestedFilename(), /^people-acc.*\.csv$/)
})
