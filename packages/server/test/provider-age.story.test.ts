// A sign-in at the identity provider is as old as its auth_time, and its ID token is verified against the
// provider's keys, although it comes by TLS. Contract §3, security V27, V33.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { normalizeEmail } from '../src/kernel/user.ts'
import {
  account,
  api,
  beginProviderStory,
  browser,
  endProviderStory,
  goThere,
  invite,
  nextPerson,
  provider,
  service,
  signInWithAccount,
} from './provider-story.ts'
import { testClient } from './sign-in-browser.ts'

const HOURS = 3600

before(beginProviderStory)
after(endProviderStory)
beforeEach(() => {
  nextPerson()
  provider.authenticatedAt = undefined
  provider.forger = undefined
})

const nowSeconds = () => Math.floor(Date.now() / 1000)
const addMethod = (token: string) => api('POST', '/api/users/me/login-methods', undefined, token)

/** Follows the console's way of signing in; the cookie holds the session token. */
async function signInToConsole(again: boolean): Promise<string> {
  const page = `/auth/sign-in?return_to=/console${again ? '&again=1' : ''}`
  const shown = await browser.open(await goThere(page))
  return /(st_[\w-]+)/.exec(browser.cookie ?? '')?.[1] ?? assert.fail(`${shown.status}`)
}

test('takes no old authentication at the provider for a recent one [V27]', async () => {
  await invite()
  provider.person = account()
  await signInWithAccount()
  provider.authenticatedAt = nowSeconds() - 12 * HOURS
  const silent = await signInToConsole(false)
  const refused = await addMethod(silent)
  assert.deepEqual([refused.statusCode, refused.json().code], [403, 'sign_in_again'])
  assert.equal(provider.asked?.get('max_age'), null)
  provider.authenticatedAt = undefined
  const again = await signInToConsole(true)
  assert.deepEqual([provider.asked?.get('max_age'), provider.asked?.get('prompt')], ['0', 'login'])
  assert.equal((await addMethod(again)).statusCode, 201)
})

test('refuses a provider that answers max_age=0 with an old sign-in [V27]', async () => {
  await invite()
  provider.person = account()
  await signInWithAccount()
  provider.authenticatedAt = nowSeconds() - 12 * HOURS
  const shown = await browser.open(await goThere('/auth/sign-in?return_to=/console&again=1'))
  assert.equal(shown.status, 401)
  assert.doesNotMatch(browser.cookie ?? '', /st_/)
})

test('refuses an ID token of the provider that another key has signed [V27]', async () => {
  await invite()
  provider.person = account()
  provider.forger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const client = testClient(service)
  const shown = await browser.open(await goThere(client.url))
  assert.match(shown.html, /did not say who you are/)
  assert.equal((await client.poll()).statusCode, 202)
})

test('binds no address that differs from an invited one in Unicode only [V33]', async () => {
  // The Kelvin sign is an ordinary k in lower case.
  assert.notEqual(
    normalizeEmail('\u212Aim@lakeside.example'),
    normalizeEmail('kim@lakeside.example'),
  )
  assert.equal(normalizeEmail(' KIM@Lakeside.example '), 'kim@lakeside.example')
  const { email } = await invite()
  provider.person = account({ email: email.replace('lakeside', 'la\u212Aeside') })
  const shown = await browser.open(await goThere(testClient(service).url))
  assert.match(shown.html, /not invited here/)
})
