// The fixture of the browser tests of sign-in: the service on loopback, one page at a time in a new
// profile, a client that polls, and the verbs of the page. Owns no expectation beyond a successful
// set-up.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { buildMatchCode, buildSignInUrl } from '@chartside/protocol/sign-in'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { freePort } from '../../packages/server/test/free-port.ts'
import {
  CLIENT,
  startProvider,
  type TestProvider,
} from '../../packages/server/test/identity-provider.ts'
import {
  ADMIN,
  startTestService,
  type TestService,
} from '../../packages/server/test/test-service.ts'
import { launchChromium } from '../../scripts/chromium.ts'

export interface SignInFixture {
  readonly base: string
  readonly service: TestService
  /** A real OpenID Connect provider; the test sets the account that signs in. */
  readonly provider: TestProvider
  /** Errors on the console since `begin`. */
  readonly problems: string[]
  context: BrowserContext
  page: Page
  /** Opens one page in a new profile. */
  begin(options?: Parameters<Browser['newContext']>[0]): Promise<void>
  newClient(): PollingClient
  api(token: string, method: string, path: string, body?: object): Promise<Json>
  adminToken(): Promise<string>
  typePassword(): Promise<void>
  agree(): Promise<void>
  heading(name: string): Promise<void>
  stop(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: what the API answers is checked by the story tests
export type Json = any

export interface PollingClient {
  readonly code: string
  readonly url: string
  poll(): Promise<Response>
}

export async function startFixture(): Promise<SignInFixture> {
  const base = `http://localhost:${await freePort()}`
  const provider = await startProvider(`${base}/auth/callback`)
  const service = await startTestService({
    CHARTSIDE_BASE_URL: base,
    CHARTSIDE_ENVIRONMENT: 'staging',
    CHARTSIDE_OIDC_ISSUER: provider.issuer,
    CHARTSIDE_OIDC_CLIENT_ID: CLIENT.id,
    CHARTSIDE_OIDC_CLIENT_SECRET: CLIENT.secret,
    CHARTSIDE_OIDC_NAME: 'Lakeside Login',
  })
  await service.server.listen({ port: Number(new URL(base).port), host: '127.0.0.1' })
  const browser = await launchChromium()
  const problems: string[] = []
  const call = async (path: string, method: string, headers: object, body?: object) => {
    const answer = await fetch(base + path, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  const first = await browser.newContext()
  const fixture: SignInFixture = {
    base,
    service,
    provider,
    problems,
    context: first,
    page: await first.newPage(),
    async begin(options = {}) {
      problems.length = 0
      await fixture.context.close()
      fixture.context = await browser.newContext(options)
      fixture.page = await fixture.context.newPage()
      fixture.page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      fixture.page.on('pageerror', (error) => problems.push(error.message))
    },
    newClient() {
      const sessionId = randomBytes(16).toString('base64url')
      const verifier = randomBytes(32).toString('base64url')
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const headers = { authorization: `Bearer ${verifier}` }
      return {
        code: buildMatchCode(challenge),
        url: buildSignInUrl(`${base}/auth/sign-in`, sessionId, challenge),
        poll: () => fetch(`${base}/auth/token/${sessionId}`, { headers }),
      }
    },
    api: (token, method, path, body) =>
      call(path, method, { authorization: `Bearer ${token}` }, body),
    adminToken: async () => (await call('/auth/sign-in', 'POST', {}, ADMIN)).token,
    async typePassword() {
      await fixture.page.getByLabel('E-mail address').fill(ADMIN.email)
      await fixture.page.getByLabel('Password').fill(ADMIN.password)
      await fixture.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    },
    agree: () => fixture.page.getByRole('button', { name: 'Yes, sign me in there' }).click(),
    heading: (name) => fixture.page.getByRole('heading', { name }).waitFor(),
    async stop() {
      await browser.close()
      await service.close()
      await provider.stop()
    },
  }
  return fixture
}
