// The states of apps: none, registration, secrets, pre-flight, kill switch; then a list, a conflict, the health
// of an app with launches, and a role that was taken away.

import type { Json } from '../console-fixture.ts'
import { startLaunching } from '../console-launching.ts'
import type { Capture } from './captures.ts'
import { beginPage, buildControls, type Scenario } from './scenarios.ts'
import type { SetupStage } from './setup-scenarios.ts'

export function appScenarios(capture: Capture, stage: SetupStage): Scenario[] {
  const tools = buildTools(capture, stage)
  return [registration(tools), secretsAndHealth(tools), optionsAndRoles(tools)]
}

const buildTools = (capture: Capture, stage: SetupStage) => ({
  ...buildControls(capture, stage, 'apps'),
  stage,
  /** A port is another one each time. */
  settle: (selector: string, text: string) =>
    stage.fixture.page.locator(selector).evaluateAll((elements, shown) => {
      for (const element of elements) {
        element.textContent = (element.textContent ?? '').replace(/localhost:\d+/, shown)
      }
    }, text),
})

type Tools = ReturnType<typeof buildTools>

const registration = ({ stage, picture, button, field, at, settle }: Tools): Scenario => ({
  title: 'apps: registration, secret, pre-flight, kill switch',
  async run() {
    const { fixture, origin, developer } = stage
    const page = await beginPage(fixture)
    await fixture.signIn(developer, at('apps'))
    await page.getByText('No apps yet').waitFor()
    await picture('empty')
    await page.getByRole('link', { name: 'Register an app' }).first().click()
    await page.getByLabel(/^Option 2/).check()
    await button('Register').click()
    await picture('registration')
    await page.getByLabel(/^Option 1/).check()
    await field('Name').fill('Visit Notes')
    await field('Launch URL').fill(`${origin}/launch`)
    await field('Redirect URIs').fill(`${origin}/callback`)
    await button('Register').click()
    await fixture.heading('Visit Notes')
    await page.getByText('No launch in this time.').waitFor()
    await page.locator('code').evaluateAll((codes) => {
      for (const code of codes) {
        const text = code.textContent ?? ''
        if (text.length > 12) code.textContent = `${text.slice(0, 12)}…`
      }
    })
    await picture('app')
    await button('New secret').click()
    await field('Label').fill('Production 2026')
    await picture('secret-label')
    await page.keyboard.press('Enter')
    const made = page.locator('output', { hasText: /^cs_/ })
    await made.evaluate((output) => {
      output.textContent = 'cs_…'
    })
    await picture('secret', made)
    await button('I have stored it').click()
    await button('Check the pages').click()
    await page.getByText('Will not work').first().waitFor()
    await settle('main code, main h3, main strong', 'notes.example')
    await picture('preflight', page.getByText('Will not work').first())
    await button('Switch off… Visit Notes').click()
    await field('Reason').fill('A leaked secret')
    await page.getByText(/No launch is open now/).waitFor()
    await picture('kill-switch')
    await field('Type Visit Notes to confirm').fill('Visit Notes')
    await button('Switch it off').click()
    await button('Switch on again').waitFor()
    await picture('switched-off', button('Switch on again'))
  },
})

const secretsAndHealth = ({ stage, picture, button, field, at }: Tools): Scenario => ({
  title: 'apps: secrets, keys, a conflict, deletion, health',
  async run() {
    const { fixture, developer } = stage
    const { api, accountId, service } = fixture
    const addresses = {
      launchUrl: 'https://notes.example/launch',
      redirectUris: ['https://notes.example/callback'],
    }
    const app = await api('POST', '/api/apps', {
      accountId,
      name: 'Growth Chart',
      ...addresses,
    })
    const secrets = `/api/apps/${app.id}/secrets`
    await api('POST', secrets, { label: 'Production 2026' })
    const expiresAt = new Date(service.clock() + 5 * 86_400_000).toISOString()
    await api('POST', secrets, { label: 'Production 2025', expiresAt })
    const page = await beginPage(fixture)
    await fixture.signIn(developer, at(`apps/${app.id}`))
    await button('Retire Production 2025').waitFor()
    await picture('secrets', button('Retire Production 2025'))
    await button('Retire Production 2025').click()
    await picture('retire')
    await page.keyboard.press('Escape')
    await page.getByText('Worker, icon, SMART, PKCE, signatures, public keys and logout').click()
    const key = { kty: 'EC', crv: 'P-256', kid: 'notes-2026', x: '…', y: '…', d: '…' }
    await field('Public keys').fill(JSON.stringify(key))
    await button('Save').click()
    const refusal = page.getByText(/This is a private key/)
    await refusal.waitFor()
    await picture('keys', refusal)
    await page.reload()
    await field('Name').fill('Growth Chart for Children')
    await api('PATCH', `/api/apps/${app.id}`, { name: 'Growth Charts' })
    await button('Save').click()
    const question = page.getByText('This was changed while you worked on it')
    await question.waitFor()
    await picture('conflict', question)
    await button('Take theirs').click()
    await button('Delete the app').click()
    await picture('delete')
    await page.keyboard.press('Escape')
    const launching = await startLaunching(fixture, {
      ...{ appName: 'Care Gaps', vendorName: 'Sample Apps', providerName: 'Dr. Amara Okafor' },
      pause: () => service.clock.advance(0.117),
    })
    for (let i = 0; i < 14; i++) await launching.ready()
    for (let i = 0; i < 2; i++) await launching.failExchange()
    const refused = await launching.launch()
    await fetch(launching.authorizeUrl(refused.launchId, 'https://notes.example/callbak'))
    const vendor = await fixture.addPerson('Vera Vendor', 'developer', launching.vendorId)
    const theirs = await beginPage(fixture)
    await fixture.signIn(vendor, `/console/${launching.vendorId}/apps/${launching.appId}`)
    await theirs.getByText('Where the time goes').click()
    await picture('health')
  },
})

const optionsAndRoles = ({ stage, picture, button, field, at, goTo }: Tools): Scenario => ({
  title: 'apps: options, a list, a role that was taken away, none',
  async run() {
    const { fixture, developer } = stage
    const { api, accountId } = fixture
    const hostile = `"><img src=x onerror=window.ran=1>${'W'.repeat(80)}`
    const launchUrl = 'https://notes.example/launch'
    const redirectUris = ['https://notes.example/callback']
    await api('POST', '/api/apps', { accountId, name: hostile, launchUrl, redirectUris })
    const page = await beginPage(fixture)
    await fixture.signIn(developer, at('apps'))
    await page.locator('tbody tr').nth(2).waitFor()
    await picture('list')
    await goTo(at('apps/new'))
    await page.getByLabel(/^Option 3/).check()
    await picture('provider', field('Redirect URIs'))
    await goTo(at('apps/app_unknown'))
    await fixture.heading('Not found')
    await picture('missing')
    const path = `/api/accounts/${accountId}/members`
    const { items } = await api('GET', `${path}?role=developer`)
    const dana = items.find(({ name }: Json) => name === 'Dana Developer')
    await goTo(at('apps/new'))
    await field('Name').fill('Late App')
    await field('Launch URL').fill(launchUrl)
    await field('Redirect URIs').fill(redirectUris[0] ?? '')
    await api('PATCH', `${path}/${dana.id}`, { role: 'provider' })
    await button('Register').click()
    await page.getByText('Ask Pat Admin').waitFor()
    await picture('refused')
    await api('PATCH', `${path}/${dana.id}`, { role: 'developer' })
  },
})
