// Every way to sign in for the console ends in the cookie of this browser, and none of them earlier: a
// second factor, one that must be set up first, an account at a provider, the emergency account.
// Contract §4, security P03, P08, U06.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEvents, NEWEST } from '../src/audit/audit-trail.ts'
import { listOccurrences } from '../src/cluster/occurrence-store.ts'
import { sql } from '../src/db/sql.ts'
import { codeAt, readSecret } from './authenticator.ts'
import { as, beginPeople, invite, PASSWORD, person } from './people.ts'
import { signInOnPage, type TestBrowser, testBrowser, testClient } from './sign-in-browser.ts'
import { type Story, startStory } from './story.ts'

const PAGE = '/auth/sign-in?return_to=%2Fconsole%2Fsettings'
const FACTOR = '/auth/sign-in/second-factor'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

const isSignedIn = ({ cookie = '' }: TestBrowser) =>
  /(^|; )__Host-chartside-session=st_/.test(cookie)

const me = async ({ cookie = '' }: TestBrowser) =>
  story.request({ method: 'GET', url: '/api/users/me', headers: { cookie } })

/** Turns the second factor of a person on. Returns its secret. */
async function turnOn(token: string): Promise<Buffer> {
  const api = as(token)
  const made = await api('POST', '/api/users/me/second-factor')
  const secret = readSecret(made.json().secret)
  const code = codeAt(secret, story.service.clock())
  const done = await api('POST', '/api/users/me/second-factor/confirm', { code })
  assert.equal(done.statusCode, 200, done.body)
  return secret
}

test('gives the cookie after the code of the second factor, not before [P08]', async () => {
  const { email, token } = await person()
  const secret = await turnOn(token)
  const browser = testBrowser(story.service)
  const asked = await signInOnPage(browser, PAGE, { email, password: PASSWORD })
  assert.equal(isSignedIn(browser), false)
  const wrong = await browser.send(asked, FACTOR, { code: '000000' })
  assert.equal(wrong.status, 401)
  assert.equal(isSignedIn(browser), false)
  story.service.clock.advance(60)
  const code = codeAt(secret, story.service.clock())
  const shown = await browser.send(wrong, FACTOR, { code })
  assert.equal(shown.status, 200)
  assert.match(shown.url, /\/console\/settings$/)
  assert.equal((await me(browser)).json().email, email)
})

test('sets a required second factor up first, and continues to the console [P08]', async () => {
  const { email } = await person()
  const path = `/api/accounts/${story.accountId}`
  await story.api('PATCH', path, { requireSecondFactor: true })
  const browser = testBrowser(story.service)
  const page = await signInOnPage(browser, PAGE, { email, password: PASSWORD })
  assert.equal(isSignedIn(browser), false)
  const [, shown = ''] = /id="totp-secret">([A-Z2-7]{32})</.exec(page.html) ?? []
  const code = codeAt(readSecret(shown), story.service.clock())
  const codes = await browser.send(page, `${FACTOR}/setup`, { code })
  await story.api('PATCH', path, { requireSecondFactor: false })
  assert.match(codes.html, /recovery codes/)
  assert.match(codes.html, /href="[^"]*\/console\/settings"/)
  assert.equal((await me(browser)).json().email, email)
})

test('gives no cookie when the user is disabled between the password and the code', async () => {
  const { id, email, token } = await person()
  const secret = await turnOn(token)
  const browser = testBrowser(story.service)
  const asked = await signInOnPage(browser, PAGE, { email, password: PASSWORD })
  const removed = await story.api('DELETE', `/api/users/${id}`)
  assert.equal(removed.statusCode, 204, removed.body)
  story.service.clock.advance(60)
  const code = codeAt(secret, story.service.clock())
  const shown = await browser.send(asked, FACTOR, { code })
  assert.ok(shown.status >= 400, String(shown.status))
  assert.equal(isSignedIn(browser), false)
})

test('alerts of the emergency account at the console too, for an hour [P03]', async () => {
  const { id, email } = await person()
  const { db } = story.service.service
  await db.write(sql`UPDATE users SET emergency_at = ${1} WHERE id = ${id}`)
  const browser = testBrowser(story.service)
  await signInOnPage(browser, PAGE, { email, password: PASSWORD })
  assert.equal((await me(browser)).statusCode, 200)
  const events = await listEvents(db, {
    accountId: 'platform',
    before: NEWEST,
    limit: 99,
    about: id,
  })
  const seen = await listOccurrences(story.service.service.db)
  assert.equal(seen.get('emergency_sign_in'), story.service.clock())
  const used = events.filter(({ action }) => action === 'useEmergencyAccess')
  assert.deepEqual(
    used.map(({ actor, ip, outcome }) => [actor, ip, outcome]),
    [[id, '127.0.0.1', 'ok']],
  )
  const { cookie = '' } = browser
  const end = await story.request({ url: '/api/users/me/sign-in', headers: { cookie } })
  assert.ok(Date.parse(end.json().endsAt) - story.service.clock() <= 60 * 60_000)
})

test('alerts of the emergency account that signs a client in [P03]', async () => {
  const { id, email } = await person()
  const { db } = story.service.service
  await db.write(sql`UPDATE users SET emergency_at = ${1} WHERE id = ${id}`)
  const client = testClient(story.service)
  const browser = testBrowser(story.service)
  const question = await signInOnPage(browser, client.url, { email, password: PASSWORD })
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  story.service.clearLog()
  assert.equal((await client.poll()).statusCode, 200)
  const page = { accountId: 'platform', before: NEWEST, limit: 99, about: id }
  const events = await listEvents(db, page)
  assert.equal(events.filter(({ action }) => action === 'useEmergencyAccess').length, 1)
  assert.match(story.service.logText(), /"level":50.*the emergency account has signed in/)
})

test('replaces the sign-in whose whole token the browser shows, and no other [U06]', async () => {
  const victim = await person()
  const { email } = await person()
  const open = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const { id } = (await victim.api('POST', '/api/sessions', open)).json()
  const wrong = victim.token.slice(0, -20) + 'A'.repeat(20)
  for (const [token, expected] of [
    [wrong, 200],
    [victim.token, 401],
  ] as const) {
    const browser = testBrowser(story.service)
    const page = await browser.open(PAGE)
    browser.cookie += `; __Host-chartside-session=${token}`
    await browser.send(page, '/auth/sign-in/password', { email, password: PASSWORD })
    assert.equal(isSignedIn(browser), true)
    assert.equal((await victim.api('GET', '/api/users/me')).statusCode, expected, token)
    const { ended } = (await story.api('GET', `/api/sessions/${id}`)).json()
    assert.equal(ended === undefined, expected === 200, 'an EHR session ends with its sign-in only')
  }
})

test('leads who accepts an invitation into the console', async () => {
  const member = await person()
  const account = (await story.api('POST', '/api/accounts', { name: 'Northgate' })).json()
  const { invitationUrl } = await invite(account.id, { email: member.email })
  const browser = testBrowser(story.service)
  const question = await signInOnPage(browser, invitationUrl, {
    email: member.email,
    password: PASSWORD,
  })
  const done = await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  assert.match(done.html, /You are a member of <strong>Northgate<\/strong>/)
  assert.match(done.html, /href="https:\/\/chartside\.test\/console"/)
  assert.equal(isSignedIn(browser), false, 'joining an account is no sign-in')
})
