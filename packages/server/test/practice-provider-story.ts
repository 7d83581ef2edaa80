// The fixture of stories about the providers of practices: a service, practices each with a real OpenID Connect
// provider, and browsers that are redirected between them. Owns no expectation beyond a successful set-up.
import assert from 'node:assert/strict'
import {
  CLIENT,
  type ProviderPerson,
  startProvider,
  type TestProvider,
} from './identity-provider.ts'
import { as, beginPeople, invite } from './people.ts'
import { type Shown, type TestBrowser, testBrowser, testClient } from './sign-in-browser.ts'
import { type Story, startStory } from './story.ts'
import { testClock } from './test-service.ts'

export let story: Story
const providers: TestProvider[] = []
let count = 0

export interface Practice {
  readonly accountId: string
  readonly shortName: string
  readonly provider: TestProvider
  readonly providerId: string
  /** Of the registration. */
  readonly path: string
}

export async function beginPracticeStory(): Promise<void> {
  // The library checks times against the real clock.
  story = await startStory({}, { clock: testClock(Date.now()) })
  beginPeople(story)
}

export async function endPracticeStory(): Promise<void> {
  await story.close()
  await Promise.all(providers.map((provider) => provider.stop()))
}

/** An account with a provider of its own; of an account that there is, one more. */
export async function practice(of?: Pick<Practice, 'accountId' | 'shortName'>): Promise<Practice> {
  count += 1
  const shortName = of?.shortName ?? `practice-${count}`
  const id =
    of?.accountId ?? (await story.api('POST', '/api/accounts', { name: shortName })).json().id
  assert.equal((await story.api('PATCH', `/api/accounts/${id}`, { shortName })).statusCode, 200)
  const provider = await startProvider(`${story.service.service.config.baseUrl}/auth/callback`)
  providers.push(provider)
  const path = `/api/accounts/${id}/identity-providers`
  const body = {
    name: `Login of ${shortName}`,
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
  }
  const made = await story.api('POST', path, body)
  assert.equal(made.statusCode, 201, made.body)
  const providerId = made.json().id
  return { accountId: id, shortName, provider, providerId, path: `${path}/${providerId}` }
}

const plain = (href = '') => href.replaceAll('&#38;', '&')
export const linkOf = (page: Shown, id: string) =>
  plain(new RegExp(`id="${id}" href="([^"]+)"`).exec(page.html)?.[1])

/** Follows the link of a page to the provider, and gives the address to which that redirects back. */
export async function visit(at: Practice, page: Shown, browser: TestBrowser): Promise<string> {
  const left = await browser.open(linkOf(page, at.providerId))
  assert.equal(left.status, 303, left.html)
  return at.provider.visit(String(left.headers.location))
}

/** The page of the practice, from that of a client. */
export async function practicePage(
  at: Practice,
  url: string,
  browser: TestBrowser,
): Promise<Shown> {
  const entry = await browser.open(url)
  const asked = await browser.open(linkOf(entry, 'practice'))
  return browser.open(`${asked.url}&practice=${at.shortName}`)
}

/** The address at the service to which the provider answers a sign-in for this client. */
export const answerFor = async (at: Practice, url: string, browser: TestBrowser) =>
  visit(at, await practicePage(at, url, browser), browser)

/** Signs in at the provider. Returns the session token. */
export async function signInAt(at: Practice, person?: ProviderPerson): Promise<string> {
  if (person) at.provider.person = person
  const browser = testBrowser(story.service)
  const client = testClient(story.service)
  const question = await browser.open(await answerFor(at, client.url, browser))
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  const collected = await client.poll()
  assert.equal(collected.statusCode, 200, question.html)
  return collected.json().token
}

/** Signs in to the console with a new authentication, as an administrator does. Returns the session token. */
export async function signInAgainAt(at: Practice, person: ProviderPerson): Promise<string> {
  at.provider.person = person
  const browser = testBrowser(story.service)
  const page = await practicePage(at, '/auth/sign-in?return_to=/console&again=1', browser)
  await browser.open(await visit(at, page, browser))
  return /(st_[\w-]+)/.exec(browser.cookie ?? '')?.[1] ?? assert.fail('not signed in')
}

/** Opens a one-time link, goes to the provider, and says yes. */
export async function bindAt(at: Practice, url: string, answer = 'yes'): Promise<Shown> {
  const browser = testBrowser(story.service)
  const question = await browser.open(await visit(at, await browser.open(url), browser))
  assert.match(question.html, /reaches this one practice only/, question.html)
  return browser.send(question, '/auth/invitation/provider', { answer })
}

/** A member who signs in at the provider of the practice, and no other way. */
export async function memberOf(at: Practice, role = 'provider') {
  count += 1
  const person: ProviderPerson = { sub: `sub-${count}`, email: `m${count}@lakeside.example` }
  const member = await invite(at.accountId, { email: person.email, role })
  at.provider.person = person
  assert.match((await bindAt(at, member.invitationUrl)).html, /You are a member/)
  const token = role === 'admin' ? await signInAgainAt(at, person) : await signInAt(at)
  const api = as(token)
  const { id: userId } = (await api('GET', '/api/users/me')).json()
  return { ...member, userId, person, token, api }
}
