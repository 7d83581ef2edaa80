// The fixture of provider stories: a service, an OpenID Connect provider, and a browser that is redirected
// between both. Owns no expectation beyond a successful set-up.
import assert from 'node:assert/strict'
import { CLIENT, startProvider, type TestProvider } from './identity-provider.ts'
import { type Shown, type TestBrowser, testBrowser, testClient } from './sign-in-browser.ts'
import { signIn } from './story.ts'
import { ADMIN, startTestService, type TestService, testClock } from './test-service.ts'

const BASE = 'https://chartside.test'
export const PASSWORD = 'a few words, well chosen'

export let provider: TestProvider
export let service: TestService
export let browser: TestBrowser
let token: string
export let accountId: string
let count = 0
export async function beginProviderStory(): Promise<void> {
  provider = await startProvider(`${BASE}/auth/callback`)
  const environment = {
    CHARTSIDE_OIDC_ISSUER: provider.issuer,
    CHARTSIDE_OIDC_CLIENT_ID: CLIENT.id,
    CHARTSIDE_OIDC_CLIENT_SECRET: CLIENT.secret,
    CHARTSIDE_OIDC_NAME: 'Lakeside Login',
  }
  // The library checks times against the real clock.
  service = await startTestService(environment, { clock: testClock(Date.now()) })
  token = await signIn(service, ADMIN)
  accountId = (await api('POST', '/api/accounts', { name: 'Lakeside' })).json().id
}

export async function endProviderStory(): Promise<void> {
  await service.close()
  await provider.stop()
}

/** Begins with a new user, not invited yet, whom `invite` and `account` are about. */
export function nextPerson(): void {
  browser = testBrowser(service)
  count += 1
}

export const api = (
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
  bearer = token,
) =>
  service.server.inject({
    method,
    url,
    headers: { authorization: `Bearer ${bearer}` },
    ...(payload ? { payload } : {}),
  })

export async function invite(to = accountId) {
  const email = `p${count}@lakeside.example`
  const body = { email, name: `Person ${count}`, role: 'provider' }
  return (await api('POST', `/api/accounts/${to}/members`, body)).json()
}

export const account = (fields: object = {}) => ({
  sub: `sub-${count}`,
  email: `p${count}@lakeside.example`,
  email_verified: true,
  ...fields,
})

/** The URL at the provider to which the link on the page redirects. */
export async function leave(url: string, from = browser): Promise<string> {
  const page = await from.open(url)
  const href = /id="provider" href="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&#38;', '&') ?? ''
  const left = await from.open(href)
  assert.equal(left.status, 303, left.html)
  return String(left.headers.location)
}

export const goThere = async (url: string, from = browser) => provider.visit(await leave(url, from))

/** Signs in at the provider by a one-time link, and confirms the binding. */
export async function bindAt(url: string, from = browser) {
  const question = await from.open(await goThere(url, from))
  assert.match(question.html, /Sign in with Lakeside Login from now on\?/, question.html)
  return from.send(question, '/auth/invitation/provider', { answer: 'yes' })
}

export const JOINING = '/auth/sign-in/accounts'

/** Joins every account of the page that asks, if this is the page. Returns the page after it. */
export async function joinAll(page: Shown, from = browser): Promise<Shown> {
  const names = [...page.html.matchAll(/name="(join_\w+)"/g)].map(([, name = '']) => [name, 'yes'])
  return names.length === 0 ? page : from.send(page, JOINING, Object.fromEntries(names))
}

/** Signs in with the current account of the provider and joins. Returns the session token. */
export async function signInWithAccount(): Promise<string> {
  const client = testClient(service)
  const question = await joinAll(await browser.open(await goThere(client.url)))
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  const collected = await client.poll()
  assert.equal(collected.statusCode, 200, question.html)
  return collected.json().token
}
