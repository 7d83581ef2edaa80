// How each page of sign-in and of its errors is reached: the steps of a person from a new profile, on the real
// service. The names are those of the pictures.
import { codeAt, readSecret } from '../../../packages/server/test/authenticator.ts'
import type { SignInFixture } from '../sign-in-fixture.ts'

type Reach = () => Promise<unknown>

const PASSWORD = 'correct horse battery staple'

/** What `npm test` looks at in every appearance and at two widths. */
export const QUICK_PAGES = [
  'sign-in',
  'wrong-password',
  'too-many',
  'codes',
  'new-method',
  'authorize-error',
  'dead-link',
  'not-found',
  'step-over',
  'not-complete',
] as const

export function reachQuickPages(
  fixture: SignInFixture,
): Readonly<Record<(typeof QUICK_PAGES)[number], Reach>> {
  const open = (url = fixture.newClient().url) => fixture.page.goto(url)
  return {
    'sign-in': () => open(),
    'wrong-password': async () => {
      await open()
      await fixture.page.getByLabel('E-mail address').fill('amara.okafor@lakeside.example')
      await fixture.page.getByLabel('Password').fill('wrong')
      await fixture.page.keyboard.press('Enter')
      await fixture.page.locator('#password-problem').waitFor()
    },
    'too-many': async () => {
      const wait = fixture.service.clock() + 9 * 60_000
      await open(`${fixture.newClient().url}&wait_until=${wait}`)
    },
    codes: async () => {
      await open()
      await fixture.typePassword()
      await fixture.heading('Do the codes match?')
    },
    'new-method': async () => open(await invite(fixture, 'mei@lakeside.example')),
    'authorize-error': () => open(`${fixture.base}/app-auth/authorize?client_id=x`),
    'dead-link': () => open(`${fixture.base}/auth/invitation?token=x`),
    'not-found': () => open(`${fixture.base}/nope`),
    'step-over': () => open(`${fixture.base}/auth/sign-in/approve?step=x`),
    'not-complete': () => open(`${fixture.base}/auth/sign-in?session_id=x`),
  }
}

async function invite(fixture: SignInFixture, email: string, body: object = {}): Promise<string> {
  const token = await fixture.adminToken()
  const account = await fixture.api(token, 'POST', '/api/accounts', { name: 'Lakeside Clinic' })
  await fixture.api(token, 'PATCH', `/api/accounts/${account.id}`, body)
  const path = `/api/accounts/${account.id}/members`
  const member = { email, name: 'Dr. Mei Tanaka', role: 'provider' }
  return (await fixture.api(token, 'POST', path, member)).invitationUrl
}

/** The pages above, and those behind them. */
export function reachSignInPages(fixture: SignInFixture): Readonly<Record<string, Reach>> {
  const open = (url = fixture.newClient().url) => fixture.page.goto(url)
  const press = (name: string | RegExp) =>
    fixture.page.getByRole('button', { name }).first().click()

  async function accept(url: string) {
    await open(url)
    await fixture.page.getByLabel('New password').fill(PASSWORD)
    await press('Set password')
  }
  async function signIn(email: string) {
    await open()
    await fixture.page.getByLabel('E-mail address').fill(email)
    await fixture.page.getByLabel('Password').fill(PASSWORD)
    await press('Sign in')
  }

  return {
    ...reachQuickPages(fixture),
    done: async () => {
      await open()
      await fixture.typePassword()
      await fixture.agree()
      await fixture.heading('You are signed in')
    },
    refused: async () => {
      await open()
      await fixture.typePassword()
      await press(/^No/)
      await fixture.page.getByRole('heading').first().waitFor()
    },
    'weak-password': async () => {
      await open(await invite(fixture, 'weak@lakeside.example'))
      await fixture.page.getByLabel('New password').fill('short')
      await fixture.page.locator('form[action$="password"]').evaluate((form) => {
        ;(form as HTMLFormElement).noValidate = true
      })
      await press('Set password')
      await fixture.page.locator('[aria-invalid]').first().waitFor()
    },
    'second-factor': async () => {
      await accept(await invite(fixture, 'factor@lakeside.example'))
      const credentials = { email: 'factor@lakeside.example', password: PASSWORD }
      const call = async (path: string, token: string, body: object) => {
        const answer = await fetch(fixture.base + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify(body),
        })
        return answer.json()
      }
      const { token } = await call('/auth/sign-in', '', credentials)
      const { secret } = await call('/api/users/me/second-factor', token, {})
      const code = codeAt(readSecret(secret), fixture.service.clock())
      await call('/api/users/me/second-factor/confirm', token, { code })
      await fixture.begin({ viewport: { width: 1280, height: 800 } })
      await signIn(credentials.email)
      await fixture.page.getByLabel(/code/i).first().waitFor()
    },
    'second-factor-setup': async () => {
      const email = 'needed@lakeside.example'
      await accept(await invite(fixture, email, { requireSecondFactor: true }))
      await fixture.begin({ viewport: { width: 1280, height: 800 } })
      await signIn(email)
      await fixture.page
        .getByLabel(/digits|code/i)
        .first()
        .waitFor()
    },
  }
}
