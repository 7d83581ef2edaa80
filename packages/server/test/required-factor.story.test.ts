// A second factor that the platform or an account requires: enrolment between the password and the
// consent page, recovery codes that work once, and no way around. Security P08.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { codeAt, readSecret } from './authenticator.ts'
import { beginPeople, invite, otherAccount, PASSWORD, person } from './people.ts'
import { signInOnPage, testBrowser, testClient } from './sign-in-browser.ts'
import { type Story, startStory } from './story.ts'
import { ADMIN, startTestService } from './test-service.ts'

const SETUP = '/auth/sign-in/second-factor/setup'
const PAGE = '/auth/sign-in/second-factor'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())
afterEach(() => setRequired(false))

const post = (payload: object) => story.request({ method: 'POST', url: '/auth/sign-in', payload })

const setRequired = async (requireSecondFactor: boolean) => {
  const answer = await story.api('PATCH', `/api/accounts/${story.accountId}`, {
    requireSecondFactor,
  })
  assert.deepEqual(
    [answer.statusCode, answer.json().requireSecondFactor],
    [200, requireSecondFactor],
  )
}

/** Enrols on the page after the password. Returns the secret, the codes and the polling client. */
async function enrol(email: string) {
  const client = testClient(story.service)
  const browser = testBrowser(story.service)
  const page = await signInOnPage(browser, client.url, { email, password: PASSWORD })
  assert.match(page.html, /<h1>Set up a second factor<\/h1>/, page.html)
  assert.match(page.html, /<svg/)
  const [, shown = ''] = /id="totp-secret">([A-Z2-7]{32})</.exec(page.html) ?? []
  const secret = readSecret(shown)
  const wrong = await browser.send(page, SETUP, { code: '000000' })
  assert.equal(wrong.status, 401)
  assert.equal((await client.poll()).statusCode, 202, 'no token before the factor is set up')
  const code = codeAt(secret, story.service.clock())
  const done = await browser.send(wrong, SETUP, { code })
  assert.match(done.html, /<h1>Keep these recovery codes<\/h1>/, done.html)
  const codes = [...done.html.matchAll(/<li><code>([a-z2-7-]{19})<\/code>/g)].map(
    ([, one = '']) => one,
  )
  assert.equal(new Set(codes).size, 10)
  const [, next = ''] = /class="button" href="([^"]+)"/.exec(done.html) ?? []
  const question = await browser.open(next.replaceAll('&#38;', '&'))
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  const collected = await client.poll()
  assert.equal(collected.statusCode, 200)
  return { secret, codes, token: collected.json().token as string, page, browser }
}

test('enrols a member at sign-in when the account requires a second factor [P08]', async () => {
  const { email } = await person()
  await setRequired(true)
  const refused = await post({ email, password: PASSWORD })
  assert.deepEqual([refused.statusCode, refused.json().code], [403, 'second_factor_setup_required'])
  const { secret, codes, token, page, browser } = await enrol(email)
  const again = await browser.send(page, SETUP, { code: '000000' })
  assert.ok(again.status >= 400, 'the page of the set-up works once')
  const mine = (method: 'GET' | 'POST', path: string, payload?: object) =>
    story.request({
      method,
      url: `/api/users/me/second-factor${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    })
  assert.deepEqual((await mine('GET', '')).json(), {
    state: 'on',
    isRequired: true,
    recoveryCodesLeft: 10,
  })
  // It cannot be switched off while it is required.
  story.service.clock.advance(60)
  const off = await mine('POST', '/remove', { code: codeAt(secret, story.service.clock()) })
  assert.deepEqual([off.statusCode, off.json().code], [409, 'conflict'])

  // A recovery code stands once for a code, however it is typed; none of them is stored.
  const [first = '', other = ''] = codes
  const typed = first.toUpperCase().replaceAll('-', ' ')
  assert.equal((await post({ email, password: PASSWORD, totp: typed })).statusCode, 200)
  assert.equal((await post({ email, password: PASSWORD, totp: first })).statusCode, 401)
  const stored = await story.service.service.db.read(sql`SELECT * FROM recovery_codes`)
  for (const code of codes) assert.equal(JSON.stringify(stored).includes(code), false)
  assert.equal((await mine('GET', '')).json().recoveryCodesLeft, 9)
  // New codes replace the old ones.
  story.service.clock.advance(60)
  const code = codeAt(secret, story.service.clock())
  const renewed = await mine('POST', '/recovery-codes', { code })
  assert.equal(renewed.statusCode, 200, renewed.body)
  assert.equal((await post({ email, password: PASSWORD, totp: other })).statusCode, 401)
  const [fresh = ''] = renewed.json().recoveryCodes
  assert.equal((await post({ email, password: PASSWORD, totp: fresh })).statusCode, 200)
})

test('redeems a recovery code once of ten parallel attempts [P08]', async () => {
  const { email } = await person()
  await setRequired(true)
  const { codes } = await enrol(email)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => post({ email, password: PASSWORD, totp: codes[3] })),
  )
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
})

test('takes a recovery code on the page, and leaves no codes after a reset [P08]', async () => {
  const member = await person()
  await setRequired(true)
  const { codes } = await enrol(member.email)
  await setRequired(false)
  const browser = testBrowser(story.service)
  const client = testClient(story.service)
  const { email } = member
  const page = await signInOnPage(browser, client.url, { email, password: PASSWORD })
  const question = await browser.send(page, PAGE, { code: codes[0] ?? '' })
  assert.match(question.html, /Do the codes match\?/)
  const { url } = (await story.api('POST', `/api/users/${member.id}/reset`)).json()
  const fresh = testBrowser(story.service)
  const password = 'another few words'
  await fresh.send(await fresh.open(url), '/auth/invitation/password', { password })
  const left = sql`SELECT * FROM recovery_codes WHERE user_id = ${member.id}`
  assert.deepEqual(await story.service.service.db.read(left), [])
  assert.equal((await post({ email, password })).statusCode, 200)
})

test('requires it of administrators, or of all, when the platform says so [P08]', async () => {
  const provider = await person()
  const admin = await person(story.accountId, 'admin')
  const codeOf = async (policy: string, email: string, password = PASSWORD) => {
    const node = await startTestService(
      { CHARTSIDE_SECOND_FACTOR: policy },
      { beside: story.service },
    )
    try {
      const answer = await node.server.inject({
        method: 'POST',
        url: '/auth/sign-in',
        payload: { email, password },
      })
      return answer.statusCode === 200 ? 'ok' : answer.json().code
    } finally {
      await node.close()
    }
  }
  const setUp = 'second_factor_setup_required'
  assert.equal(await codeOf('optional', admin.email), 'ok')
  assert.equal(await codeOf('administrators', provider.email), 'ok')
  assert.equal(await codeOf('administrators', admin.email), setUp)
  assert.equal(await codeOf('administrators', ADMIN.email, ADMIN.password), setUp)
  assert.equal(await codeOf('required', provider.email), setUp)
})

test('is required by no account that only invites, and by none that is deleted [P08]', async () => {
  const own = await otherAccount()
  const strict = await otherAccount()
  const required = { requireSecondFactor: true }
  assert.equal((await story.api('PATCH', `/api/accounts/${strict}`, required)).statusCode, 200)
  const member = await person(own)
  const signInAgain = async () =>
    (await post({ email: member.email, password: PASSWORD })).statusCode
  const { invitationUrl } = await invite(strict, { email: member.email })
  assert.equal(await signInAgain(), 200, 'invited')
  const browser = testBrowser(story.service)
  const credentials = { email: member.email, password: PASSWORD }
  const question = await signInOnPage(browser, invitationUrl, credentials)
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  assert.equal(await signInAgain(), 403, 'joined')
  assert.equal((await story.api('DELETE', `/api/accounts/${strict}`)).statusCode, 204)
  assert.equal(await signInAgain(), 200, 'deleted')
})
