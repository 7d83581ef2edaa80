// The fixture of the browser tests of the console: the service on loopback with one account and its
// people, one Chromium, and a strict page that is signed in. Owns no expectation
// beyond a successful set-up.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { freePort } from '../../packages/server/test/free-port.ts'
import {
  ADMIN,
  startTestService,
  type TestService,
} from '../../packages/server/test/test-service.ts'
import { launchChromium } from '../../scripts/chromium.ts'
import { openStrictPage, type StrictPage } from './accessibility.ts'

// biome-ignore lint/suspicious/noExplicitAny: what the API answers is checked by the story tests
export type Json = any

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface ConsoleFixture extends StrictPage {
  readonly base: string
  readonly service: TestService
  readonly browser: Browser
  readonly accountId: string
  page: Page
  /** Opens a page in a new profile. */
  begin(options?: Parameters<Browser['newContext']>[0]): Promise<Page>
  /** With the cookie of a session, as the sign-in page would set it; ends at `address` of the console. */
  signIn(credentials?: Credentials, address?: string): Promise<void>
  /** By the sign-in page, where the way there or back is what a test is about. */
  signInByPage(credentials?: Credentials, address?: string): Promise<void>
  /** Calls the backend API as the platform administrator. */
  api(method: string, path: string, body?: object): Promise<Json>
  /** A member of the account with a password. */
  addPerson(
    name: string,
    role: 'admin' | 'developer' | 'provider',
    accountId?: string,
  ): Promise<Credentials>
  heading(name: string): Promise<void>
  stop(): Promise<void>
}

/** Of the session of a browser on a service without TLS. */
export const COOKIE_NAME = /^chartside-session-\d+$/

export const PASSWORD = 'correct horse battery staple'

export interface ConsoleOptions {
  /** Without it the installation is as it is after its first start. */
  readonly accountName?: string | undefined
  /** The time of the machine, as apps and pages have it; else the fixed time of a test. */
  readonly isRealTime?: boolean
}

export async function startConsole(
  settings: Readonly<Record<string, string>> = {},
  { accountName = 'Lakeside Family Practice', isRealTime = false }: ConsoleOptions = {},
): Promise<ConsoleFixture> {
  const base = `http://localhost:${await freePort()}`
  const service = await startTestService(
    {
      CHARTSIDE_BASE_URL: base,
      CHARTSIDE_ENVIRONMENT: 'staging',
      ...settings,
    },
    isRealTime ? { clock: Object.assign(() => Date.now(), { advance() {} }) } : {},
  )
  await service.server.listen({ port: Number(new URL(base).port), host: '127.0.0.1' })
  const browser = await launchChromium()
  const call = async (method: string, path: string, token?: string, body?: object) => {
    const answer = await fetch(base + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  let session = { token: '', at: 0 }
  /** Anew after the test has turned the clock. */
  const asAdmin = async (method: string, path: string, body?: object) => {
    const at = service.clock()
    if (session.token === '' || at !== session.at) {
      session = { ...(await call('POST', '/auth/sign-in', undefined, ADMIN)), at }
    }
    return call(method, path, session.token, body)
  }
  const account =
    accountName === '' ? { id: '' } : await asAdmin('POST', '/api/accounts', { name: accountName })
  let open = await openStrictPage(browser)
  const fixture: ConsoleFixture = {
    base,
    service,
    browser,
    accountId: account.id,
    page: open.page,
    assertPolicyKept: () => open.assertPolicyKept(),
    async begin(options = {}) {
      await fixture.page.context().close()
      open = await openStrictPage(browser, { viewport: { width: 1440, height: 900 }, ...options })
      fixture.page = open.page
      return open.page
    },
    async signIn(credentials = ADMIN, address = '/console') {
      const { page } = fixture
      const { token } = await call('POST', '/auth/sign-in', undefined, credentials)
      const attributes = { httpOnly: true, sameSite: 'Strict' } as const
      const cookie = {
        name: `chartside-session-${new URL(base).port}`,
        value: token,
        url: base,
        ...attributes,
      }
      await page.context().addCookies([cookie])
      await page.goto(base + address)
      await page.locator('[data-page-title]').waitFor()
    },
    async signInByPage(credentials = ADMIN, address = '/console') {
      const { page } = fixture
      await page.goto(base + address)
      await page.getByLabel('E-mail address').fill(credentials.email)
      await page.getByLabel('Password', { exact: true }).fill(credentials.password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL(new RegExp(`^${base}/console`))
      await page.locator('[data-page-title]').waitFor()
    },
    api: asAdmin,
    async addPerson(name, role, accountId = account.id) {
      const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@lakeside.example`
      const path = `/api/accounts/${accountId}/members`
      const member = await asAdmin('POST', path, { email, name, role })
      await acceptByPassword(base, member.invitationUrl, PASSWORD)
      return { email, password: PASSWORD }
    },
    heading: (name) => fixture.page.getByRole('heading', { name, exact: true }).waitFor(),
    async stop() {
      await browser.close()
      await service.close()
    },
  }
  return fixture
}

/** Sets a password on the page of a one-time link, as a browser without script does. */
async function acceptByPassword(base: string, url: string, password: string): Promise<void> {
  const shown = await fetch(url)
  const html = await shown.text()
  const form = /<form[^>]*\/auth\/invitation\/password[\s\S]*?<\/form>/.exec(html)?.[0] ?? ''
  const fields = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  )
  const answer = await fetch(`${base}/auth/invitation/password`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: shown.headers.getSetCookie()[0]?.split(';')[0] ?? '',
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams([...fields, ['password', password]]),
  })
  assert.equal(answer.status, 200, await answer.text())
}
