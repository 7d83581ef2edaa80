// Apps and what runs where in the console: an app is registered, gets its secret, is checked and switched
// off; a collection is made, published, run by a practice and taken back. By keyboard where it counts.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { ADMIN, HOST_ORIGIN } from '../../packages/server/test/test-service.ts'
import { assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, type Credentials, startConsole } from './console-fixture.ts'
import { assertFocus, pressBy, tabTo } from './keyboard.ts'

let fixture: ConsoleFixture
let developer: Credentials
let admin: Credentials
let pages: Server
/** The app's own pages, which refuse to be framed. */
let appOrigin: string
before(async () => {
  fixture = await startConsole({ CHARTSIDE_ENVIRONMENT: 'development' })
  developer = await fixture.addPerson('Dev Loper', 'developer')
  admin = await fixture.addPerson('Pat Admin', 'admin')
  pages = createServer((_request, response) => {
    response.setHeader('x-frame-options', 'DENY')
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Notes</title>')
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  appOrigin = `http://localhost:${(pages.address() as AddressInfo).port}`
})
after(async () => {
  pages.close()
  await fixture?.stop()
})
beforeEach(async () => {
  await fixture.begin()
})
afterEach(() => fixture.assertPolicyKept())

const button = (name: string | RegExp) =>
  fixture.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const field = (label: string) => fixture.page.getByLabel(label, { exact: true })
/** Finds a record by its name and chooses it. */
async function pick(label: string, name: string): Promise<void> {
  await fixture.page.getByRole('combobox', { name: label }).fill(name)
  await fixture.page.getByRole('option', { name }).click()
}
const appsOf = async () =>
  (await fixture.api('GET', `/api/apps?accountId=${fixture.accountId}`)).items

async function register(name: string): Promise<string> {
  const app = await fixture.api('POST', '/api/apps', {
    accountId: fixture.accountId,
    name,
    launchUrl: `${appOrigin}/launch`,
    redirectUris: [`${appOrigin}/callback`],
  })
  return app.id
}

test('registers an app by a form that asks for what its option needs', async () => {
  const { page } = fixture
  await fixture.signIn(developer, `/console/${fixture.accountId}/apps`)
  await page.getByText('No apps yet').waitFor()
  await assertNoViolations(page, 'no apps')
  await page.getByRole('link', { name: 'Register an app' }).first().click()
  await button('Register').click()
  const name = field('Name')
  assert.equal(await name.getAttribute('aria-invalid'), 'true')
  assert.ok(await name.evaluate((element) => element === document.activeElement), 'has the focus')
  await assertNoViolations(page, 'registration with mistakes')
  assert.equal(await field('Token endpoint').count(), 0)
  await page.getByLabel(/^Option 2/).check()
  await name.fill('Visit Notes')
  await field('Launch URL').fill('http://notes.example/launch')
  await field('Redirect URIs').fill('https://notes.example/callback\nhttps://notes.example/second')
  await field('Token endpoint').fill('https://notes.example/token')
  await button('Register').click()
  await page.getByText(/This URL .*https/).waitFor()
  assert.equal(await field('Launch URL').getAttribute('aria-invalid'), 'true')
  await field('Launch URL').fill('https://notes.example/launch')
  await page.keyboard.press('Enter')
  await fixture.heading('Visit Notes')
  const [app] = await appsOf()
  assert.equal(app.exchange, 'token_endpoint')
  assert.deepEqual(app.redirectUris, [
    'https://notes.example/callback',
    'https://notes.example/second',
  ])
})

test('shows a secret once, asks before the page is left, retires it; by keyboard', async () => {
  const { page } = fixture
  const id = await register('Secret Keeper')
  await fixture.signIn(developer, `/console/${fixture.accountId}/apps/${id}`)
  await page.getByText('No secret yet').waitFor()
  await pressBy(page, button('New secret'))
  await assertFocus(page, field('Label'))
  await page.keyboard.type('Production')
  await page.keyboard.press('Enter')
  const secret = await page.locator('output', { hasText: /^cs_/ }).textContent()
  assert.ok(secret)
  let asked = ''
  page.once('dialog', (dialog) => {
    asked = dialog.message()
    void dialog.dismiss()
  })
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link').first().click()
  assert.match(asked, /Leave this page/)
  await fixture.heading('Secret Keeper')
  await assertNoViolations(page, 'a secret that is shown once')
  await pressBy(page, button('I have stored it'))
  assert.equal(await page.getByText(secret).count(), 0)
  await page.reload()
  await page.getByRole('cell', { name: 'never' }).first().waitFor()
  assert.equal(await page.getByText(secret).count(), 0)
  const retire = button('Retire Production')
  await pressBy(page, retire)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await assertFocus(page, retire)
  await page.keyboard.press('Enter')
  await pressBy(page, button('Retire it in 24 hours'), 'Space')
  await page.getByRole('cell', { name: /Retires$/ }).waitFor()
  await assertNoViolations(page, 'a secret that retires')
  await pressBy(page, button('Keep it Production'))
  await page.getByRole('cell', { name: /Retires$/ }).waitFor({ state: 'detached' })
  await pressBy(page, retire)
  await pressBy(page, page.getByRole('checkbox', { name: /^Now/ }), 'Space')
  await pressBy(page, button('Retire it now'), 'Space')
  await page.getByText('No secret yet').waitFor()
  await assertFocus(page, page.locator('[data-page-title]'))
})

test('copies the settings of an app’s server as one .env block, without a secret', async () => {
  const { page } = fixture
  const id = await register('Settings Reader')
  await fixture.signIn(developer, `/console/${fixture.accountId}/apps/${id}`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copy = page.getByRole('button', { name: 'Copy the settings' })
  await copy.waitFor()
  await assertNoViolations(page, 'the settings of a server')
  await pressBy(page, copy)
  await button('Copied').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const { clientId } = await fixture.api('GET', `/api/apps/${id}`)
  const { base } = fixture
  assert.equal(
    copied,
    [
      '# Of the service, for a library that asks:',
      `# issuer ${base}/app-auth`,
      `# SDK    ${base}/sdk/v1/sdk.js`,
      `CLIENT_ID=${clientId}`,
      'CLIENT_SECRET=',
      `PUBLIC_URL=${appOrigin}`,
      `CHARTSIDE_BASE_URL=${base}`,
      `FRAME_ANCESTORS=${HOST_ORIGIN}`,
    ].join('\n'),
  )
  const shown = page.getByRole('region', { name: '.env' }).locator('pre')
  assert.equal(await shown.textContent(), copied)
  await fixture.api('POST', `/api/apps/${id}/secrets`, {})
  await page.reload()
  assert.equal(await shown.textContent(), copied, 'a secret that exists is not in it')
})

test('names what keeps a page out of the panel', async () => {
  const { page } = fixture
  const id = await register('Framed')
  await fixture.signIn(developer, `/console/${fixture.accountId}/apps/${id}`)
  await button('Check the pages').click()
  const launch = page.getByRole('region', { name: `${appOrigin}/launch` })
  await launch.getByText('Will not work').waitFor()
  await launch
    .getByText(/X-Frame-Options/)
    .first()
    .waitFor()
  await assertNoViolations(page, 'a pre-flight')
})

test('changes an app, and asks which version counts when another was faster', async () => {
  const { page } = fixture
  const id = await register('Old Name')
  await fixture.signIn(developer, `/console/${fixture.accountId}/apps/${id}`)
  await field('Name').fill('My Name')
  await fixture.api('PATCH', `/api/apps/${id}`, { name: 'Their Name' })
  await button('Save').click()
  await page.getByText('This was changed while you worked on it').waitFor()
  await page.getByText('Their Name').waitFor()
  await button('Keep mine').click()
  await page.getByRole('heading', { name: 'My Name' }).waitFor()
  assert.equal((await fixture.api('GET', `/api/apps/${id}`)).name, 'My Name')
})

test('registers a public key by keyboard, says at its field what is wrong [P08]', async () => {
  const { page } = fixture
  const id = await register('Key Holder')
  await fixture.signIn(developer, `/console/${fixture.accountId}/apps/${id}`)
  await pressBy(
    page,
    page.getByText('Worker, icon, SMART, PKCE, signatures, public keys and logout'),
  )
  const keys = field('Public keys')
  const save = async (text: string) => {
    await tabTo(page, keys)
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
    await pressBy(page, button('Save'))
  }
  await save('-----BEGIN PUBLIC KEY-----')
  await page.getByText(/Paste a JSON Web Key Set/).waitFor()
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = (half: 'publicKey' | 'privateKey') => ({
    ...pair[half].export({ format: 'jwk' }),
    kid: 'notes-2026',
  })
  await assertFocus(page, keys)
  await save(JSON.stringify(jwk('privateKey')))
  await page.getByText(/This is a private key/).waitFor()
  await assertNoViolations(page, 'a private key in place of a public one')
  await save(JSON.stringify(jwk('publicKey')))
  await page.getByText('Saved.').first().waitFor()
  const { jwks } = await fixture.api('GET', `/api/apps/${id}`)
  assert.deepEqual(jwks.keys, [{ ...jwk('publicKey'), alg: 'ES256', use: 'sig' }])
})

test('switches an app off by keyboard: typed name, a reason in the trail', async () => {
  const { page } = fixture
  const id = await register('Runaway')
  await fixture.signIn(developer, `/console/${fixture.accountId}/apps/${id}`)
  const opener = button('Switch off… Runaway')
  await pressBy(page, opener)
  await page.getByText(/No launch is open now/).waitFor()
  const confirm = button('Switch it off')
  assert.equal(await confirm.getAttribute('aria-disabled'), 'true')
  await pressBy(page, button('Keep it running'))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await assertFocus(page, opener)
  await page.keyboard.press('Enter')
  await assertFocus(page, page.getByRole('radio', { name: /^Everywhere/ }))
  await page.keyboard.press('Tab')
  await assertFocus(page, field('Reason'))
  await page.keyboard.type('A leaked secret')
  await page.keyboard.press('Tab')
  await assertFocus(page, field('Type Runaway to confirm'))
  await page.keyboard.type('Runaway')
  await assertNoViolations(page, 'the kill switch')
  await pressBy(page, confirm)
  await button('Switch on again').waitFor()
  const strip = page.getByRole('region', { name: 'Runaway is switched off' })
  await strip.getByText(/: “A leaked secret”\. Its launches were ended/).waitFor()
  await assertNoViolations(page, 'an app that is switched off')
  assert.equal((await fixture.api('GET', `/api/apps/${id}`)).enabled, false)
  const trail = await fixture.api('GET', `/api/accounts/${fixture.accountId}/audit-events?limit=50`)
  const reasons = trail.items.map(({ detail }: { detail: { reason?: string } }) => detail.reason)
  assert.ok(reasons.includes('A leaked secret'), JSON.stringify(reasons))
  await pressBy(page, button('Switch on again'))
  await button('Switch off… Runaway').waitFor()
  await button('Delete the app').click()
  await field('Type Runaway to confirm').fill('Runaway')
  await button('Delete it').click()
  await fixture.heading('Apps')
})

test('offers a vendor no switch for an app that the platform has switched off [V12]', async () => {
  const { page } = fixture
  const id = await register('Recalled')
  await fixture.api('PATCH', `/api/apps/${id}`, { enabled: false })
  await fixture.signIn(developer, `/console/${fixture.accountId}/apps/${id}`)
  const strip = page.getByRole('region', { name: 'Recalled is switched off by the platform' })
  await strip.getByText('Only the platform switches it on again.').waitFor()
  assert.equal(await button('Switch on again').count(), 0)
})

test('takes a collection from nothing to a practice, and back by keyboard', async () => {
  const { page } = fixture
  const id = await register('Care Gaps')
  await fixture.signIn(admin, `/console/${fixture.accountId}/collections`)
  await page.getByText('No collection yet').waitFor()
  await button('New collection').first().click()
  await field('Name').fill('Primary care')
  await page.keyboard.press('Enter')
  await fixture.heading('Primary care')
  await button('Add an EHR').first().click()
  await field('Name').fill('Meadow EHR')
  await field('EHR type').fill('meadow')
  await field('Addresses of its pages').fill('meadow')
  await page.keyboard.press('Tab')
  await button('Add it').click()
  await field('Addresses of its pages').and(page.locator('[aria-invalid]')).waitFor()
  await field('Addresses of its pages').fill('https://ehr.example/*')
  await field('The panel of another chart opens').selectOption('first')
  await button('Add it').click()
  await page.getByText('https://ehr.example/*').first().waitFor()
  await page.getByText('The panel opens the first app of the collection').waitFor()
  await button('Add an app').click()
  assert.equal(await button('Add it').getAttribute('aria-disabled'), 'true', 'nothing is chosen')
  await pick('App', 'Care Gaps')
  await button('Add it').click()
  await page.getByRole('switch', { name: 'Care Gaps on Meadow EHR' }).waitFor()
  await page.getByText('Care Gaps on Meadow EHR').first().waitFor()
  await assertNoViolations(page, 'a draft')
  await button('Review and publish version 1').click()
  await field('Note').fill('The first version')
  await assertNoViolations(page, 'the question before publishing')
  const published = page.waitForRequest((request) => /\/versions$/.test(request.url()))
  await button('Publish version 1').click()
  // Else a draft that another person changed after this review would be published.
  assert.match((await published).headers()['if-match'] ?? '', /^(W\/)?"/)
  await page.getByText('Same as version 1').waitFor()
  await button('Let a practice run it').click()
  assert.equal(await button('Run it').getAttribute('aria-disabled'), 'true', 'nothing is chosen')
  await page.getByRole('combobox', { name: 'Practice' }).fill('lake')
  await page.locator('.picker-item[data-highlighted]').waitFor()
  await assertNoViolations(page, 'the choice of a practice')
  await page.keyboard.press('Escape')
  await page.locator('.picker-layer').waitFor({ state: 'hidden' })
  assert.equal(await page.getByRole('dialog').count(), 1, 'the first closes the list only')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await pressBy(page, button('Let a practice run it'))
  await pick('Practice', 'Lakeside Family Practice')
  await button('Run it').click()
  await page.getByText('the latest (now 1)').waitFor()
  const account = await fixture.api('GET', `/api/accounts/${fixture.accountId}`)
  assert.equal(account.collection.version, 'latest')
  // Another administrator is faster: nothing is saved over it.
  await button('Change the version of Lakeside Family Practice').click()
  await button('Save').and(page.locator(':not([aria-disabled=true])')).waitFor()
  const pinned = { collection: { ...account.collection, version: 1 } }
  await fixture.api('PATCH', `/api/accounts/${fixture.accountId}`, pinned)
  await field('Version').selectOption('none')
  await button('Save').click()
  await page.getByText('The record has changed since you read it.').waitFor()
  await page.waitForFunction(() => document.querySelector('select')?.value === '1')
  await field('Version').selectOption('latest')
  await button('Save').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // A second version takes the app off; the versions lead back.
  const cell = page.getByRole('switch', { name: 'Care Gaps on Meadow EHR' })
  await cell.press('Space')
  await page.getByText('Draft differs from version 1').waitFor()
  assert.equal(await cell.getAttribute('aria-checked'), 'false')
  await button('Review and publish version 2').click()
  await page.getByText(/Lakeside Family Practice follows the latest/).waitFor()
  await button('Publish version 2').click()
  await page.getByText('Same as version 2').waitFor()
  await pressBy(page, page.getByRole('link', { name: 'Versions' }))
  await page.getByText('The first version').waitFor()
  await pressBy(page, page.getByText('What it changed').first(), 'Space')
  await page.getByText('Care Gaps on Meadow EHR').waitFor()
  await assertNoViolations(page, 'versions')
  const restore = button(/^Make it the draft/)
  await pressBy(page, restore)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await assertFocus(page, restore)
  await page.keyboard.press('Enter')
  await pressBy(page, page.getByRole('dialog').getByRole('button', { name: 'Make it the draft' }))
  await page.getByText('Draft differs from version 2').waitFor()
  const [collection] = (await fixture.api('GET', `/api/collections?accountId=${fixture.accountId}`))
    .items
  const { draft } = await fixture.api('GET', `/api/collections/${collection.id}`)
  assert.equal(draft.apps[0].appId, id)
  assert.equal(draft.ehrs[0].panelOpens, 'first')

  // Another person changes the draft meanwhile: nothing is lost without a question.
  await fixture.api('PATCH', `/api/collections/${collection.id}`, {
    draft: { ...draft, ehrs: [{ ...draft.ehrs[0], name: 'Meadow of theirs' }] },
  })
  await page.getByRole('switch').first().click()
  await page.getByText('Another person has changed this draft').waitFor()
  await button('Take theirs').click()
  await page.getByText('Meadow of theirs').first().waitFor()
})

test('tries chart patterns out, and asks before an app stays as it is at a new chart', async () => {
  const { page } = fixture
  const { accountId, api } = fixture
  const appId = await register('Dose Table')
  const { id } = await api('POST', '/api/collections', { accountId, name: 'Charts' })
  const ehr = { ehrType: 'meadow', name: 'Meadow', matches: ['https://ehr.example/*'] }
  const apps = [{ appId, autoLaunch: false }]
  await api('PATCH', `/api/collections/${id}`, { draft: { ehrs: [ehr], apps } })
  await fixture.signIn(admin, `/console/${accountId}/collections/${id}`)
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await button('Change Meadow').click()
  await page.getByRole('menuitem', { name: /^Change/ }).click()
  const says = (text: string) => page.getByRole('dialog').getByText(text).waitFor()
  await field('Addresses that name a chart').fill('https://ehr.example/patients/(\\d+)')
  await field('Try an address').fill('https://ehr.example/patients/jane-roe/notes')
  await says('regular expression')
  await field('Addresses that name a chart').fill('https://ehr.example/patients/:chart{/*}?')
  await says('The chart is “jane-roe”.')
  await field('Try an address').fill('https://ehr.example/schedule')
  await says('No chart in this address.')
  await assertNoViolations(page, 'an EHR with charts')
  await button('Save in the draft').click()
  await page.getByText('https://ehr.example/patients/:chart').first().waitFor()
  assert.ok(
    sent.every((one) => !one.includes('jane-roe')),
    'what is tried stays in the page',
  )

  await button('Change Dose Table').click()
  await page.getByRole('menuitem', { name: 'Choose what a new chart does' }).click()
  await field('The app').selectOption('keep')
  await button('Save in the draft').click()
  await says('Confirm that it shows no patient.')
  const policyOf = async () =>
    (await api('GET', `/api/collections/${id}`)).draft.apps[0].onChartChange
  assert.equal(await policyOf(), undefined)
  await page.getByRole('checkbox', { name: /Dose Table shows no patient/ }).check()
  await assertNoViolations(page, 'what a new chart does')
  await button('Save in the draft').click()
  await page.getByRole('cell', { name: 'it stays as it is' }).waitFor()
  assert.equal(await policyOf(), 'keep')
})

test('a vendor registers an address for events, tests it and changes its secret', async () => {
  const { page } = fixture
  const appId = await register('Event Notes')
  await fixture.signIn(developer, `/console/${fixture.accountId}/apps`)
  const section = page.getByRole('region', { name: 'Events to your server' })
  await section.getByRole('button', { name: 'Add an address' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add an address' })
  await dialog.getByLabel('Address').fill(`${appOrigin}/events`)
  await page.keyboard.press('Enter')
  await page.getByText(/whsec_/).waitFor()
  await assertNoViolations(page, 'a new secret of a webhook')
  await button('I have stored it').click()
  await button('Send a test').click()
  await section.getByText(/Taken/).waitFor()
  await fixture.api('PATCH', `/api/apps/${appId}`, { enabled: false })
  await button('New secret').click()
  await button('Make it').click()
  await section.getByText(/The secret before signs too/).waitFor()
  await button('I have stored it').click()
  await page.reload()
  await section.getByText('app.disabled').waitFor()
  await assertNoViolations(page, 'events to a server')
  await button(/^Delete http/).click()
  await button('Delete it').click()
  await section.getByText('No address yet').waitFor()
})

test('an administrator makes a token for the directory, sees it once, and deletes it', async () => {
  const { page } = fixture
  await fixture.signIn(admin, `/console/${fixture.accountId}/account`)
  const section = page.getByRole('region', { name: 'Your directory' })
  await section.getByText(`/scim/v2/${fixture.accountId}`).waitFor()
  await section.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('dialog', { name: 'New token' }).getByLabel('Label').fill('Entra ID')
  await page.keyboard.press('Enter')
  const token = await page.getByText(/^scim_/).textContent()
  await assertNoViolations(page, 'a new token of a directory')
  await button('I have stored it').click()
  const row = section.getByRole('row').filter({ hasText: 'Entra ID' })
  await row.getByText('never').waitFor()
  const users = `/scim/v2/${fixture.accountId}/Users`
  const ask = () => fetch(fixture.base + users, { headers: { authorization: `Bearer ${token}` } })
  assert.equal((await ask()).status, 200)
  await page.reload()
  await row.locator('time').nth(1).waitFor()
  assert.equal(await page.getByText(/^scim_/).count(), 0)
  await button('Delete Entra ID').click()
  await button('Delete it').click()
  await section.getByText('No token yet').waitFor()
  assert.equal((await ask()).status, 401)
})

test('changes a provider: its secret stays, and another issuer takes a new one', async () => {
  const { page } = fixture
  const providers = `/api/accounts/${fixture.accountId}/identity-providers`
  const issuer = 'https://login.lakeside.example'
  const fields = { name: 'Lakeside Login', issuer, clientId: 'client-1', clientSecret: 'a secret' }
  const { id } = await fixture.api('POST', providers, fields)
  await fixture.signIn(admin, `/console/${fixture.accountId}/account`)
  for (const address of ['redirect', 'logout'])
    await button(`Copy the ${address} address`).waitFor()
  const open = () => button('Change Lakeside Login').click()
  await open()
  await field('Issuer').fill('https://other.example')
  await button('Save').last().click()
  await page.getByText('Send the secret of the new provider, or null.').waitFor()
  await assertNoViolations(page, 'a change of a provider')
  await button('Cancel').click()
  await open()
  assert.equal(await field('Issuer').inputValue(), issuer)
  await field('Client ID').fill('client-2')
  await page.keyboard.press('Enter')
  await page.getByText('client-2').waitFor()
  const [stored] = (await fixture.api('GET', providers)).items
  assert.deepEqual([stored.clientId, stored.hasClientSecret], ['client-2', true])
  await fixture.api('DELETE', `${providers}/${id}`)
})

test('verifies an e-mail domain: the record, what is missing, and who may join', async () => {
  const { page } = fixture
  let records: string[] = []
  Object.assign(fixture.service.service, { lookupTxt: async () => records })
  await fixture.signIn(admin, `/console/${fixture.accountId}/account`)
  await tabTo(page, button('Add a domain'))
  await page.keyboard.press('Enter')
  await page.locator('input[name=domain]:focus').waitFor()
  await page.keyboard.type('not a domain')
  await page.keyboard.press('Enter')
  await page.getByText('Enter what follows the @').waitFor()
  await field('Domain').fill('Lakeside-Clinic.example')
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'lakeside-clinic.example' })
  await card.getByText('Not verified yet').waitFor()
  await card.getByText('_chartside.lakeside-clinic.example').waitFor()
  const look = card.getByRole('button', { name: 'Check now' })
  await look.click()
  await card.getByText('There is no TXT record at').waitFor()
  await assertNoViolations(page, 'an e-mail domain that is not verified')
  const path = `/api/accounts/${fixture.accountId}/domains`
  const [{ record }] = (await fixture.api('GET', path)).items
  assert.equal(await card.getByText(record.value).count(), 1)
  records = [record.value]
  await look.click()
  await card.getByText('Verified', { exact: true }).waitFor()
  assert.equal(await card.getByText('There is no TXT record at').count(), 0)

  await page.getByLabel(/^Let people of your e-mail domains join/).check()
  await button('Save').first().click()
  await page.getByText('The account is saved.').waitFor()
  const account = await fixture.api('GET', `/api/accounts/${fixture.accountId}`)
  assert.deepEqual([account.joinByDomain, account.requireSecondFactor], ['provider', false])
  await card.getByRole('button', { name: 'Remove' }).click()
  await button('Remove it').click()
  await page.getByText('No domain yet').waitFor()
  assert.deepEqual((await fixture.api('GET', path)).items, [])
})

test('stops an app in one practice from the palette, by keyboard', async () => {
  const { page, api, accountId, base } = fixture
  const id = await register('Paperwork')
  const practice = await api('POST', '/api/accounts', { name: 'Northgate Clinic' })
  const made = await api('POST', '/api/collections', { accountId, name: 'For clinics' })
  const ehrs = [{ ehrType: 'meadow', name: 'Meadow', matches: ['https://ehr.example/*'] }]
  const draft = { ehrs, apps: [{ appId: id, autoLaunch: false }] }
  await api('PATCH', `/api/collections/${made.id}`, { draft })
  await api('POST', `/api/collections/${made.id}/versions`, {})
  const collection = { id: made.id, version: 'latest' }
  await api('PATCH', `/api/accounts/${practice.id}`, { collection })
  await fixture.signIn(ADMIN, '/console/platform/apps')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('stop paper')
  await page.getByRole('option', { name: 'Switch off Paperwork…' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/console/platform/apps/${id}?do=switch-off`)
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('radio', { name: /^Everywhere/ }))
  await page.keyboard.press('ArrowDown')
  await page.getByRole('dialog', { name: 'Stop Paperwork on one EHR?' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('dialog', { name: 'Stop Paperwork in one practice?' }).waitFor()
  await tabTo(page, field('Reason'))
  await page.keyboard.type('Wrong units')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Paperwork')
  await pressBy(page, button('Stop it there'))
  await dialog.getByText('Choose the practice.').waitFor()
  await assertNoViolations(page, 'a stop without its practice')
  await tabTo(page, page.getByRole('combobox', { name: 'Practice' }))
  await page.keyboard.type('cardio')
  await page.getByRole('option', { name: 'Northgate Cardiology' }).waitFor()
  await page.keyboard.press('Enter')
  await pressBy(page, button('Stop it there'))
  await dialog.getByText(/^Northgate Cardiology does not run Paperwork/).waitFor()
  await tabTo(page, page.getByRole('combobox', { name: 'Practice' }))
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'Northgate Cardiology' }).waitFor()
  await page.keyboard.press('Control+a')
  // An Enter before the search has answered takes none of the practices that stand there.
  await page.keyboard.type('northgate cl', { delay: 0 })
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Northgate Cardiology' }).waitFor({ state: 'detached' })
  const before = page.getByRole('dialog', { name: 'Stop Paperwork in Northgate Cardiology?' })
  assert.ok(await before.isVisible())
  await page.getByRole('option', { name: 'Northgate Clinic' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Stop Paperwork in Northgate Clinic?' }).waitFor()
  await pressBy(page, button('Stop it there'))
  const strip = page.getByRole('region', { name: 'Paperwork is stopped in Northgate Clinic' })
  await strip.getByText(/^Administrator, .+: “Wrong units”$/).waitFor()
  assert.equal(page.url(), `${base}/console/platform/apps/${id}`)
  await assertNoViolations(page, 'an app that one practice has stopped')
  assert.equal((await api('GET', `/api/apps/${id}`)).enabled, true)
  const [here] = (await api('GET', `/api/accounts/${practice.id}/running`)).apps
  assert.equal(here.stopped.reason, 'Wrong units')
  // The vendor reads where and why, and not who; it lets nothing run in a practice of others.
  await fixture.begin()
  await fixture.signIn(admin, `/console/${accountId}/apps/${id}`)
  const seen = fixture.page.getByRole('region', { name: /stopped in Northgate/ })
  await seen.getByText('“Wrong units”').waitFor()
  assert.doesNotMatch((await seen.textContent()) ?? '', /Administrator|run again/)
  await fixture.begin()
  await fixture.signIn(ADMIN, `/console/platform/apps/${id}`)
  await pressBy(fixture.page, button('Let it run again in Northgate Clinic'))
  await fixture.page.getByText('Paperwork runs in Northgate Clinic again.').waitFor()
  await fixture.page.getByRole('region', { name: /is stopped in/ }).waitFor({ state: 'detached' })
})
