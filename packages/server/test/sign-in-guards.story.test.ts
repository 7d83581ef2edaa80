// What guards the pages of sign-in: a step that counts once, a secret that is shown to its own set-up only,
// limits on codes and on pages, and an answer that does not say who has a password. Contract §3, security
// P03, P08, T16, U06, U07.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEvents, NEWEST } from '../src/audit/audit-trail.ts'
import { DatabaseUnavailable } from '../src/db/database.ts'
import { sql } from '../src/db/sql.ts'
import { LIMITS } from '../src/http/admission/rate-limit-rules.ts'
import { codeAt, readSecret } from './authenticator.ts'
import { beginPeople, otherAccount, PASSWORD, person } from './people.ts'
import { type Shown, signInOnPage, testBrowser, testClient } from './sign-in-browser.ts'
import { type Story, startStory } from './story.ts'
import { ADMIN, startTestService } from './test-service.ts'

const FACTOR = '/api/users/me/second-factor'
const PAGE = '/auth/sign-in/second-factor'
const SETUP = `${PAGE}/setup`

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

const code = (secret: Buffer) => codeAt(secret, story.service.clock())
const secretOn = ({ html }: Shown) => {
  const [, shown = ''] = /id="totp-secret">([A-Z2-7]{32})</.exec(html) ?? []
  assert.ok(shown, html)
  return readSecret(shown)
}

const setRequired = async (requireSecondFactor: boolean) => {
  const url = `/api/accounts/${story.accountId}`
  assert.equal((await story.api('PATCH', url, { requireSecondFactor })).statusCode, 200)
}

/** The page of the set-up, which a person reaches by the password. */
async function openSetUp(email: string) {
  const browser = testBrowser(story.service)
  const { url } = testClient(story.service)
  await setRequired(true)
  const page = await signInOnPage(browser, url, { email, password: PASSWORD })
  await setRequired(false)
  return { browser, page }
}

test('shows a factor to no other page once it is set up [P08]', async () => {
  const { email } = await person()
  const early = await openSetUp(email)
  const late = await openSetUp(email)
  const secret = secretOn(late.page)
  const codes = await late.browser.send(late.page, SETUP, { code: code(secret) })
  assert.match(codes.html, /Keep these recovery codes/)
  const again = await early.browser.open(early.page.url)
  assert.equal(again.status, 410)
  assert.doesNotMatch(again.html, /totp-secret/)
})

test('shows a later secret to no page of a set-up that was used [P08]', async () => {
  const { email, api } = await person()
  const { browser, page } = await openSetUp(email)
  const { cookie } = browser
  const secret = secretOn(page)
  await browser.send(page, SETUP, { code: code(secret) })
  story.service.clock.advance(30)
  const removed = await api('POST', `${FACTOR}/remove`, { code: code(secret) })
  assert.equal(removed.statusCode, 204, removed.body)
  assert.equal((await api('POST', FACTOR)).statusCode, 201)
  browser.cookie = cookie
  const again = await browser.open(page.url)
  assert.equal(again.status, 410)
  assert.doesNotMatch(again.html, /totp-secret/)
})

test('counts the codes of a set-up, and refuses a right one after too many [P08, T16]', async () => {
  const { email } = await person()
  const { browser, page } = await openSetUp(email)
  const secret = secretOn(page)
  for (let n = 0; n < LIMITS.secondFactor.most; n++) {
    assert.equal((await browser.send(page, SETUP, { code: '000000' })).status, 401)
  }
  assert.equal((await browser.send(page, SETUP, { code: code(secret) })).status, 429)
})

test('takes the code of a second factor once on a page, also a newer one [P08]', async () => {
  const { email, api } = await person()
  const secret = readSecret((await api('POST', FACTOR)).json().secret)
  const confirmed = await api('POST', `${FACTOR}/confirm`, { code: code(secret) })
  assert.equal(confirmed.statusCode, 200, confirmed.body)
  story.service.clock.advance(30)
  const browser = testBrowser(story.service)
  const { url } = testClient(story.service)
  const asked = await signInOnPage(browser, url, { email, password: PASSWORD })
  const { cookie } = browser
  const question = await browser.send(asked, PAGE, { code: code(secret) })
  assert.match(question.html, /Do the codes match\?/)
  story.service.clock.advance(30)
  browser.cookie = cookie
  assert.equal((await browser.send(asked, PAGE, { code: code(secret) })).status, 410)
})

for (const [who, urlOf] of [
  ['a client', () => testClient(story.service).url],
  ['the console', () => '/auth/sign-in?return_to=%2Fconsole'],
] as const) {
  test(`limits how often a network opens the sign-in page of ${who} [T16]`, async () => {
    const { db } = story.service.service
    // The window of what the tests before have opened is over.
    story.service.clock.advance(LIMITS.signInPage.windowSeconds + 1)
    const open = async () => (await testBrowser(story.service).open(urlOf())).status
    assert.equal(await open(), 200)
    const full = sql`UPDATE rate_limits SET count = ${LIMITS.signInPage.most}
      WHERE key LIKE 'signInPage:%'`
    await db.write(full)
    assert.equal(await open(), 429)
  })
}

test('counts nothing that a page of another site makes a browser ask for [V26]', async () => {
  const ask = async (headers: Record<string, string>) =>
    (await story.request({ url: '/auth/sign-in', headers })).statusCode
  const site = { 'sec-fetch-site': 'cross-site' }
  const image = { ...site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
  const frame = { ...site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }
  const opened = { ...site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const clicked = { ...opened, 'sec-fetch-user': '?1' }
  story.service.clock.advance(LIMITS.signInPage.windowSeconds + 1)
  const { db } = story.service.service
  await db.write(sql`DELETE FROM rate_limits`)
  for (const headers of [image, frame, { 'sec-fetch-dest': 'empty' }]) {
    assert.equal(await ask(headers), 403, JSON.stringify(headers))
  }
  const poll = { url: `/auth/token/${'x'.repeat(22)}`, headers: image }
  assert.equal((await story.request(poll)).statusCode, 404)
  assert.deepEqual(await db.read(sql`SELECT key FROM rate_limits`), [])
  const { most } = LIMITS.signInPageFromElsewhere
  const sibling = { ...opened, 'sec-fetch-site': 'same-site' }
  for (let i = 0; i < most; i++) assert.equal(await ask(i % 2 === 0 ? opened : sibling), 200)
  for (const headers of [opened, sibling]) assert.equal(await ask(headers), 429)
  assert.equal(await ask(clicked), 200, 'people of the same network')
  assert.equal(await ask({}), 200)
})

test('says alike that password sign-in is off, for right and wrong passwords [U07]', async () => {
  const { email } = await person()
  const environment = { CHARTSIDE_PASSWORD_SIGN_IN: 'off' }
  const node = await startTestService(environment, { beside: story.service })
  try {
    const answers = []
    for (const payload of [
      { email, password: PASSWORD },
      { email, password: 'a wrong password' },
      { email: 'unknown@lakeside.example', password: 'a wrong password' },
      ADMIN,
    ]) {
      const answer = await node.server.inject({ method: 'POST', url: '/auth/sign-in', payload })
      const { code: refusal, detail } = answer.json()
      answers.push([answer.statusCode, refusal, detail])
    }
    assert.deepEqual(answers[0]?.slice(0, 2), [404, 'not_found'])
    for (const answer of answers) assert.deepEqual(answer, answers[0])
  } finally {
    await node.close()
  }
})

test('writes no sign-in into the trail of an account that is deleted [P06]', async () => {
  const account = await otherAccount()
  const { email } = await person(account)
  const events = async () => {
    const page = { accountId: account, before: NEWEST, limit: 99, about: 'signIn' }
    return (await listEvents(story.service.service.db, page)).length
  }
  const signInAgain = () =>
    story.request({ method: 'POST', url: '/auth/sign-in', payload: { email, password: PASSWORD } })
  const first = await events()
  assert.equal((await signInAgain()).statusCode, 200)
  assert.equal(await events(), first + 1)
  assert.equal((await story.api('DELETE', `/api/accounts/${account}`)).statusCode, 204)
  assert.equal((await signInAgain()).statusCode, 200)
  assert.equal(await events(), first + 1)
})

test('answers a read although the activity of the caller cannot be recorded [F01]', async () => {
  const { api } = await person()
  const { db } = story.service.service
  const { write } = db
  story.service.clock.advance(5 * 60)
  let refused = 0
  Object.assign(db, {
    write: async () => {
      refused += 1
      throw new DatabaseUnavailable('no room', 'full')
    },
  })
  try {
    assert.equal((await api('GET', '/api/users/me')).statusCode, 200)
  } finally {
    Object.assign(db, { write })
  }
  assert.ok(refused > 0)
  assert.match(story.service.logText(), /could not record the activity of a sign-in/)
})
