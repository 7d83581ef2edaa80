// The states of what is about the person: profile, ways to sign in, the second factor from setting it up to
// turning it off, and where they are signed in.
import qrcode from 'qrcode'
import { codeAt, readSecret } from '../../../packages/server/test/authenticator.ts'
import { ADMIN } from '../../../packages/server/test/test-service.ts'
import type { Capture } from './captures.ts'
import type { OfficeStage } from './office-scenarios.ts'
import { beginPage, buildControls, type Scenario } from './scenarios.ts'

const SAMPLE_KEY = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function settingsScenarios(capture: Capture, stage: OfficeStage): Scenario[] {
  const { picture, button, goTo } = buildControls(capture, stage, 'settings')

  /** In place of a key that is another one each time. */
  async function showSampleKey() {
    const { page } = stage.fixture
    const uri = `otpauth://totp/Chartside:admin@test.example?secret=${SAMPLE_KEY}&issuer=Chartside`
    const code = await qrcode.toString(uri, { type: 'svg', errorCorrectionLevel: 'M' })
    await page.locator('img.qr').evaluate(
      async (image, source) => {
        ;(image as HTMLImageElement).src = source
        await (image as HTMLImageElement).decode()
      },
      `data:image/svg+xml,${encodeURIComponent(code)}`,
    )
    await page.locator('.secret-text').evaluate((text, key) => {
      text.textContent = key.replaceAll(/.{4}(?=.)/g, '$& ')
    }, SAMPLE_KEY)
  }

  return [
    {
      title: 'settings: the second factor, where one is signed in',
      async run() {
        const { fixture } = stage
        const page = await beginPage(fixture)
        await fixture.signIn(ADMIN, '/console/settings/sign-in')
        await button('Set up').click()
        await page.locator('img.qr').waitFor()
        await showSampleKey()
        await picture('second-factor')
        await goTo('/console/settings/sessions')
        await page.getByText('This browser').waitFor()
        await picture('sessions')
      },
    },
    {
      title: 'settings: profile, ways to sign in, signing in again',
      async run() {
        const { fixture, developer } = stage
        const page = await beginPage(fixture)
        await fixture.signIn(developer, '/console/settings')
        await page.getByLabel('Name', { exact: true }).waitFor()
        await picture('profile')
        await page.getByLabel('Name', { exact: true }).fill(' ')
        await button('Save').click()
        await page.getByText('Enter your name.').waitFor()
        await picture('profile-mistake')
        await page.getByLabel('Name', { exact: true }).fill('Dana Developer')
        await goTo('/console/settings/sign-in')
        await button('Set up').waitFor()
        await picture('sign-in')
        fixture.service.clock.advance(11 * 60)
        await button('Add a way to sign in').click()
        await button('Sign in again').waitFor()
        await picture('sign-in-again')
        await goTo('/console/settings/sessions')
        await button('Sign out everywhere').click()
        await picture('everywhere')
      },
    },
    {
      title: 'settings: a second factor from its first code to its end',
      async run() {
        const { fixture } = stage
        const { service, api, accountId } = fixture
        const person = await fixture.addPerson('Sam Second', 'provider')
        const page = await beginPage(fixture)
        await fixture.signIn(person, '/console/settings/sign-in')
        await button('Set up').click()
        await page.locator('img.qr').waitFor()
        const shown = (await page.locator('.secret-text').textContent()) ?? ''
        const secret = readSecret(shown.replaceAll(' ', ''))
        await showSampleKey()
        const code = page.getByLabel('The six digits that the app shows')
        await code.fill('000000')
        await page.keyboard.press('Enter')
        await page.getByText('Is not the current code.').waitFor()
        await picture('wrong-code')
        await code.fill(codeAt(secret, service.clock()))
        await page.keyboard.press('Enter')
        await page.getByText('Keep these recovery codes.').waitFor()
        await page.locator('.codes code').evaluateAll((codes) => {
          for (const [index, one] of codes.entries()) {
            one.textContent = `samp-le0${index}-code-0000`
          }
        })
        await picture('recovery-codes')
        await button('I have kept them').click()
        await page.getByText('10 recovery codes are left.').waitFor()
        await picture('second-factor-on')
        await button('New recovery codes').click()
        await picture('new-codes')
        await page.keyboard.press('Escape')
        await button('Turn off').click()
        await page.getByLabel('Code', { exact: true }).fill('12')
        await button('Turn it off').click()
        await page.getByText('Enter six digits, or a recovery code.').waitFor()
        await picture('turn-off')
        await page.keyboard.press('Escape')
        const other = await fixture.addPerson('Nia Needed', 'provider')
        const theirs = await beginPage(fixture)
        await fixture.signIn(other, '/console/settings/sign-in')
        await api('PATCH', `/api/accounts/${accountId}`, { requireSecondFactor: true })
        await theirs.reload()
        await theirs.getByText('Off, but required').waitFor()
        await picture('required')
        await api('PATCH', `/api/accounts/${accountId}`, { requireSecondFactor: false })
      },
    },
  ]
}
