// The pictures of apps and of what runs where, for docs/console-setup.md, made of the real console on the
// real service. CHARTSIDE_PICTURES=write takes them anew; every run plays each state.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { beginPictures, type Photographs, photographs } from './console-photographs.ts'

let fixture: ConsoleFixture
let pictures: Photographs
let pages: Server
before(async () => {
  fixture = await startConsole({ CHARTSIDE_ENVIRONMENT: 'development' })
  pictures = photographs(fixture)
  // The pages of the app, which refuse to be framed.
  pages = createServer((_request, response) => {
    response.setHeader('x-frame-options', 'DENY')
    response.end('<!doctype html><title>Notes</title>')
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  pages?.close()
  await fixture?.stop()
})
afterEach(() => fixture.assertPolicyKept())

const button = (name: string | RegExp) =>
  fixture.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const field = (label: string) => fixture.page.getByLabel(label, { exact: true })
const at = (path: string) => `/console/${fixture.accountId}/${path}`
/** A port is another one each time. */
const settle = (selector: string, text: string) =>
  fixture.page.locator(selector).evaluateAll((elements, shown) => {
    for (const element of elements) {
      element.textContent = (element.textContent ?? '').replace(/localhost:\d+/, shown)
    }
  }, text)

test('pictures of apps: registration, secret, pre-flight, kill switch', async () => {
  const origin = `http://localhost:${(pages.address() as AddressInfo).port}`
  const developer = await fixture.addPerson('Dana Developer', 'developer')
  await beginPictures(fixture)
  const { page } = fixture
  await fixture.signIn(developer, at('apps'))
  await page.getByText('No apps yet').waitFor()
  await pictures.take('apps/empty')
  await page.getByRole('link', { name: 'Register an app' }).first().click()
  await page.getByLabel(/^Option 2/).check()
  await button('Register').click()
  await pictures.take('apps/registration')
  await pictures.takeVariants('apps/registration')
  await page.getByLabel(/^Option 1/).check()
  await field('Name').fill('Visit Notes')
  await field('Launch URL').fill(`${origin}/launch`)
  await field('Redirect URIs').fill(`${origin}/callback`)
  await button('Register').click()
  await fixture.heading('Visit Notes')
  await page.locator('code').evaluateAll((codes) => {
    for (const code of codes) {
      const text = code.textContent ?? ''
      if (text.length > 12) code.textContent = `${text.slice(0, 12)}…`
    }
  })
  await pictures.take('apps/app')
  await button('New secret').click()
  await field('Label').fill('Production 2026')
  await page.keyboard.press('Enter')
  await page.locator('output', { hasText: /^cs_/ }).evaluate((output) => {
    output.textContent = 'cs_…'
  })
  await pictures.take('apps/secret')
  await button('I have stored it').click()
  await button('Check the pages').click()
  await page.getByText('Will not work').first().waitFor()
  await page.getByText('Will not work').first().scrollIntoViewIfNeeded()
  await settle('main code, main h3, main strong', 'notes.example')
  await pictures.take('apps/preflight')
  await button('Switch off Visit Notes').click()
  await field('Reason').fill('A leaked secret')
  await page.getByText(/No launch is open now/).waitFor()
  await pictures.take('apps/kill-switch')
  await field('Type Visit Notes to confirm').fill('Visit Notes')
  await button('Switch it off').click()
  await button('Switch on again').waitFor()
  await button('Switch on again').scrollIntoViewIfNeeded()
  await pictures.take('apps/switched-off')
})

test('pictures of what runs where: draft, publishing, practices, versions', async () => {
  const { api, accountId } = fixture
  const admin = await fixture.addPerson('Pat Admin', 'admin')
  for (const name of ['Care Gaps', 'Growth Chart', 'Coding Watch']) {
    const addresses = {
      launchUrl: 'https://apps.example/a',
      redirectUris: ['https://apps.example/b'],
    }
    await api('POST', '/api/apps', { accountId, name, ...addresses })
  }
  await beginPictures(fixture)
  const { page } = fixture
  await fixture.signIn(admin, at('collections'))
  await page.getByText('No collection yet').waitFor()
  await pictures.take('collections/empty')
  const apps = (await api('GET', `/api/apps?accountId=${accountId}`)).items
  const collection = await api('POST', '/api/collections', { accountId, name: 'Primary care' })
  const ehrs = ['Meadow', 'Summit'].map((name) => ({
    ehrType: name.toLowerCase(),
    name: `${name} EHR`,
    matches: [`https://${name.toLowerCase()}.example/*`],
  }))
  const draft = {
    ehrs,
    apps: apps.map(({ id, name }: { id: string; name: string }) => ({
      appId: id,
      autoLaunch: name === 'Care Gaps',
      ...(name === 'Growth Chart' ? { ehrTypes: ['meadow'] } : {}),
    })),
  }
  await api('PATCH', `/api/collections/${collection.id}`, { draft })
  await page.goto(fixture.base + at(`collections/${collection.id}`))
  await page.getByRole('switch').first().waitFor()
  await pictures.take('collections/draft')
  await pictures.takeVariants('collections/draft')
  await button('Add an EHR').first().click()
  await field('Name').fill('Harbour EHR')
  await field('EHR type').fill('harbour')
  await field('Addresses of its pages').fill('harbour')
  await button('Add it').click()
  await field('Addresses of its pages').and(page.locator('[aria-invalid]')).waitFor()
  await pictures.take('collections/ehr')
  await page.keyboard.press('Escape')
  await button('Review and publish version 1').click()
  await field('Note').fill('The first version')
  await pictures.take('collections/publish')
  await button('Publish version 1').click()
  await page.getByText('Same as version 1').waitFor()
  await button('Let a practice run it').click()
  await pictures.take('collections/practice')
  await button('Run it').click()
  await page.getByText('the latest (now 1)').waitFor()
  await page.getByRole('switch', { name: 'Coding Watch on Summit EHR' }).click()
  await page.getByText('Draft differs from version 1').waitFor()
  await button('Review and publish version 2').click()
  await page.getByText(/follows the latest/).waitFor()
  await pictures.take('collections/changes')
  await button('Publish version 2').click()
  await page.getByText('Same as version 2').waitFor()
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByText('What it changed').first().click()
  await page.getByText('Coding Watch on Summit EHR').waitFor()
  await pictures.take('collections/versions')
  await button(/^Make it the draft/).click()
  await pictures.take('collections/roll-back')
})
